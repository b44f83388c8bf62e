/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import org.luceneoffload.natives.NativeHandle;
import org.luceneoffload.natives.Trail;
import org.luceneoffload.wire.OffloadException;

/**
 * The host's half of a task over pages of rows: the engine's programs for queries 1, 6 and 14 of
 * TPC-H and for a similarity join ({@code csd_rows.h}), which a device runs as tasks. Its variables
 * are in native memory until {@link #close}. One thread at a time.
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

  private static final int PROCESS = 0;
  private static final int REST = 1;
  private static final int COUNTS = 3;
  private static final int GROUPS = 16;
  private static final int MAX_PARTS = 1 << 20;

  private final NativeHandle handle;

  /**
   * Begins with nothing found.
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
   * Runs a program over a page: COMPUTE.
   *
   * @param page direct, from byte 0 on
   * @throws IllegalArgumentException if it is damaged
   */
  public Counts process(Program program, ByteBuffer page) {
    long[] counts = new long[COUNTS];
    run(PROCESS, program, page, PAGE_BYTES, counts);
    return of(counts);
  }

  /** Does the rest of a program over what a filter has let through. */
  public Counts rest(Program program, ByteBuffer rows) {
    long[] counts = new long[COUNTS];
    run(REST, program, rows, rows.limit(), counts);
    return of(counts);
  }

  /** Returns room for the parts of so many pages, whose rows are larger than that. */
  public static int capacity(int pages) {
    return Math.min(MAX_PARTS, pages * PAGE_BYTES / Long.BYTES);
  }

  /** Returns groups as FINAL has them on a device: a key, four bytes of nothing, sums. */
  public static Map<Integer, long[]> groups(ByteBuffer found) {
    Map<Integer, long[]> groups = new TreeMap<>();
    while (found.hasRemaining()) {
      int key = (int) found.getLong();
      long[] sums = new long[SUMS];
      for (int i = 0; i < SUMS; i++) {
        sums[i] = found.getLong();
      }
      groups.put(key, sums);
    }
    return groups;
  }

  /** Returns what was found, by group. */
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

  private void run(int step, Program program, ByteBuffer rows, int bytes, long[] counts) {
    Trail trail = new Trail();
    check(
        trail,
        call(
            address ->
                nativeRun(address, step, program.ordinal(), rows, bytes, counts, trail.bytes)));
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
      long handle, int step, int program, ByteBuffer rows, int bytes, long[] counts, byte[] trail);

  private static native int nativeResult(long handle, long[] found);
}
