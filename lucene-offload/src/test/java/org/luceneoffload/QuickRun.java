/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The quick run of the tests: a share of what is random or repeated, a case of every kind. */
public final class QuickRun {
  /** Whether this run is the quick one; with the profile "full" it is not. */
  public static final boolean QUICK = Integer.getInteger("tests.share", 1) > 1;

  private static final Random RANDOM = new Random(Long.getLong("tests.seed", System.nanoTime()));

  private QuickRun() {}

  /** Returns how often something is done: so often in the quick run, otherwise so often. */
  public static int times(int quick, int full) {
    return QUICK ? quick : full;
  }

  /** Returns how many of so many random rounds are done: a third of them in the quick run. */
  public static int rounds(int full) {
    return times((full + 2) / 3, full);
  }

  /** Returns so many of all that are drawn in the quick run, in their order; otherwise all. */
  public static <T> List<T> drawn(int quick, List<T> all) {
    if (!QUICK) {
      return all;
    }
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      places.add(i);
    }
    Collections.shuffle(places, RANDOM);
    return places.stream().limit(quick).sorted().map(all::get).toList();
  }

  /** Skips a test in the quick run: it is long, and the same in every run. */
  public static void skipLong() {
    assumeTrue(!QUICK, "long; mvn verify -Pfull runs it");
  }
}
