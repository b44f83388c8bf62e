/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.luceneoffload.natives.Trail;
import org.luceneoffload.wire.OffloadException;

/**
 * The lists of a {@link ClassicModel.Workload} as plain arrays, so that other programs can be run
 * on them than the classic ones.
 */
public final class ClassicLists {
  private final List<int[]> docs;
  private final List<int[]> freqs;

  private ClassicLists(List<int[]> docs, List<int[]> freqs) {
    this.docs = List.copyOf(docs);
    this.freqs = List.copyOf(freqs);
  }

  /** Returns the docs of each list, ascending. */
  public List<int[]> docs() {
    return docs;
  }

  /** Returns the frequencies of each list's docs. */
  public List<int[]> freqs() {
    return freqs;
  }

  /**
   * Makes the lists of a workload, in the order in which its classic program takes them.
   *
   * @throws IllegalArgumentException naming the parameter that is out of range
   * @throws IllegalStateException if the native library cannot be loaded
   */
  public static ClassicLists of(ClassicModel.Workload workload) {
    ClassicLibrary.load();
    Trail trail = new Trail();
    ByteBuffer program = workload.program();
    int entries = Math.toIntExact(check(trail, nativeEntries(program, trail.bytes)));
    int[] docs = new int[entries];
    int[] freqs = new int[entries];
    int[] ends = new int[workload.lists()];
    check(trail, nativeMake(program, docs, freqs, ends, trail.bytes));
    List<int[]> docLists = split(docs, ends);
    List<int[]> freqLists = split(freqs, ends);
    if (workload.swapped()) {
      docLists.add(0, docLists.remove(1));
      freqLists.add(0, freqLists.remove(1));
    }
    return new ClassicLists(docLists, freqLists);
  }

  private static List<int[]> split(int[] all, int[] ends) {
    List<int[]> lists = new ArrayList<>();
    int from = 0;
    for (int end : ends) {
      lists.add(Arrays.copyOfRange(all, from, end));
      from = end;
    }
    return lists;
  }

  private static long check(Trail trail, long result) {
    try {
      return trail.check(result, "making the lists of a workload");
    } catch (OffloadException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  private static native long nativeEntries(ByteBuffer program, byte[] trail);

  private static native long nativeMake(
      ByteBuffer program, int[] docs, int[] freqs, int[] ends, byte[] trail);
}
