/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.luceneoffload.wire.OffloadWire;

/** Terms near each other in one doc, found in the plainest way, from all their positions. */
final class ReferenceNear {
  private static final int ANY_GAPS = 0xFFFF;

  private final int[][] positions;
  private final int limit;
  private float freq;

  /**
   * A doc.
   *
   * @param positions of each term, ascending
   * @param limit of gaps
   */
  ReferenceNear(int[][] positions, int limit) {
    this.positions = positions;
    this.limit = limit;
  }

  /** The sum of the weights of its spans or intervals. */
  float frequency(int op) {
    freq = 0f;
    switch (op) {
      case OffloadWire.Op.ORDERED_SPANS -> orderedSpans();
      case OffloadWire.Op.UNORDERED_SPANS -> unorderedSpans();
      case OffloadWire.Op.ORDERED_INTERVALS -> orderedIntervals();
      default -> unorderedIntervals();
    }
    return freq;
  }

  private int gaps(int start, int end) {
    return end - start + 1 - positions.length;
  }

  private void add(double width) {
    freq = (float) (freq + 1.0 / width);
  }

  private void addInterval(int start, int end) {
    int gaps = gaps(start, end);
    if (limit == ANY_GAPS || gaps <= limit) {
      add(Math.max(gaps + 1, 1));
    }
  }

  private static OptionalInt firstAbove(int[] of, int low) {
    return Arrays.stream(of).filter(p -> p > low).findFirst();
  }

  private static int lastBelow(int[] of, int high) {
    return Arrays.stream(of).filter(p -> p < high).max().getAsInt();
  }

  /** Where the terms end that follow each other from a position of the first one on; or -1. */
  private int end(int start) {
    int at = start;
    for (int i = 1; i < positions.length && at >= 0; i++) {
      at = firstAbove(positions[i], at).orElse(-1);
    }
    return at;
  }

  private void orderedSpans() {
    for (int start : positions[0]) {
      int end = end(start);
      if (end >= 0 && gaps(start, end) <= limit) {
        add(1.0 + gaps(start, end));
      }
    }
  }

  /**
   * The term that is behind the others moves on. Of terms on equal positions it is the one that has
   * moved last; of three and more on one position this is not said.
   */
  private void unorderedSpans() {
    int[] at = new int[positions.length];
    int first = 0;
    while (true) {
      for (int i = 0; i < at.length; i++) {
        first = positions[i][at[i]] < positions[first][at[first]] ? i : first;
      }
      int end = IntStream.range(0, at.length).map(i -> positions[i][at[i]]).max().getAsInt();
      int start = positions[first][at[first]];
      if (gaps(start, end) <= limit) {
        add(2.0 + end - start);
      }
      if (++at[first] == positions[first].length) {
        return;
      }
    }
  }

  private void orderedIntervals() {
    for (int start : Arrays.stream(positions[0]).distinct().toArray()) {
      int end = end(start);
      int latest = end;
      for (int i = positions.length - 2; i >= 0 && end >= 0; i--) {
        latest = lastBelow(positions[i], latest);
      }
      if (end >= 0 && latest == start) {
        addInterval(start, end);
      }
    }
  }

  private void unorderedIntervals() {
    int[] all = Arrays.stream(positions).flatMapToInt(Arrays::stream).sorted().distinct().toArray();
    for (int start : all) {
      List<Integer> ends = new ArrayList<>();
      for (int[] of : positions) {
        firstAbove(of, start - 1).ifPresent(ends::add);
      }
      if (ends.size() == positions.length) {
        int end = ends.stream().mapToInt(i -> i).max().getAsInt();
        if (Arrays.stream(positions).allMatch(of -> lastBelow(of, end + 1) >= start)
            && Arrays.stream(positions).anyMatch(of -> lastBelow(of, end + 1) == start)) {
          addInterval(start, end);
        }
      }
    }
  }
}
