/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import org.luceneoffload.natives.NativeHandle;
import org.luceneoffload.natives.Trail;
import org.luceneoffload.wire.OffloadException;

/**
 * A task over pages of rows on one side, device or host: the engine's programs for queries 1, 6 and
 * 14 of TPC-H and for a similarity join ({@code csd_rows.h}). Its variables are in native memory
 * until {@link #close}. One thread at a time.
 */
public final class RowTask implements AutoCloseable {
  /** Bytes of a page. */
  public static final int PAGE_BYTES = 16_384;

  /** Sums of a group. */
  public static final int SUMS = 6;

  /** What runs, in the order of the engine. */
  public enum Program {
    QUERY_1,
    QUERY_6,
    QUERY_14,
    BUILD,
    JOIN,
    JOIN_EXACT
  }

  /**
   * What a program did.
   *
   * @param rows found by their slots, with a value of each
   * @param values further ones looked at, copied, or added to a sum; entries of a hash table
   * @param tokens compared
   */
  public record Counts(long rows, long values, long tokens) {}

  /**
   * What a filter let through.
   *
   * @param rows what the other side needs of it; valid until the next filter
   * @param counts what the filter did
   */
  public record Filtered(ByteBuffer rows, Counts counts) {}

  private static final int PROCESS = 0;
  private static final int FILTER = 1;
  private static final int REST = 2;
  private static final int COUNTS = 3;
  private static final int GROUPS = 16;
  private static final int FILTERED_BYTES = 8 * PAGE_BYTES;

  private final NativeHandle handle;
  private final ByteBuffer filtered =
      ByteBuffer.allocateDirect(FILTERED_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /**
   * Begins a task: INIT_TSK.
   *
   * @param parts that its hash table has room for
   * @param queries query records of the join, each a number, its tokens' number, and the tokens
   * @throws IllegalArgumentException if the engine refuses them
   */
  public RowTask(int parts, int... queries) {
    ClassicLibrary.load();
    Trail trail = new Trail();
    handle = new NativeHandle("the task", check(trail, nativeOpen(parts, queries, trail.bytes)));
  }

  /**
   * Runs a program over a page: READ_PROC, or COMPUTE.
   *
   * @param page direct, from byte 0 on
   * @throws IllegalArgumentException if it is damaged
   */
  public Counts process(Program program, ByteBuffer page) {
    long[] counts = new long[COUNTS];
    run(PROCESS, program, page, PAGE_BYTES, null, counts);
    return of(counts);
  }

  /** Runs the filter of a program over a page: READ_FILT. */
  public Filtered filter(Program program, ByteBuffer page) {
    long[] counts = new long[COUNTS];
    int bytes = (int) run(FILTER, program, page, PAGE_BYTES, filtered, counts);
    return new Filtered(filtered.clear().limit(bytes), of(counts));
  }

  /** Does the rest of a program over what a filter has let through. */
  public Counts rest(Program program, ByteBuffer rows) {
    long[] counts = new long[COUNTS];
    run(REST, program, rows, rows.limit(), null, counts);
    return of(counts);
  }

  /** Returns what was found, by group: FINAL. */
  public Map<Integer, long[]> result() {
    long[] found = new long[GROUPS * (1 + SUMS)];
    Map<Integer, long[]> groups = new TreeMap<>();
    int count = (int) call(address -> nativeResult(address, found));
    for (int i = 0; i < count; i++) {
      int at = i * (1 + SUMS);
      groups.put((int) found[at], Arrays.copyOfRange(found, at + 1, at + 1 + SUMS));
    }
    return groups;
  }

  private long run(
      int step, Program program, ByteBuffer rows, int bytes, ByteBuffer out, long[] counts) {
    Trail trail = new Trail();
    return check(
        trail,
        call(
            address ->
                nativeRun(
                    address, step, program.ordinal(), rows, bytes, out, counts, trail.bytes)));
  }

  private long call(LongUnaryOperator of) {
    long address;
    try {
      address = handle.acquire();
    } catch (OffloadException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    try {
      return of.applyAsLong(address);
    } finally {
      handle.release();
    }
  }

  private static Counts of(long[] counts) {
    return new Counts(counts[0], counts[1], counts[2]);
  }

  private static long check(Trail trail, long result) {
    try {
      return trail.check(result, "running a program over rows");
    } catch (OffloadException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** Ends the task. */
  @Override
  public void close() {
    handle.close(RowTask::nativeFree);
  }

  private static native long nativeOpen(int parts, int[] queries, byte[] trail);

  private static native void nativeFree(long handle);

  private static native long nativeRun(
      long handle,
      int step,
      int program,
      ByteBuffer rows,
      int bytes,
      ByteBuffer out,
      long[] counts,
      byte[] trail);

  private static native int nativeResult(long handle, long[] found);
}
