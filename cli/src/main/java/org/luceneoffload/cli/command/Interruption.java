/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.command;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The end of a command by a signal (SIGINT, SIGTERM): it is told to stop, and the process waits
 * until it has cleaned up and said so.
 */
public final class Interruption implements AutoCloseable {
  /** How long the process waits; after that it ends as it is. */
  private static final long WAIT_SECONDS = 30;

  private static final CountDownLatch COMMAND_ENDED = new CountDownLatch(1);

  private final Thread hook;

  private Interruption(Runnable stop) {
    hook =
        new Thread(
            () -> {
              stop.run();
              try {
                boolean ended = COMMAND_ENDED.await(WAIT_SECONDS, TimeUnit.SECONDS);
                assert ended : "the command did not stop";
              } catch (InterruptedException e) {
                // The process ends.
              }
            },
            "stop-on-signal");
  }

  /**
   * Has a signal run {@code stop} on a thread of its own, from now until the close.
   *
   * @param stop makes the command end soon; throws nothing
   */
  public static Interruption runs(Runnable stop) {
    Interruption interruption = new Interruption(stop);
    try {
      Runtime.getRuntime().addShutdownHook(interruption.hook);
    } catch (IllegalStateException e) {
      stop.run(); // the process is ending already
    }
    return interruption;
  }

  /** Lets a process that a signal ends go: the command's last word is printed. */
  public static void commandEnded() {
    COMMAND_ENDED.countDown();
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // A signal has come.
    }
  }
}
