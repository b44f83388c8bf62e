/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import java.util.Random;

/** Good bytes, altered at random: the same for the same seed. */
public final class DamagedBytes {
  private static final byte[] ODD = {0, 1, 2, 127, -128, -1};

  private DamagedBytes() {}

  /** A seed, told to whoever has to repeat a failure. */
  public static long seed(Class<?> test) {
    long seed = Long.getLong("tests.seed", System.nanoTime());
    System.out.println("seed of " + test.getSimpleName() + ": -Dtests.seed=" + seed);
    return seed;
  }

  /** Alters one to four of the bytes from {@code from} on, mostly near there. */
  public static void alter(Random random, byte[] bytes, int from) {
    for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
      int span = bytes.length - from;
      if (span > 160 && random.nextInt(4) != 0) {
        span = 160;
      }
      int at = from + random.nextInt(span);
      bytes[at] =
          random.nextBoolean()
              ? ODD[random.nextInt(ODD.length)]
              : (byte) (bytes[at] ^ 1 << random.nextInt(8));
    }
  }
}
