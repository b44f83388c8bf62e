/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.luceneoffload.nvme.Access;
import org.luceneoffload.nvme.NvmeStatus;
import org.luceneoffload.nvme.port.NvmeCommand;
import org.luceneoffload.nvme.tcp.auth.HostKeys;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * A host with a controller of its own on a node: an admin queue, I/O queues. It ends with its admin
 * connection; sessions and resources end with it.
 */
final class Association implements Closeable {
  /** After which the controller ends if it hears nothing, and how often it hears something. */
  static final int KEEP_ALIVE_MILLIS = 30_000;

  private static final String DISCOVERY = "nqn.2014-08.org.nvmexpress.discovery";
  private static final int FABRICS = 0x7F;
  private static final int PROPERTY_SET = 0x00;
  private static final int CONNECT = 0x01;
  private static final int PROPERTY_GET = 0x04;
  private static final int CONNECT_BYTES = 1024;
  private static final int CAP = 0x00;
  private static final int CC = 0x14;
  private static final int CSTS = 0x1C;
  private static final int CC_ENABLED = 0x460001; // entries of 64 and 16 bytes
  private static final int CC_ALL_COMMAND_SETS = 6 << 4;
  private static final int CAP_SEVERAL_COMMAND_SETS = 1 << 43 - 32; // in the high dword
  private static final int CSTS_READY = 1;
  private static final int CSTS_FATAL = 2;
  private static final int GET_LOG_PAGE = 0x02;
  private static final int IDENTIFY = 0x06;
  private static final int ABORT = 0x08;
  private static final int SET_FEATURES = 0x09;
  private static final int KEEP_ALIVE = 0x18;
  private static final int QUEUE_COUNT = 0x07;
  private static final int DISCOVERY_LOG = 0x70;
  private static final int ANY_CONTROLLER = 0xFFFF;

  /** For an Abort, and for its turn: whoever waits for the command does not wait much longer. */
  private static final int ABORT_MILLIS = 1_000;

  private static final int ADMIN_DEPTH = 32;
  private static final int IO_DEPTH = 64; // at most
  private static final int ADMIN_IN_CAPSULE = 8192;
  private static final int ENTRY_BYTES = 64; // of a command, which counts with its data
  private static final int PAGE = 4096;

  /**
   * Who this host is to its nodes.
   *
   * @param keys that it authenticates with; null: none
   * @param tlsKeys those of TLS; null: no TLS
   */
  record Host(String name, UUID id, HostKeys keys, HostKeys tlsKeys) {
    /**
     * Returns the host of the options: its name is random, unless they or the key files have one.
     *
     * @throws OffloadException if a key file is not right
     */
    static Host of(CsdOptions options) throws OffloadException {
      UUID id = UUID.randomUUID();
      String name = options.hostName();
      HostKeys keys = null;
      HostKeys tlsKeys = null;
      if (!options.keyFile().isEmpty()) {
        keys = HostKeys.forChap(Path.of(options.keyFile()), name);
        name = keys.host();
      }
      if (!options.tlsKeyFile().isEmpty()) {
        tlsKeys = HostKeys.forTls(Path.of(options.tlsKeyFile()), name);
        name = tlsKeys.host();
      }
      if (name.isEmpty()) {
        name = "nqn.2014-08.org.nvmexpress:uuid:" + id;
      }
      return new Host(name, id, keys, tlsKeys);
    }
  }

  private final CsdOptions options;
  private final InetSocketAddress address;
  private final String subsystem;
  private final Host host;
  private final CommandQueue admin;
  private final ReentrantLock adminLock = new ReentrantLock();
  private final int timeoutMillis;
  private int controllerId;
  private int ioDepth;
  private int inCapsule;
  private int namespaceId;
  private String namespace; // its identity
  private QueuePool queues;
  private volatile boolean closed;

  /**
   * Opens an association.
   *
   * @param timeoutMillis for each of its steps
   */
  private Association(
      CsdOptions options, InetSocketAddress address, String subsystem, Host host, int timeoutMillis)
      throws IOException {
    this.options = options;
    this.address = address;
    this.subsystem = subsystem;
    this.host = host;
    this.timeoutMillis = timeoutMillis;
    this.admin =
        new CommandQueue(
            "csd:" + options.node(),
            address,
            options,
            security(),
            ADMIN_IN_CAPSULE,
            Deadline.of(timeoutMillis));
  }

  /**
   * Connects to a controller of a subsystem.
   *
   * @param subsystem its name
   */
  static Association open(CsdOptions options, String subsystem, Host host, int timeoutMillis)
      throws OffloadException {
    return connected(
        options,
        subsystem,
        host,
        timeoutMillis,
        association -> {
          association.enable(KEEP_ALIVE_MILLIS);
          association.identify();
          association.openQueues();
          return association;
        });
  }

  /** Asks a node for its only subsystem. */
  static String discover(CsdOptions options, Host host, int timeoutMillis) throws OffloadException {
    return connected(
        options,
        DISCOVERY,
        host,
        timeoutMillis,
        association -> {
          try (association) {
            association.enable(0);
            return association.onlySubsystem();
          }
        });
  }

  /** Makes something of a connection. */
  @FunctionalInterface
  private interface Step<T> {
    T of(Association association) throws OffloadException;
  }

  private static <T> T connected(
      CsdOptions options, String subsystem, Host host, int timeoutMillis, Step<T> step)
      throws OffloadException {
    Association association = null;
    boolean success = false;
    try {
      association = new Association(options, options.address(), subsystem, host, timeoutMillis);
      T result = step.of(association);
      success = true;
      return result;
    } catch (OffloadException e) {
      throw e;
    } catch (IOException e) {
      throw new OffloadException(
          OffloadWire.Status.IO_ERROR,
          "storage node " + options.node() + " cannot be reached: " + e.getMessage(),
          e);
    } finally {
      if (!success && association != null) {
        association.close();
      }
    }
  }

  private void enable(int keepAliveMillis) throws OffloadException {
    NvmeCommand connect = connecting(0, ANY_CONTROLLER, ADMIN_DEPTH).dword(12, keepAliveMillis);
    check("connecting to " + subsystem, admin(connect));
    authentication().run(connect.dword0(), this::admin);
    controllerId = connect.dword0() & 0xFFFF;
    NvmeCommand capabilities = fabrics(PROPERTY_GET).dword(10, 1).dword(11, CAP);
    check("reading the controller's capabilities", admin(capabilities));
    ioDepth = Math.min(IO_DEPTH, (capabilities.dword0() & 0xFFFF) + 1); // MQES
    boolean several =
        options.access().commands() != Access.Commands.VENDOR
            && ((int) (capabilities.result() >>> 32) & CAP_SEVERAL_COMMAND_SETS) != 0;
    NvmeCommand enabling =
        fabrics(PROPERTY_SET)
            .dword(11, CC)
            .dword(12, several ? CC_ENABLED | CC_ALL_COMMAND_SETS : CC_ENABLED);
    check("enabling the controller", admin(enabling));
    // By the clock: what a command waits for its answer is no standstill of this process.
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    while (true) {
      NvmeCommand state = fabrics(PROPERTY_GET).dword(11, CSTS);
      check("reading the controller's state", admin(state));
      if ((state.dword0() & CSTS_FATAL) != 0) {
        throw new OffloadException(
            OffloadWire.Status.IO_ERROR, "the controller of " + options.node() + " does not start");
      }
      if ((state.dword0() & CSTS_READY) != 0) {
        return;
      }
      if (System.nanoTime() - end >= 0) {
        throw new OffloadException(
            OffloadWire.Status.TIMED_OUT,
            "the controller of " + options.node() + " is not ready after " + timeoutMillis + " ms");
      }
      Thread.onSpinWait();
    }
  }

  /** Returns the security between the socket and the PDUs; null: none. */
  private PduStream.Security security() throws OffloadException {
    return host.tlsKeys() == null
        ? null
        : TlsSecurity.of(options.node(), host.tlsKeys(), subsystem);
  }

  private Authentication authentication() {
    return new Authentication(
        options.node(), host.keys(), options.leastGroup(), subsystem, timeoutMillis);
  }

  private NvmeCommand fabrics(int type) {
    return new NvmeCommand(FABRICS, type, timeoutMillis);
  }

  private NvmeCommand connecting(int number, int controller, int depth) {
    ByteBuffer data = PduStream.buffer(CONNECT_BYTES);
    ByteBuffer id = ByteBuffer.allocate(16);
    id.putLong(host.id().getMostSignificantBits()).putLong(host.id().getLeastSignificantBits());
    data.put(0, id.array());
    data.putShort(16, (short) controller);
    data.put(256, subsystem.getBytes(StandardCharsets.UTF_8));
    data.put(512, host.name().getBytes(StandardCharsets.UTF_8));
    return fabrics(CONNECT)
        .dword(10, number << 16)
        .dword(11, depth - 1)
        .data(data, 0, CONNECT_BYTES);
  }

  private void check(String what, int status) throws OffloadException {
    if (status != 0) {
      throw NvmeStatus.failure(what + " on csd:" + options.node(), status);
    }
  }

  private void identify() throws OffloadException {
    ByteBuffer page = PduStream.buffer(PAGE);
    identify("the controller", 1, 0, page);
    long capsule = page.getInt(1792) * 16L - ENTRY_BYTES;
    inCapsule = Math.clamp(capsule, 0, CommandQueue.MAX_IN_CAPSULE);
    identify("the namespaces", 2, 0, page);
    namespaceId = page.getInt(0);
    if (namespaceId == 0) {
      throw new OffloadException(
          OffloadWire.Status.IO_ERROR, "storage node " + options.node() + " has no namespace");
    }
    identify("the namespace", 0, namespaceId, page);
    byte[] guid = new byte[16];
    page.get(104, guid);
    namespace = HexFormat.of().formatHex(guid);
  }

  private void identify(String what, int kind, int nsid, ByteBuffer page) throws OffloadException {
    NvmeCommand command = new NvmeCommand(IDENTIFY, nsid, timeoutMillis);
    check("identifying " + what, admin(command.dword(10, kind).data(page, 0, PAGE)));
  }

  private void openQueues() throws OffloadException {
    int wanted = options.connections() - 1;
    NvmeCommand count =
        new NvmeCommand(SET_FEATURES, 0, timeoutMillis)
            .dword(10, QUEUE_COUNT)
            .dword(11, wanted << 16 | wanted);
    check("asking for I/O queues", admin(count));
    int granted = Math.min(count.dword0() & 0xFFFF, count.dword0() >>> 16) + 1;
    queues = new QueuePool(Math.min(granted, options.connections()), this::connectQueue);
  }

  private CommandQueue connectQueue(int number) throws OffloadException {
    CommandQueue queue = null;
    boolean success = false;
    try {
      Deadline deadline = Deadline.of(timeoutMillis);
      queue =
          new CommandQueue(
              "csd:" + options.node(), address, options, security(), inCapsule, deadline);
      NvmeCommand connect = connecting(number, controllerId, ioDepth);
      check("connecting I/O queue " + number, queue.run(connect));
      authentication().run(connect.dword0(), queue::run);
      success = true;
      return queue;
    } catch (OffloadException e) {
      throw e;
    } catch (IOException e) {
      throw new OffloadException(
          OffloadWire.Status.IO_ERROR,
          "storage node " + options.node() + " cannot be reached: " + e.getMessage(),
          e);
    } finally {
      if (!success) {
        if (queue != null) {
          queue.close();
        }
        suspect();
      }
    }
  }

  /** Returns the I/O queues. */
  QueuePool queues() {
    return queues;
  }

  /** Returns the namespace. */
  int namespaceId() {
    return namespaceId;
  }

  /** Returns the identity of the namespace, in hexadecimal. */
  String namespace() {
    return namespace;
  }

  /** Runs an admin command. */
  int admin(NvmeCommand command) throws OffloadException {
    adminLock.lock();
    try {
      return admin.run(command);
    } finally {
      adminLock.unlock();
      if (admin.isBroken()) {
        close();
      }
    }
  }

  /** Returns how many commands may be under way in an I/O queue, which is never full. */
  int mostTogether() {
    return ioDepth - 1;
  }

  /** Asks the controller to end commands soon; it is no matter whether it does. */
  void abort(int queue, int[] commandIds) {
    boolean mine = false;
    try {
      mine = adminLock.tryLock(ABORT_MILLIS, TimeUnit.MILLISECONDS);
      for (int i = 0; mine && i < commandIds.length; i++) {
        admin(new NvmeCommand(ABORT, 0, ABORT_MILLIS).dword(10, commandIds[i] << 16 | queue));
      }
    } catch (OffloadException e) {
      // Who waits for the commands gives them up.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (mine) {
        adminLock.unlock();
      }
    }
  }

  /** Finds out whether the controller is there; if it is not, this is closed. */
  void suspect() {
    try {
      if (!closed && admin(new NvmeCommand(KEEP_ALIVE, 0, timeoutMillis)) != 0) {
        close();
      }
    } catch (OffloadException e) {
      close();
    }
  }

  /** Returns whether it has ended. */
  boolean isClosed() {
    return closed;
  }

  private String onlySubsystem() throws OffloadException {
    ByteBuffer page = PduStream.buffer(PAGE);
    int dwords = PAGE / Integer.BYTES - 1;
    NvmeCommand command =
        new NvmeCommand(GET_LOG_PAGE, 0, timeoutMillis)
            .dword(10, DISCOVERY_LOG | dwords << 16)
            .data(page, 0, PAGE);
    check("discovering subsystems", admin(command));
    long records = page.getLong(8);
    if (records != 1) {
      throw new OffloadException(
          OffloadWire.Status.IO_ERROR,
          String.format(
              Locale.ROOT,
              "storage node %s has %d subsystems; nqn= says which",
              options.node(),
              records));
    }
    byte[] name = new byte[223];
    page.get(1024 + 256, name);
    int end = 0;
    while (end < name.length && name[end] > ' ' && name[end] != ',') {
      end++;
    }
    return new String(name, 0, end, StandardCharsets.US_ASCII);
  }

  @Override
  public void close() {
    closed = true;
    admin.close();
    if (queues != null) {
      queues.close();
    }
  }
}
