/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.luceneoffload.natives.NativeHandle;
import org.luceneoffload.natives.Trail;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ModelReportLayout;
import org.luceneoffload.wire.layout.ModelTraceRecordLayout;

/**
 * A list operation of the first computational SSDs' search programs, run on a synthetic workload
 * and recorded on both sides, device and host; the recording can be played under any profile of the
 * timing model, as often as is wanted. Times and energies are simulated.
 *
 * <p>Profiles and reports are the bytes of the wire's {@code model_profile} and {@code
 * model_report}, little-endian. The recording is in native memory until {@link #close}. Safe for
 * use from many threads. What the engine refuses is an {@link IllegalArgumentException} that says
 * which value of what, and what it may be.
 */
public final class ClassicModel implements AutoCloseable {
  /**
   * Lists drawn at random. The first, third, ... list is short, the others are long.
   *
   * @param lists number of lists, 2 to 8
   * @param longest entries of a long list
   * @param skew how many times longer than a short list that is, at least 1
   * @param ratioPpm documents that all lists have in common, per million of a short list
   * @param universe documents are below this; 0 for ten million, or four times {@code longest}
   * @param seed the same parameters give the same lists
   * @param swapped whether the first two lists change places, so that a difference has its long
   *     list first
   * @param lengths none, or entries of each list; {@code longest} is then the most of them, and
   *     {@code skew} is not used
   */
  public record Workload(
      int lists,
      int longest,
      int skew,
      int ratioPpm,
      int universe,
      long seed,
      boolean swapped,
      List<Integer> lengths) {
    /** Copies {@code lengths}. */
    public Workload {
      lengths = List.copyOf(lengths);
    }

    /** Lists of two lengths. */
    public Workload(
        int lists, int longest, int skew, int ratioPpm, int universe, long seed, boolean swapped) {
      this(lists, longest, skew, ratioPpm, universe, seed, swapped, List.of());
    }

    /** Makes lists of these lengths, 2 to 8 of them, at least one. */
    public static Workload ofLengths(List<Integer> lengths, int ratioPpm, int universe, long seed) {
      int longest = lengths.stream().max(Integer::compare).orElse(0);
      return new Workload(lengths.size(), longest, 1, ratioPpm, universe, seed, false, lengths);
    }

    /** Returns the lists as a program of the engine, in a direct buffer. */
    ByteBuffer program() {
      if (!lengths.isEmpty() && lengths.size() != lists) {
        throw new IllegalArgumentException("workload: lengths are not one of each list");
      }
      ByteBuffer b = struct(ClassicProgramStruct.BYTES);
      ClassicProgramStruct.lists(b, 0, lists);
      ClassicProgramStruct.longest(b, 0, longest);
      ClassicProgramStruct.skew(b, 0, skew);
      ClassicProgramStruct.ratioPpm(b, 0, ratioPpm);
      ClassicProgramStruct.universe(b, 0, universe);
      ClassicProgramStruct.seed(b, 0, seed);
      ClassicProgramStruct.swapped(b, 0, swapped ? 1 : 0);
      for (int i = 0; i < Math.min(MAX_LISTS, lengths.size()); i++) { // more are refused
        ClassicProgramStruct.lengths(b, 0, i, lengths.get(i));
      }
      return b;
    }
  }

  /**
   * The work of a program. DRAM and SRAM are those of its side.
   *
   * @param listReads DRAM: elements read in list order
   * @param probeReads DRAM: elements read by binary search
   * @param scoreReads DRAM: scores of postings
   * @param resultWrites DRAM: result records written, intermediate ones too
   * @param resultReads DRAM: result records read again
   * @param heapAccesses SRAM: slots of the top heap read or written
   * @param comparisons comparisons of two documents or two scores
   * @param pagesLoaded flash pages brought into DRAM, repetitions too
   * @param results documents that matched, ranked or not
   * @param bytesSent bytes of results for the host
   */
  public record Counts(
      long listReads,
      long probeReads,
      long scoreReads,
      long resultWrites,
      long resultReads,
      long heapAccesses,
      long comparisons,
      long pagesLoaded,
      long results,
      long bytesSent) {
    /** Returns how many accesses to lists there were, which the tables of the literature count. */
    public long listAccesses() {
      return listReads + probeReads;
    }
  }

  /**
   * The result of a playback.
   *
   * @param reports a {@code model_report} of each request
   * @param total the {@code model_report} of all together
   * @param trace {@code model_trace_record}s, as many as were kept; empty if none were wanted
   */
  public record Played(byte[][] reports, byte[] total, byte[] trace) {}

  private static final int COUNTS = 10;
  private static final int MAX_LISTS = 8;

  private final NativeHandle handle;
  private final long[] counts = new long[2 * COUNTS];

  private ClassicModel(long address) {
    handle = new NativeHandle("the recording", address);
    nativeCounts(address, counts);
  }

  /**
   * Runs an operation on both sides and records it. The host holds all lists in memory.
   *
   * @param workload the lists
   * @param operation what to do with them
   * @param ranked whether the device keeps only the ten best results; on its own side the host then
   *     ranks all
   * @param hostRanks whether the host ranks, on both sides, what the device has not
   * @param memoryBytes DRAM of the device that the program may use; 0: as much as it takes
   * @throws IllegalArgumentException if a value is out of its range, or there is too little memory
   * @throws IllegalStateException if the native library cannot be loaded
   */
  public static ClassicModel record(
      Workload workload, Operation operation, boolean ranked, boolean hostRanks, long memoryBytes) {
    if (memoryBytes < 0) {
      throw new IllegalArgumentException("memoryBytes is " + memoryBytes + ", not 0 or more");
    }
    ClassicLibrary.load();
    Trail trail = new Trail();
    ByteBuffer program = workload.program();
    ClassicProgramStruct.operation(program, 0, operation.ordinal());
    ClassicProgramStruct.ranked(program, 0, ranked ? 1 : 0);
    ClassicProgramStruct.hostRanks(program, 0, hostRanks ? 1 : 0);
    ClassicProgramStruct.memoryBytes(program, 0, memoryBytes);
    long address = nativeRecord(program, trail.bytes);
    return new ClassicModel(check(trail, address, "recording a classic program"));
  }

  /**
   * Checks a profile as playing would.
   *
   * @param profile the bytes of a {@code model_profile}
   * @throws IllegalArgumentException if it is refused; the message names the field and its value
   */
  public static void checkProfile(byte[] profile) {
    ClassicLibrary.load();
    Trail trail = new Trail();
    check(trail, nativeCheck(Objects.requireNonNull(profile), trail.bytes), "checking a profile");
  }

  /**
   * Plays plain reads, as a benchmark of drives issues them.
   *
   * @param profile the bytes of a {@code model_profile}
   * @param side {@link OffloadWire.ModelSide#HOST}: as a drive's user sees them; DEVICE: as a
   *     program on the device does
   * @param count reads
   * @param bytes bytes of a read, a multiple of an LBA's
   * @param depth reads under way at once
   * @param lbas 0: in order; else at random in so many LBAs
   * @param seed of the random places
   * @return the {@code model_report} of all together
   * @throws IllegalArgumentException if a value is out of its range
   */
  public static byte[] playReads(
      byte[] profile, int side, int count, int bytes, int depth, int lbas, long seed) {
    ClassicLibrary.load();
    Trail trail = new Trail();
    byte[] report = new byte[ModelReportLayout.BYTES];
    ByteBuffer reads = struct(ClassicReadsStruct.BYTES);
    ClassicReadsStruct.side(reads, 0, side);
    ClassicReadsStruct.count(reads, 0, count);
    ClassicReadsStruct.readBytes(reads, 0, bytes);
    ClassicReadsStruct.depth(reads, 0, depth);
    ClassicReadsStruct.lbas(reads, 0, lbas);
    ClassicReadsStruct.seed(reads, 0, seed);
    check(
        trail,
        nativeReads(Objects.requireNonNull(profile), reads, report, trail.bytes),
        "playing reads");
    return report;
  }

  /** Returns room for a struct of the engine. */
  static ByteBuffer struct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the work of the program on the device. */
  public Counts deviceCounts() {
    return countsFrom(0);
  }

  /** Returns the work of the program on the host. */
  public Counts hostCounts() {
    return countsFrom(COUNTS);
  }

  private Counts countsFrom(int at) {
    return new Counts(
        counts[at],
        counts[at + 1],
        counts[at + 2],
        counts[at + 3],
        counts[at + 4],
        counts[at + 5],
        counts[at + 6],
        counts[at + 7],
        counts[at + 8],
        counts[at + 9]);
  }

  /**
   * Plays the request alone.
   *
   * @param profile the bytes of a {@code model_profile}
   * @param side a {@link OffloadWire.ModelSide}
   * @return its {@code model_report}
   * @throws IllegalArgumentException if the profile is refused, or the request does not fit it
   */
  public byte[] play(byte[] profile, int side) {
    return play(profile, side, new long[1], 0).total();
  }

  /**
   * Plays the request several times at once, each time on lists of its own elsewhere on the flash.
   *
   * @param profile the bytes of a {@code model_profile}
   * @param side a {@link OffloadWire.ModelSide}
   * @param arrivalsPs when each of them comes, in simulated picoseconds
   * @param traceRecords trace records to keep, at most
   * @throws IllegalArgumentException if the profile is refused, or the request does not fit it
   */
  public Played play(byte[] profile, int side, long[] arrivalsPs, int traceRecords) {
    Objects.requireNonNull(profile);
    int most = Integer.MAX_VALUE / ModelTraceRecordLayout.BYTES - 1;
    if (traceRecords < 0 || traceRecords > most) {
      throw new IllegalArgumentException("traceRecords is " + traceRecords + ", not 0 to " + most);
    }
    int size = ModelReportLayout.BYTES;
    byte[] reports = new byte[Math.multiplyExact(arrivalsPs.length + 1, size)];
    byte[] trace = new byte[traceRecords * ModelTraceRecordLayout.BYTES];
    Trail trail = new Trail();
    long records;
    try {
      long address = handle.acquire();
      try {
        records = nativePlay(address, profile, side, arrivalsPs, reports, trace, trail.bytes);
      } finally {
        handle.release();
      }
    } catch (OffloadException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    check(trail, records, "playing a classic program");
    byte[][] each = new byte[arrivalsPs.length][];
    for (int i = 0; i < each.length; i++) {
      each[i] = Arrays.copyOfRange(reports, i * size, (i + 1) * size);
    }
    return new Played(
        each,
        Arrays.copyOfRange(reports, each.length * size, reports.length),
        Arrays.copyOf(trace, (int) records * ModelTraceRecordLayout.BYTES));
  }

  /** Frees the recording; later calls of {@link #play} throw {@link IllegalStateException}. */
  @Override
  public void close() {
    handle.close(ClassicModel::nativeFree);
  }

  private static long check(Trail trail, long result, String what) {
    try {
      return trail.check(result, what);
    } catch (OffloadException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static native long nativeRecord(ByteBuffer program, byte[] trail);

  private static native void nativeFree(long handle);

  private static native void nativeCounts(long handle, long[] counts);

  private static native long nativePlay(
      long handle,
      byte[] profile,
      int side,
      long[] arrivalsPs,
      byte[] reports,
      byte[] trace,
      byte[] trail);

  private static native long nativeReads(
      byte[] profile, ByteBuffer reads, byte[] report, byte[] trail);

  private static native long nativeCheck(byte[] profile, byte[] trail);
}
