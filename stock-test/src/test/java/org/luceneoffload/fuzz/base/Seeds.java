/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.base;

import java.util.Random;

/** Seeds out of seeds: what a part of a round does depends on its own seed only. */
public final class Seeds {
  private Seeds() {}

  /** A seed that depends on both, and hardly ever is that of another pair. */
  public static long mix(long seed, long salt) {
    long z = seed + 0x9E3779B97F4A7C15L * (salt + 1);
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** Random numbers for a part of what has this seed. */
  public static Random random(long seed, long salt) {
    return new Random(mix(seed, salt));
  }

  /** True once in {@code n} times. */
  public static boolean oneIn(Random random, int n) {
    return random.nextInt(n) == 0;
  }
}
