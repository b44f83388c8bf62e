/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

/** Options of an {@link OffloadDirectory}; immutable. */
public final class OffloadOptions {
  /** The options in force unless others are given: not strict. */
  public static final OffloadOptions DEFAULT = new OffloadOptions(false);

  private final boolean strict;

  private OffloadOptions(boolean strict) {
    this.strict = strict;
  }

  /**
   * Whether trouble with the device is an error. If not, it is counted and logged, and the host
   * does the work with the same result.
   */
  public boolean strict() {
    return strict;
  }

  /** These options with another {@link #strict()}. */
  public OffloadOptions withStrict(boolean value) {
    return new OffloadOptions(value);
  }

  @Override
  public String toString() {
    return "OffloadOptions(strict=" + strict + ")";
  }
}
