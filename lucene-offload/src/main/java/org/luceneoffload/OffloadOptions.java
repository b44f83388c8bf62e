/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import java.util.Objects;
import org.luceneoffload.planner.Placement;

/** Options of an {@link OffloadDirectory}; immutable. */
public final class OffloadOptions {
  /** The options in force unless others are given: not strict, {@link Placement#AUTO}. */
  public static final OffloadOptions DEFAULT = new OffloadOptions(false, Placement.AUTO);

  private final boolean strict;
  private final Placement placement;

  private OffloadOptions(boolean strict, Placement placement) {
    this.strict = strict;
    this.placement = Objects.requireNonNull(placement, "placement");
  }

  /**
   * Whether trouble with the device is an error. If not, it is counted and logged, and the host
   * does the work with the same result. That the planner prefers the host is no trouble.
   */
  public boolean strict() {
    return strict;
  }

  /** These options with another {@link #strict()}. */
  public OffloadOptions withStrict(boolean value) {
    return new OffloadOptions(value, placement);
  }

  /** Who answers what the device can answer. */
  public Placement placement() {
    return placement;
  }

  /** These options with another {@link #placement()}. */
  public OffloadOptions withPlacement(Placement value) {
    return new OffloadOptions(strict, value);
  }

  @Override
  public String toString() {
    return "OffloadOptions(strict=" + strict + ", placement=" + placement + ")";
  }
}
