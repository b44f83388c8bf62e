/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Synthetic lists, see {@code csd_classic_workload}.
 *
 * @param lists 2 to 8
 * @param longest entries of the longest list
 * @param skew longest over shortest list
 * @param ratioPpm documents that all lists share, per million of the shortest list
 * @param lengths entries of each list in order; empty: by turns as the shortest and the longest
 * @param longerFirst whether the first two lists change places
 * @param seed the same parameters and seed give the same lists
 */
public record Workload(
    int lists,
    int longest,
    int skew,
    int ratioPpm,
    List<Integer> lengths,
    boolean longerFirst,
    long seed) {
  /** Entries of a list of 1 MB: 32 bytes each. */
  public static final int MB = 32_768;

  private static final int DOCUMENTS = 10_000_000;

  /** Keeps a copy of the lengths. */
  public Workload {
    lengths = List.copyOf(lengths);
  }

  /** Makes two lists or more, by turns short and long. */
  public static Workload of(int lists, int longest, int skew, int ratioPpm, long seed) {
    return new Workload(lists, longest, skew, ratioPpm, List.of(), false, seed);
  }

  /** Returns the same lists, the longer one first. */
  public Workload swapped() {
    return new Workload(lists, longest, skew, ratioPpm, lengths, true, seed);
  }

  /** Returns the same lists, whatever their order. */
  public Workload unordered() {
    return new Workload(lists, longest, skew, ratioPpm, lengths, false, seed);
  }

  /** Returns the lengths of the lists, in order. */
  public List<Integer> listLengths() {
    List<Integer> all = new ArrayList<>(lengths);
    for (int i = 0; lengths.isEmpty() && i < lists; i++) {
      all.add(i % 2 == 0 ? Math.max(1, (longest + skew / 2) / skew) : longest);
    }
    if (longerFirst) {
      Collections.swap(all, 0, 1);
    }
    return all;
  }

  /** Returns the bound of the documents, as the generator has it. */
  public int universe() {
    return Math.max(DOCUMENTS, 4 * longest);
  }
}
