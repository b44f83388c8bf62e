/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.nvme.port.CommandPort;
import org.luceneoffload.nvme.port.NvmeCommand;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * A storage node's namespace over NVMe/TCP.
 *
 * <p>A connection that is lost fails the commands on it. The next command connects again at once,
 * and so does the one after it if that fails; then those within a pause fail, which is longer each
 * time that the node cannot be reached, up to half a second. A node that ends a connection while it
 * is made slowly is connected to once more. No command is ever sent twice. A node that has been
 * started anew knows no session of before, and says so; one that serves another namespace than
 * before is refused.
 */
final class TcpPort implements CommandPort {
  private static final int MAX_TRANSFER_BYTES = 1 << 20;
  private static final int MAX_CONNECT_MILLIS = 2_000;
  private static final int MAX_KEYED_MILLIS = 10_000; // the first keys take their time
  private static final long LATE_NANOS = 1_000_000_000; // the least that a node waits for a peer
  private static final long FIRST_PAUSE_NANOS = 20_000_000;
  private static final long MAX_PAUSE_NANOS = 500_000_000;
  private static final int KEEP_ALIVES = 3; // in the controller's time for one

  private final CsdOptions options;
  private final String name;
  private final Association.Host host;
  private final ReentrantLock connecting = new ReentrantLock();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile Association association;
  private volatile long epoch; // of the association; written with the lock held, ahead of it
  private volatile boolean closed;

  // Guarded by the lock.
  private String subsystem;
  private String namespace; // its identity, once it is known
  private OffloadException lastFailure;
  private long lastFailureNanos;
  private long pauseNanos; // after it
  private HostLock lock;

  private TcpPort(CsdOptions options) throws OffloadException {
    this.options = options;
    this.name = "csd:" + options.node();
    this.subsystem = options.subsystem();
    this.host = Association.Host.of(options);
  }

  /** Connects. */
  static TcpPort open(CsdOptions options) throws OffloadException {
    TcpPort port = new TcpPort(options);
    try {
      port.association();
      Thread thread = new Thread(port::keepAlive, "keep-alive of " + port.name);
      thread.setDaemon(true);
      thread.start();
      return port;
    } catch (Throwable t) {
      port.close();
      throw t;
    }
  }

  /** Returns the association, made anew if it has ended. */
  private Association association() throws OffloadException {
    Association present = association;
    if (present != null && !present.isClosed()) {
      return present;
    }
    connecting.lock();
    try {
      checkOpen();
      present = association;
      if (present != null && !present.isClosed()) {
        return present;
      }
      if (lastFailure != null && System.nanoTime() - lastFailureNanos < pauseNanos) {
        throw new OffloadException(OffloadWire.Status.IO_ERROR, reason(lastFailure), lastFailure);
      }
      Association made = connect();
      epoch++;
      association = made;
      if (closed) {
        made.close();
        checkOpen();
      }
      return made;
    } finally {
      connecting.unlock();
    }
  }

  private static String reason(OffloadException failure) {
    String status = OffloadWire.Status.name(failure.status()) + ": ";
    String message = failure.getMessage();
    return message.startsWith(status) ? message.substring(status.length()) : message;
  }

  private Association connect() throws OffloadException {
    boolean success = false;
    Association made = null;
    long start = System.nanoTime();
    try {
      try {
        made = tryToConnect();
      } catch (OffloadException e) {
        if (!isLateLoss(e, System.nanoTime() - start)) {
          throw e;
        }
        made = tryToConnect();
      }
      if (namespace != null && !namespace.equals(made.namespace())) {
        throw new OffloadException(
            OffloadWire.Status.IO_ERROR, "storage node " + name + " serves another namespace now");
      }
      namespace = made.namespace();
      lastFailure = null;
      success = true;
      return made;
    } catch (OffloadException e) {
      pauseNanos = pauseNanos(System.nanoTime() - start);
      lastFailure = e;
      lastFailureNanos = System.nanoTime();
      throw e;
    } finally {
      if (!success && made != null) {
        made.close();
      }
    }
  }

  private Association tryToConnect() throws OffloadException {
    int millis = Math.min(options.access().timeoutMillis(), mostMillis());
    if (subsystem.isEmpty()) {
      subsystem = Association.discover(options, host, millis);
    }
    return Association.open(options, subsystem, host, millis);
  }

  /**
   * Returns whether the node ended a connection after some time. It gives slow connections up, such
   * as that of a process that stands still, or sets TLS up for the first time, which is likely to
   * be quick now.
   */
  private static boolean isLateLoss(OffloadException e, long tookNanos) {
    return e.status() == OffloadWire.Status.IO_ERROR
        && !(e.getCause() instanceof SocketTimeoutException)
        && tookNanos >= LATE_NANOS;
  }

  /**
   * Returns the pause after a failure to connect: a failure that took long is not likely to pass in
   * a moment.
   */
  private long pauseNanos(long tookNanos) {
    if (tookNanos > MAX_PAUSE_NANOS) {
      return MAX_PAUSE_NANOS;
    }
    return lastFailure == null ? 0 : Math.clamp(2 * pauseNanos, FIRST_PAUSE_NANOS, MAX_PAUSE_NANOS);
  }

  private int mostMillis() {
    return host.keys() == null && host.tlsKeys() == null ? MAX_CONNECT_MILLIS : MAX_KEYED_MILLIS;
  }

  private void checkOpen() throws OffloadException {
    if (closed) {
      throw new OffloadException(OffloadWire.Status.CLOSED, "device " + name + " is closed");
    }
  }

  /** Tells the controller that this host is there, until the end. */
  private void keepAlive() {
    long millis = Association.KEEP_ALIVE_MILLIS / KEEP_ALIVES;
    boolean over = false;
    while (!over) {
      try {
        over = ended.await(millis, TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        over = closed;
      }
      Association present = association;
      if (!over && present != null) {
        present.suspect();
      }
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int namespaceId() throws OffloadException {
    return association().namespaceId();
  }

  @Override
  public int maxTransferBytes() {
    return MAX_TRANSFER_BYTES;
  }

  @Override
  public int admin(NvmeCommand command) throws OffloadException {
    checkOpen();
    return association().admin(command);
  }

  @Override
  public int io(NvmeCommand command) throws OffloadException {
    all(StopSignal.NEVER, command);
    return command.status();
  }

  @Override
  public long epoch() throws OffloadException {
    association();
    return epoch;
  }

  @Override
  public boolean isPipelined() {
    return true;
  }

  @Override
  public void all(StopSignal stop, NvmeCommand... commands) throws OffloadException {
    NvmeCommand first = commands[0];
    checkOpen();
    Association used = association();
    // A number that is read too early only makes the command come again.
    if (first.epoch() != 0 && first.epoch() != epoch) {
      throw new OffloadException(
          OffloadWire.Status.BUSY, "storage node " + name + " was connected to anew meanwhile");
    }
    CommandQueue queue = used.queues().acquire(first.timeoutMillis());
    try {
      Deadline deadline =
          new Deadline(
              first.timeoutMillis(),
              stop,
              () -> used.abort(used.queues().numberOf(queue), queue.longUnderWay()));
      int most = used.mostTogether();
      for (int from = 0; from < commands.length; from += most) {
        int to = Math.min(from + most, commands.length);
        queue.run(deadline, Arrays.copyOfRange(commands, from, to));
      }
      if (deadline.isStopped()) {
        throw new OffloadException(OffloadWire.Status.ABORTED, "the caller stopped the plan");
      }
    } catch (OffloadException e) {
      checkOpen(); // else closing it was the cause
      if (queue.isBroken() && e.status() != OffloadWire.Status.TIMED_OUT) {
        used.suspect();
      }
      throw e;
    } finally {
      used.queues().release(queue);
    }
  }

  @Override
  public void lock() throws OffloadException {
    association();
    connecting.lock();
    try {
      checkOpen();
      if (lock == null) {
        lock = HostLock.take(namespace, name);
      }
    } finally {
      connecting.unlock();
    }
  }

  @Override
  public void close() {
    closed = true;
    ended.countDown();
    Association present = association;
    if (present != null) {
      present.close();
    }
    connecting.lock();
    try {
      if (association != null) {
        association.close();
      }
      if (lock != null) {
        lock.close();
        lock = null;
      }
    } finally {
      connecting.unlock();
    }
  }
}
