/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.nio.ByteBuffer;
import java.util.Locale;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.nvme.port.CommandPort;
import org.luceneoffload.nvme.port.NvmeCommand;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.LeaseStateLayout;
import org.luceneoffload.wire.layout.TrimRangeLayout;

/**
 * The commands of a namespace and its controller, each with its dwords in their places: those of
 * NVMe, and for sessions and resources the vendor's. All give dword 0 of the completion, or throw.
 * Safe for several threads.
 */
class NvmeCommands {
  private static final int ADMIN_GET_LOG_PAGE = 0x02;
  private static final int ADMIN_IDENTIFY = 0x06;
  private static final int CNS_NAMESPACE = 0x00;
  private static final int CNS_CONTROLLER = 0x01;
  private static final int ALL_NAMESPACES = -1;
  private static final int TRIM_DEALLOCATE = 1 << 2;
  private static final int MAX_OPCODE = 0xFF;

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

  /**
   * Checks that the device lists the commands for sessions and resources.
   *
   * @param force whether to believe that it takes them without being told
   */
  void checkListed(IdentifyController controller, boolean force) throws OffloadException {
    String why = null;
    if (force) {
      return;
    }
    if (!controller.effectsLog()) {
      why = "it has no effects log that says so";
    } else {
      EffectsLog effects = effectsLog();
      for (int opcode : opcodes.needed()) {
        if (!effects.supportsIo(opcode)) {
          why = String.format(Locale.ROOT, "its effects log does not list opcode %02Xh", opcode);
          break;
        }
      }
    }
    if (why != null) {
      throw new OffloadException(
          OffloadWire.Status.INVALID_OPCODE,
          "no computational storage for posting lists: " + why + " (force=true asks all the same)");
    }
  }

  /** Returns whether a device that knows tasks can be told of them by these commands. */
  boolean haveTasks() {
    return true;
  }

  /** Returns how many bytes of a result page it is wise to ask for before its length is known. */
  int firstFetchBytes(int maxBytes) {
    return maxBytes;
  }

  /** Runs commands of a session as {@link CommandPort#all} does. */
  void all(int session, StopSignal stop, NvmeCommand... flight) throws OffloadException {
    port.all(stop, flight);
  }

  /** Returns the milliseconds after which a command is given up. */
  int timeoutMillis() {
    return timeoutMillis;
  }

  CommandPort port() {
    return port;
  }

  /** Executes Identify Controller. */
  IdentifyController identifyController() throws OffloadException {
    ByteBuffer data = AlignedMemory.allocate(IdentifyController.BYTES);
    NvmeCommand command = begin(ADMIN_IDENTIFY, 0).dword(10, CNS_CONTROLLER);
    admin("identifying the controller", command, data);
    return IdentifyController.of(data);
  }

  /** Executes Identify Namespace. */
  IdentifyNamespace identifyNamespace() throws OffloadException {
    ByteBuffer data = AlignedMemory.allocate(IdentifyNamespace.BYTES);
    NvmeCommand command = begin(ADMIN_IDENTIFY, nsid).dword(10, CNS_NAMESPACE);
    admin("identifying namespace " + nsid, command, data);
    return IdentifyNamespace.of(data);
  }

  /** Reads the effects log page. */
  EffectsLog effectsLog() throws OffloadException {
    ByteBuffer data = AlignedMemory.allocate(EffectsLog.BYTES);
    int dwords = EffectsLog.BYTES / Integer.BYTES - 1;
    NvmeCommand command =
        begin(ADMIN_GET_LOG_PAGE, ALL_NAMESPACES).dword(10, EffectsLog.LOG_ID | dwords << 16);
    admin("reading the effects log", command, data);
    return new EffectsLog(data);
  }

  /**
   * Reads or writes whole LBAs.
   *
   * @param epoch the connection for it, see {@link CommandPort#epoch}; 0: any
   */
  void transfer(int opcode, long lba, ByteBuffer buffer, int from, int bytes, long epoch)
      throws OffloadException {
    NvmeCommand command =
        begin(opcode, nsid)
            .onlyOver(epoch)
            .longDword(10, lba)
            .dword(12, bytes / OffloadWire.LBA_BYTES - 1)
            .data(buffer, from, bytes);
    String what = opcode == OffloadWire.Opcode.READ ? "reading" : "writing";
    io(what + " at LBA " + lba, command);
  }

  /** Makes earlier writes durable. */
  void flush(long epoch) throws OffloadException {
    io("flushing", begin(OffloadWire.Opcode.FLUSH, nsid).onlyOver(epoch));
  }

  /** Gives LBAs back. */
  void trim(long lba, int count, long epoch) throws OffloadException {
    ByteBuffer range = AlignedMemory.allocate(TrimRangeLayout.BYTES);
    TrimRangeLayout.lbaCount(range, 0, count);
    TrimRangeLayout.lba(range, 0, lba);
    NvmeCommand command =
        begin(OffloadWire.Opcode.TRIM, nsid)
            .onlyOver(epoch)
            .dword(11, TRIM_DEALLOCATE)
            .data(range, 0, TrimRangeLayout.BYTES);
    io("trimming at LBA " + lba, command);
  }

  /** Opens a session; returns its number. */
  int open(int grantBytes) throws OffloadException {
    return io("opening a session", begin(OffloadWire.Opcode.OPEN).dword(10, grantBytes));
  }

  /** Closes a session. */
  void close(int session) throws OffloadException {
    io("closing a session", begin(OffloadWire.Opcode.CLOSE).dword(10, session));
  }

  /** Runs a plan; returns the bytes of its result page. */
  int submit(int session, ByteBuffer plan, int planBytes) throws OffloadException {
    return io("running a plan", submission(session, plan, 0, planBytes));
  }

  /** Begins a task: a plan that is run window by window. */
  void initTask(int session, ByteBuffer plan, int planBytes, int mode, int waiting)
      throws OffloadException {
    io(
        "beginning a task",
        begin(OffloadWire.Opcode.INIT_TSK)
            .dword(10, session)
            .dword(11, planBytes)
            .dword(12, mode)
            .dword(13, waiting)
            .data(plan, 0, wholeDwords(planBytes)));
  }

  /** Offers a window of a task; returns a {@link OffloadWire.TaskAnswer}. */
  int readWindow(int session, int minDoc, int limitDoc, int floorBits) throws OffloadException {
    return io(
        "offering a window",
        begin(OffloadWire.Opcode.READ_PROC)
            .dword(10, session)
            .dword(11, minDoc)
            .dword(12, limitDoc)
            .dword(13, floorBits));
  }

  /** Runs a window of a task and waits for it; returns the bytes of its result page. */
  int filterWindow(int session, int minDoc, int limitDoc) throws OffloadException {
    return io(
        "filtering a window",
        begin(OffloadWire.Opcode.READ_FILT)
            .dword(10, session)
            .dword(11, minDoc)
            .dword(12, limitDoc));
  }

  /** Ends a task; returns the bytes of its result page. */
  int endTask(int session, int flags) throws OffloadException {
    return io("ending a task", ending(session, flags));
  }

  private NvmeCommand ending(int session, int flags) {
    return begin(OffloadWire.Opcode.FINAL).dword(10, session).dword(11, flags);
  }

  /** Ends a task and fetches the first part of its result page: as {@link #submitAndFetch}. */
  int endTaskAndFetch(int session, int flags, ByteBuffer into, int bytes, StopSignal stop)
      throws OffloadException {
    return runAndFetch("ending a task", ending(session, flags), session, into, bytes, stop);
  }

  /** Fetches a part of a result page, or for session 0 of the capabilities; returns its bytes. */
  int fetch(int session, int from, ByteBuffer into, int bytes) throws OffloadException {
    String what = session == 0 ? "asking for the capabilities" : "fetching a result page";
    NvmeCommand command = fetching(session, from, into, from, bytes);
    io(what, command);
    return fetched(what, command);
  }

  /**
   * Runs a plan and fetches the first part of its result page in one flight.
   *
   * @param into the result page goes there
   * @param bytes of it at most
   * @return bytes of the result page
   */
  int submitAndFetch(
      int session, ByteBuffer plan, int planBytes, ByteBuffer into, int bytes, StopSignal stop)
      throws OffloadException {
    NvmeCommand submit = submission(session, plan, 0, planBytes);
    return runAndFetch("running a plan", submit, session, into, bytes, stop);
  }

  private int runAndFetch(
      String what, NvmeCommand first, int session, ByteBuffer into, int bytes, StopSignal stop)
      throws OffloadException {
    NvmeCommand fetch = fetching(session, 0, into, 0, bytes);
    all(session, stop, first, fetch);
    return resultBytes(what, first, fetch);
  }

  /**
   * Returns the bytes of a result page, of which the first part has been fetched.
   *
   * @param what the first command was for
   * @throws OffloadException if one of the two commands failed
   */
  int resultBytes(String what, NvmeCommand first, NvmeCommand fetch) throws OffloadException {
    check(what, first.status());
    String fetching = "fetching a result page";
    check(fetching, fetch.status());
    int whole = first.dword0();
    int got = fetched(fetching, fetch);
    int bytes = fetch.dword(12);
    if (whole < 0 || got != Math.min(whole, bytes)) {
      throw new OffloadException(
          OffloadWire.Status.INTERNAL,
          String.format(
              Locale.ROOT,
              "a result page of %d bytes is said to begin with %d of %d",
              whole & 0xFFFFFFFFL,
              got,
              bytes));
    }
    return whole;
  }

  /**
   * Makes a SUBMIT.
   *
   * @param at where the plan begins in its buffer
   */
  NvmeCommand submission(int session, ByteBuffer plan, int at, int planBytes) {
    return begin(OffloadWire.Opcode.SUBMIT)
        .dword(10, session)
        .dword(11, planBytes)
        .data(plan, at, wholeDwords(planBytes));
  }

  /**
   * Makes a FETCH.
   *
   * @param from first byte of the page
   * @param at where it goes in the buffer
   */
  NvmeCommand fetching(int session, int from, ByteBuffer into, int at, int bytes) {
    return begin(OffloadWire.Opcode.FETCH)
        .dword(10, session)
        .dword(11, from)
        .dword(12, bytes)
        .data(into, at, wholeDwords(bytes));
  }

  private static int fetched(String what, NvmeCommand command) throws OffloadException {
    int got = command.dword0();
    int bytes = command.dword(12);
    if (got < 0 || got > bytes) {
      throw new OffloadException(
          OffloadWire.Status.INTERNAL,
          what + ": " + (got & 0xFFFFFFFFL) + " bytes said to be returned of " + bytes);
    }
    return got;
  }

  /** Puts a part of a resource into device memory; returns the resource. */
  int put(int kind, int resource, int from, int bytes, int wholeBytes, ByteBuffer data)
      throws OffloadException {
    NvmeCommand command =
        begin(OffloadWire.Opcode.PUT)
            .dword(10, kind)
            .dword(11, bytes)
            .dword(12, resource)
            .dword(13, from)
            .dword(14, wholeBytes)
            .data(data, 0, bytes);
    return io("sending live docs", command);
  }

  /** Frees a resource. */
  void drop(int resource) throws OffloadException {
    io("dropping resource " + resource, begin(OffloadWire.Opcode.DROP).dword(10, resource));
  }

  /** Returns whether the controller lists LEASE. */
  boolean hasLeases() throws OffloadException {
    int opcode = opcodes.of(OffloadWire.Opcode.LEASE);
    return opcode <= MAX_OPCODE
        && identifyController().effectsLog()
        && effectsLog().supportsIo(opcode);
  }

  /**
   * Takes, gives up or asks for leases.
   *
   * @param number the sequence of a reader's lease, the scope of a writer's, or 0
   * @return a lease_state
   */
  ByteBuffer lease(int action, int seconds, long key, long number) throws OffloadException {
    return lease(action, seconds, key, number, 0);
  }

  /** Sends a lease command over one connection only. */
  ByteBuffer lease(int action, int seconds, long key, long number, long epoch)
      throws OffloadException {
    ByteBuffer state = AlignedMemory.allocate(LeaseStateLayout.BYTES);
    NvmeCommand command =
        begin(OffloadWire.Opcode.LEASE)
            .onlyOver(epoch)
            .dword(10, action)
            .dword(11, seconds)
            .longDword(12, key)
            .longDword(14, number)
            .data(state, 0, LeaseStateLayout.BYTES);
    int bytes;
    try {
      bytes = io("asking for a lease", command);
    } catch (OffloadException e) {
      throw e.status() == OffloadWire.Status.NO_MEMORY ? noRoom(action, e) : e;
    }
    if (bytes != LeaseStateLayout.BYTES) {
      throw new OffloadException(
          OffloadWire.Status.INTERNAL,
          "a lease's state of " + command.dword0() + " bytes, not " + LeaseStateLayout.BYTES);
    }
    return state;
  }

  private OffloadException noRoom(int action, OffloadException cause) {
    String who =
        action == OffloadWire.LeaseAction.TAKE_READER
            ? "process that reads indexes on it: csd-target takes 256 at once, 224 of one host"
            : "writer: csd-target takes 1,024 indexes that are written to at once, 896 of one host,"
                + " 256 of one process";
    return new OffloadException(
        cause.status(), "device " + port.name() + " has no room for one more " + who, cause);
  }

  /**
   * Rounds up to whole dwords, which PCIe wants; the commands say themselves how many bytes count.
   */
  static int wholeDwords(int bytes) {
    return bytes + 3 & ~3;
  }

  private NvmeCommand begin(int wireOpcode) {
    return begin(opcodes.of(wireOpcode), nsid);
  }

  /** Makes a command of NVMe's own. */
  NvmeCommand begin(int opcode, int namespace) {
    return new NvmeCommand(opcode, namespace, timeoutMillis);
  }

  int io(String what, NvmeCommand command) throws OffloadException {
    check(what, port.io(command));
    return command.dword0();
  }

  /** Executes an admin command whose data are a page. */
  void admin(String what, NvmeCommand command, ByteBuffer data) throws OffloadException {
    int bytes = IdentifyController.BYTES;
    check(what, port.admin(command.data(data, 0, bytes)));
  }

  void check(String what, int status) throws OffloadException {
    if (status != 0) {
      throw NvmeStatus.failure(what + " on " + port.name(), status);
    }
  }
}
