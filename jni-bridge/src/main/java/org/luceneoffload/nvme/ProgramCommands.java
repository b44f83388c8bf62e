/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.nvme.port.CommandPort;
import org.luceneoffload.nvme.port.NvmeCommand;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/**
 * Sessions and resources by the standard's commands: a session is a memory range set in the memory
 * namespace, with a place of its own there; a plan is data of Execute Program, and its result page
 * is read from the beginning of the place. A plan that counts needs no page: its count is in the
 * completion. Sets are the controller's: those of a connection that was made anew are unknown to
 * it, and have numbers that others may have there.
 */
final class ProgramCommands extends NvmeCommands {
  private static final int IDENTIFY = 0x06;
  private static final int GET_LOG_PAGE = 0x02;
  private static final int ACTIVATION = 0x88;
  private static final int RANGE_SETS = 0x89;
  private static final int EXECUTE = 0x01;
  private static final int MEMORY_READ = 0x02;

  private static final int CNS_NAMESPACE_OF_SET = 0x05;
  private static final int CNS_NAMESPACES_OF_SET = 0x07;
  private static final int MEMORY_SET = 3;
  private static final int PROGRAM_SET = 4;
  private static final int PROGRAM_LIST = 0x82;

  private static final int PROGRAM_BYTES = 64;
  private static final int PROGRAM_ID_AT = 8;
  private static final long PLAN_PROGRAM = 0x314E414C5050444FL; // ODPPLAN1
  private static final long LIVE_DOCS_PROGRAM = 0x314556494C50444FL; // ODPLIVE1

  private static final int RANGE_BYTES = 32;
  private static final int SELECT_DELETE = 1;
  private static final int SELECT_ACTIVATE = 1 << 16;
  private static final int COUNT_ALONE = 1;
  private static final int CAPABILITIES = 2;
  private static final int FIRST_FETCH_BYTES = 4096;
  private static final int MIN_GRANT_BYTES = 128 << 10;

  /** A session: its set, its place in memory, and the connection over which it was made. */
  private record RangeSet(int id, int place, long epoch) {
    long start() {
      return (long) place * NvmeSession.GRANT_BYTES;
    }
  }

  private final Map<Integer, RangeSet> sets = new ConcurrentHashMap<>();
  private final AtomicInteger lastSession = new AtomicInteger();
  private final BitSet places = new BitSet(); // taken; guarded by itself

  // As checkListed() finds them.
  private int memoryNsid;
  private int computeNsid;
  private int planProgram;
  private int liveDocsProgram;
  private long memoryBytes;

  ProgramCommands(CommandPort port, int nsid, Access access) {
    super(port, nsid, access.opcodes(), access.timeoutMillis());
  }

  @Override
  void checkListed(IdentifyController controller, boolean force) throws OffloadException {
    memoryNsid = namespaceOf(MEMORY_SET, "memory");
    computeNsid = namespaceOf(PROGRAM_SET, "compute");
    ByteBuffer page = AlignedMemory.allocate(IdentifyController.BYTES);
    admin(
        "identifying the memory namespace",
        begin(IDENTIFY, memoryNsid).dword(10, CNS_NAMESPACE_OF_SET).dword(11, MEMORY_SET << 24),
        page);
    memoryBytes = page.getLong(0);
    int dwords = page.capacity() / Integer.BYTES - 1;
    admin(
        "reading the program list",
        begin(GET_LOG_PAGE, computeNsid)
            .dword(10, PROGRAM_LIST | dwords << 16)
            .dword(14, PROGRAM_SET << 24),
        page);
    planProgram = program(page, PLAN_PROGRAM, "that runs plans");
    liveDocsProgram = program(page, LIVE_DOCS_PROGRAM, "that takes live docs");
  }

  private int namespaceOf(int set, String what) throws OffloadException {
    ByteBuffer page = AlignedMemory.allocate(IdentifyController.BYTES);
    NvmeCommand command =
        begin(IDENTIFY, 0)
            .dword(10, CNS_NAMESPACES_OF_SET)
            .dword(11, set << 24)
            .data(page, 0, page.capacity());
    int nsid = port().admin(command) == 0 ? page.getInt(0) : 0;
    if (nsid == 0) {
      throw missing("no " + what + " namespace, of command set " + set);
    }
    return nsid;
  }

  private static int program(ByteBuffer page, long id, String what) throws OffloadException {
    int count = Math.min(page.getShort(0) & 0xFFFF, page.capacity() / PROGRAM_BYTES - 1);
    for (int i = 0; i < count; i++) {
      if (page.getLong((i + 1) * PROGRAM_BYTES + PROGRAM_ID_AT) == id) {
        return i;
      }
    }
    throw missing("no program " + what);
  }

  private static OffloadException missing(String what) {
    return new OffloadException(
        OffloadWire.Status.INVALID_OPCODE,
        "no programs for posting lists: it has "
            + what
            + " (csd-target shows both with"
            + " --programs; commands=vendor does without)");
  }

  @Override
  boolean haveTasks() {
    return false;
  }

  /** Returns little: a read of memory returns all that is asked for, whatever the page has. */
  @Override
  int firstFetchBytes(int maxBytes) {
    return Math.min(maxBytes, FIRST_FETCH_BYTES);
  }

  @Override
  int open(int grantBytes) throws OffloadException {
    long epoch = port().epoch();
    int place = takePlace();
    boolean success = false;
    try {
      activate(planProgram);
      activate(liveDocsProgram);
      ByteBuffer range = AlignedMemory.allocate(RANGE_BYTES);
      RangeSet wanted = new RangeSet(0, place, epoch);
      range.putInt(0, memoryNsid).putInt(4, grantBytes).putLong(8, wanted.start());
      NvmeCommand create = begin(RANGE_SETS, computeNsid).dword(11, 1).data(range, 0, RANGE_BYTES);
      check("opening a session", port().admin(create));
      if (port().epoch() != epoch) {
        throw new OffloadException(
            OffloadWire.Status.BUSY, port().name() + " was connected to anew meanwhile");
      }
      int session = lastSession.incrementAndGet();
      sets.put(session, new RangeSet(create.dword0(), place, epoch));
      success = true;
      return session;
    } finally {
      if (!success) {
        freePlace(place);
      }
    }
  }

  private void activate(int program) throws OffloadException {
    NvmeCommand command = begin(ACTIVATION, computeNsid).dword(10, program | SELECT_ACTIVATE);
    check("activating program " + program, port().admin(command));
  }

  private int takePlace() throws OffloadException {
    synchronized (places) {
      int place = places.nextClearBit(0);
      if ((place + 1L) * NvmeSession.GRANT_BYTES > memoryBytes) {
        throw new OffloadException(
            OffloadWire.Status.TOO_MANY_SESSIONS,
            "the memory namespace of " + port().name() + " has no room for one more session");
      }
      places.set(place);
      return place;
    }
  }

  private void freePlace(int place) {
    synchronized (places) {
      places.clear(place);
    }
  }

  @Override
  void close(int session) throws OffloadException {
    RangeSet set = sets.get(session);
    if (set == null) {
      return;
    }
    if (set.epoch() == port().epoch()) {
      NvmeCommand delete = begin(RANGE_SETS, computeNsid).dword(10, set.id() << 16 | SELECT_DELETE);
      try {
        check("closing a session", port().admin(delete));
      } catch (OffloadException e) {
        if (e.status() != OffloadWire.Status.NO_SESSION) {
          throw e; // a plan that was given up may still write to its place
        }
      }
    }
    sets.remove(session);
    freePlace(set.place());
  }

  private RangeSet set(int session) throws OffloadException {
    RangeSet set = sets.get(session);
    if (set == null || set.epoch() != port().epoch()) {
      throw new OffloadException(
          OffloadWire.Status.NO_SESSION, port().name() + " was connected to anew");
    }
    return set;
  }

  @Override
  void all(int session, StopSignal stop, NvmeCommand... flight) throws OffloadException {
    set(session);
    super.all(session, stop, flight);
  }

  @Override
  int submit(int session, ByteBuffer plan, int planBytes) throws OffloadException {
    set(session);
    return super.submit(session, plan, planBytes);
  }

  @Override
  NvmeCommand submission(int session, ByteBuffer plan, int at, int planBytes) {
    RangeSet set = sets.get(session);
    int bytes = wholeDwords(planBytes);
    return begin(EXECUTE, computeNsid)
        .onlyOver(set.epoch())
        .dword(2, set.id() << 16 | planProgram)
        .dword(4, bytes)
        .dword(10, planBytes)
        .data(plan, at, bytes);
  }

  @Override
  NvmeCommand fetching(int session, int from, ByteBuffer into, int at, int bytes) {
    RangeSet set = sets.get(session);
    int whole = wholeDwords(bytes);
    return begin(MEMORY_READ, memoryNsid)
        .onlyOver(set.epoch())
        .longDword(10, set.start() + from)
        .dword(12, whole)
        .data(into, at, whole);
  }

  @Override
  int fetch(int session, int from, ByteBuffer into, int bytes) throws OffloadException {
    if (session == 0) {
      return capabilities(into, bytes);
    }
    set(session);
    io("fetching a result page", fetching(session, from, into, from, bytes));
    return bytes;
  }

  private int capabilities(ByteBuffer into, int bytes) throws OffloadException {
    int session = open(MIN_GRANT_BYTES);
    try {
      RangeSet set = set(session);
      String what = "asking for the capabilities";
      int got =
          io(
              what,
              begin(EXECUTE, computeNsid)
                  .dword(2, set.id() << 16 | planProgram)
                  .dword(13, CAPABILITIES));
      io(what, fetching(session, 0, into, 0, Math.min(bytes, got)));
      return got;
    } finally {
      close(session);
    }
  }

  @Override
  int submitAndFetch(
      int session, ByteBuffer plan, int planBytes, ByteBuffer into, int bytes, StopSignal stop)
      throws OffloadException {
    set(session);
    if (planBytes < PlanHeaderLayout.BYTES
        || PlanHeaderLayout.mode(plan, 0) != OffloadWire.Mode.COUNT) {
      return super.submitAndFetch(session, plan, planBytes, into, bytes, stop);
    }
    NvmeCommand count = submission(session, plan, 0, planBytes).dword(13, COUNT_ALONE);
    all(session, stop, count);
    check("running a plan", count.status());
    for (int i = 0; i < ResultHeaderLayout.BYTES; i += Long.BYTES) {
      into.putLong(i, 0);
    }
    ResultHeaderLayout.magic(into, 0, OffloadWire.RESULT_MAGIC);
    ResultHeaderLayout.version(into, 0, OffloadWire.VERSION);
    ResultHeaderLayout.mode(into, 0, OffloadWire.Mode.COUNT);
    ResultHeaderLayout.totalBytes(into, 0, ResultHeaderLayout.BYTES);
    ResultHeaderLayout.matchCount(into, 0, count.result());
    ResultHeaderLayout.nextDoc(into, 0, PlanHeaderLayout.limitDoc(plan, 0));
    return ResultHeaderLayout.BYTES;
  }

  @Override
  int resultBytes(String what, NvmeCommand first, NvmeCommand fetch) throws OffloadException {
    check(what, first.status());
    check("fetching a result page", fetch.status());
    return Math.clamp(first.result(), -1, Integer.MAX_VALUE);
  }

  @Override
  int put(int kind, int resource, int from, int bytes, int wholeBytes, ByteBuffer data)
      throws OffloadException {
    if (kind != OffloadWire.Resource.LIVE_DOCS) {
      throw new IllegalArgumentException("programs take live docs alone, got kind " + kind);
    }
    NvmeCommand command =
        begin(EXECUTE, computeNsid)
            .dword(2, liveDocsProgram)
            .dword(4, bytes)
            .dword(10, bytes)
            .dword(11, wholeBytes)
            .dword(12, resource)
            .dword(13, from)
            .data(data, 0, bytes);
    return io("sending live docs", command);
  }

  @Override
  void drop(int resource) throws OffloadException {
    NvmeCommand command = begin(EXECUTE, computeNsid).dword(2, liveDocsProgram).dword(12, resource);
    io("dropping resource " + resource, command);
  }
}
