/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

/** The quick run of the tests: a share of what is random or repeated, a case of every kind. */
public final class QuickRun {
  /** Whether this run is the quick one; with the profile "full" it is not. */
  public static final boolean QUICK = Integer.getInteger("tests.share", 1) > 1;

  private QuickRun() {}

  /** Returns how often something is done: so often in the quick run, otherwise so often. */
  public static int times(int quick, int full) {
    return QUICK ? quick : full;
  }
}
