/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.io.IOException;
import java.net.ConnectException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.lucene.util.IOSupplier;
import org.apache.lucene.util.ThreadInterruptedException;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire.Status;

/** Asks a device again that does not answer, as a node that is started anew, for some time. */
public final class PatientReads {
  /** Seconds that a reader of an index waits for its node, since the bytes are nowhere else. */
  public static final int READ_SECONDS = 30;

  /** Seconds that opening waits for a node that refuses connections. */
  public static final int OPEN_SECONDS = 5;

  private static final long FIRST_WAIT_MILLIS = 5;
  private static final long MAX_WAIT_MILLIS = 500;

  private PatientReads() {}

  /** Returns what was read, or throws what the device still says after the time of readers. */
  public static <T> T read(IOSupplier<T> read) throws IOException {
    return read(read, READ_SECONDS, PatientReads::mayPass);
  }

  /** Returns what is opened, or throws what the device still says after the time of openers. */
  public static <T> T open(IOSupplier<T> open) throws IOException {
    return read(open, OPEN_SECONDS, PatientReads::isRefusal);
  }

  private static <T> T read(IOSupplier<T> read, int seconds, Predicate<OffloadException> mayPass)
      throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    long wait = FIRST_WAIT_MILLIS;
    while (true) {
      try {
        return read.get();
      } catch (OffloadException e) {
        if (!mayPass.test(e) || System.nanoTime() - end > 0) {
          throw e;
        }
      }
      pause(wait);
      wait = Math.min(2 * wait, MAX_WAIT_MILLIS);
    }
  }

  /** Returns whether a device may answer, though it has just failed so. */
  private static boolean mayPass(OffloadException e) {
    int status = e.status();
    return status == Status.TIMED_OUT || status == Status.IO_ERROR || status == Status.BUSY;
  }

  /**
   * Returns whether a connection was refused, as by a node that does not listen yet; a name that is
   * wrong or a key that is missing stays so.
   */
  private static boolean isRefusal(OffloadException e) {
    Throwable cause = e;
    while (cause != null && !(cause instanceof ConnectException)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ThreadInterruptedException(e);
    }
  }
}
