/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.junit;

import java.util.concurrent.ThreadLocalRandom;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;

/**
 * Gives a run its seed and prints it, unless {@code -Dtests.seed} did; found through a service
 * file. Its digits are a number to our tests and hexadecimal to Lucene's, so one seed replays both.
 */
public final class RunSeed implements LauncherSessionListener {
  private static final String PROPERTY = "tests.seed";
  private static final long DIGITS = 1_000_000_000_000_000L;

  /** For the service loader. */
  public RunSeed() {}

  @Override
  public void launcherSessionOpened(LauncherSession session) {
    String seed = System.getProperty(PROPERTY, "");
    if (seed.isEmpty()) {
      seed = Long.toString(ThreadLocalRandom.current().nextLong(DIGITS / 10, DIGITS));
      System.setProperty(PROPERTY, seed);
      System.out.println("seed of this run: -D" + PROPERTY + "=" + seed);
    }
  }
}
