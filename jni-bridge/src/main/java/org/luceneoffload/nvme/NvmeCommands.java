/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.TrimRangeLayout;

/**
 * The commands of a namespace and its controller, each with its dwords in their places. All give
 * dword 0 of the completion, or throw. Safe for several threads.
 */
final class NvmeCommands {
  private static final int ADMIN_GET_LOG_PAGE = 0x02;
  private static final int ADMIN_IDENTIFY = 0x06;
  private static final int CNS_NAMESPACE = 0x00;
  private static final int CNS_CONTROLLER = 0x01;
  private static final int ALL_NAMESPACES = -1;
  private static final int TRIM_DEALLOCATE = 1 << 2;

  private final CommandPort port;
  private final int nsid;
  private final Opcodes opcodes;
  private final int timeoutMillis;

  NvmeCommands(CommandPort port, int nsid, Opcodes opcodes, int timeoutMillis) {
    this.port = port;
    this.nsid = nsid;
    this.opcodes = opcodes;
    this.timeoutMillis = timeoutMillis;
  }

  /** Milliseconds after which the driver gives a command up. */
  int timeoutMillis() {
    return timeoutMillis;
  }

  CommandPort port() {
    return port;
  }

  /** Identify Controller. */
  IdentifyController identifyController() throws OffloadException {
    AlignedBuffer data = AlignedBuffer.allocate(IdentifyController.BYTES);
    PassthruCommand command = begin(ADMIN_IDENTIFY, 0).dword(10, CNS_CONTROLLER);
    admin("identifying the controller", command, data);
    return IdentifyController.of(data.bytes());
  }

  /** Identify Namespace. */
  IdentifyNamespace identifyNamespace() throws OffloadException {
    AlignedBuffer data = AlignedBuffer.allocate(IdentifyNamespace.BYTES);
    PassthruCommand command = begin(ADMIN_IDENTIFY, nsid).dword(10, CNS_NAMESPACE);
    admin("identifying namespace " + nsid, command, data);
    return IdentifyNamespace.of(data.bytes());
  }

  /** The effects log page. */
  EffectsLog effectsLog() throws OffloadException {
    AlignedBuffer data = AlignedBuffer.allocate(EffectsLog.BYTES);
    int dwords = EffectsLog.BYTES / Integer.BYTES - 1;
    PassthruCommand command =
        begin(ADMIN_GET_LOG_PAGE, ALL_NAMESPACES).dword(10, EffectsLog.LOG_ID | dwords << 16);
    admin("reading the effects log", command, data);
    return new EffectsLog(data.bytes());
  }

  /** Reads or writes whole LBAs. */
  void transfer(int opcode, long lba, ByteBuffer buffer, long address, int bytes)
      throws OffloadException {
    PassthruCommand command =
        begin(opcode, nsid)
            .longDword(10, lba)
            .dword(12, bytes / OffloadWire.LBA_BYTES - 1)
            .data(address, bytes);
    String what = opcode == OffloadWire.Opcode.READ ? "reading" : "writing";
    io(what + " at LBA " + lba, command, buffer);
  }

  /** Makes earlier writes durable. */
  void flush() throws OffloadException {
    io("flushing", begin(OffloadWire.Opcode.FLUSH, nsid), null);
  }

  /** Gives LBAs back. */
  void trim(long lba, int count) throws OffloadException {
    AlignedBuffer range = AlignedBuffer.allocate(TrimRangeLayout.BYTES);
    TrimRangeLayout.lbaCount(range.bytes(), 0, count);
    TrimRangeLayout.lba(range.bytes(), 0, lba);
    PassthruCommand command =
        begin(OffloadWire.Opcode.TRIM, nsid)
            .dword(11, TRIM_DEALLOCATE)
            .data(range.address(), TrimRangeLayout.BYTES);
    io("trimming at LBA " + lba, command, range.bytes());
  }

  /** Opens a session; returns its number. */
  int open(int grantBytes) throws OffloadException {
    return io("opening a session", begin(OffloadWire.Opcode.OPEN).dword(10, grantBytes), null);
  }

  /** Closes a session. */
  void close(int session) throws OffloadException {
    io("closing a session", begin(OffloadWire.Opcode.CLOSE).dword(10, session), null);
  }

  /** Runs a plan; returns the bytes of its result page. */
  int submit(int session, AlignedBuffer plan, int planBytes) throws OffloadException {
    PassthruCommand command =
        begin(OffloadWire.Opcode.SUBMIT)
            .dword(10, session)
            .dword(11, planBytes)
            .data(plan.address(), wholeDwords(planBytes));
    return io("running a plan", command, plan.bytes());
  }

  /** Fetches a part of a result page, or for session 0 of the capabilities; returns its bytes. */
  int fetch(int session, int from, AlignedBuffer into, int bytes) throws OffloadException {
    PassthruCommand command =
        begin(OffloadWire.Opcode.FETCH)
            .dword(10, session)
            .dword(11, from)
            .dword(12, bytes)
            .data(into.address() + from, wholeDwords(bytes));
    String what = session == 0 ? "asking for the capabilities" : "fetching a result page";
    int got = io(what, command, into.bytes());
    if (got < 0 || got > bytes) {
      throw new OffloadException(
          OffloadWire.Status.INTERNAL,
          what + ": " + (got & 0xFFFFFFFFL) + " bytes said to be returned of " + bytes);
    }
    return got;
  }

  /** Puts a part of a resource into device memory; returns the resource. */
  int put(int kind, int resource, int from, int bytes, int wholeBytes, AlignedBuffer data)
      throws OffloadException {
    PassthruCommand command =
        begin(OffloadWire.Opcode.PUT)
            .dword(10, kind)
            .dword(11, bytes)
            .dword(12, resource)
            .dword(13, from)
            .dword(14, wholeBytes)
            .data(data.address(), bytes);
    return io("sending live docs", command, data.bytes());
  }

  /** Frees a resource. */
  void drop(int resource) throws OffloadException {
    io("dropping resource " + resource, begin(OffloadWire.Opcode.DROP).dword(10, resource), null);
  }

  /** PCIe wants whole dwords; the commands say themselves how many bytes count. */
  private static int wholeDwords(int bytes) {
    return bytes + 3 & ~3;
  }

  private PassthruCommand begin(int wireOpcode) {
    return begin(opcodes.of(wireOpcode), nsid);
  }

  private PassthruCommand begin(int opcode, int namespace) {
    return new PassthruCommand().begin(opcode, namespace, timeoutMillis);
  }

  private int io(String what, PassthruCommand command, ByteBuffer keep) throws OffloadException {
    return run(what, command, keep, port::io);
  }

  private void admin(String what, PassthruCommand command, AlignedBuffer data)
      throws OffloadException {
    int bytes = IdentifyController.BYTES; // all admin data here are a page
    run(what, command.data(data.address(), bytes), data.bytes(), port::admin);
  }

  /** One of the port's two ways. */
  @FunctionalInterface
  private interface Way {
    int send(PassthruCommand command) throws OffloadException;
  }

  private int run(String what, PassthruCommand command, ByteBuffer keep, Way way)
      throws OffloadException {
    int status;
    try {
      status = way.send(command);
    } finally {
      // The driver has had the address only: the memory must outlive the call.
      Reference.reachabilityFence(keep);
    }
    if (status == 0) {
      return command.dword0();
    }
    throw NvmeStatus.failure(what + " on " + port.name(), status);
  }
}
