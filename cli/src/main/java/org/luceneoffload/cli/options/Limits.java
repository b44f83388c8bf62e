/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.options;

import org.luceneoffload.cli.command.Failure;

/** Bounds of options that several commands have. */
public final class Limits {
  /** Threads that may be asked for. */
  public static final int MAX_THREADS = 1024;

  private Limits() {}

  /**
   * Checks a number of threads.
   *
   * @throws Failure of usage unless it is from 1 to {@link #MAX_THREADS}
   */
  public static void checkThreads(int threads) {
    if (threads < 1 || threads > MAX_THREADS) {
      throw Failure.usage("--threads must be from 1 to " + MAX_THREADS + ", not " + threads);
    }
  }
}
