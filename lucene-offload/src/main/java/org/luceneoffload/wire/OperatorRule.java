/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire;

/**
 * What a plan node of an operator has to be like. Weights are finite and not negative.
 *
 * @param children its children
 * @param list what its field {@code list} refers to
 * @param table what its field {@code table} refers to
 * @param positions what its pairs of lists and positions may say of these
 * @param maxMinShould its {@code min_should} at most
 * @param count the bounds of its {@code range_count}
 * @param maxWeight its weight at most
 */
record OperatorRule(
    Children children,
    Reference list,
    Reference table,
    Positions positions,
    int maxMinShould,
    Count count,
    float maxWeight) {

  /** What a field of a node refers to: entries of the plan, or a resource of the device. */
  public enum Target {
    /** Nothing: the field is 0. */
    NOTHING,
    /** References to posting lists. */
    LISTS,
    /** Tables of norms, or of scores. */
    TABLES,
    /** References to columns. */
    COLUMNS,
    /** Ranges of values. */
    RANGES,
    /** Parts of an area, which stand among the ranges of values. */
    AREAS,
    /** A resource, which is not 0. */
    RESOURCE
  }

  /**
   * A field that refers to entries of the plan, from the one that it names on.
   *
   * @param to what to
   * @param each entries for each of {@code range_count}; 0: one entry
   * @param scored whether only if a score is asked for; else the field may hold anything
   * @param ascends whether value ranges ascend without overlap
   */
  public record Reference(Target to, int each, boolean scored, boolean ascends) {
    static final Reference NONE = new Reference(Target.NOTHING, 0, false, false);

    /** Returns how many entries a node with {@code rangeCount} refers to. */
    public long entries(long rangeCount) {
      return each == 0 ? 1 : each * rangeCount;
    }
  }

  /**
   * Bounds of the children.
   *
   * @param min the fewest
   * @param max the most
   * @param operators the bits of operators that they may be
   * @param occurs the bits of parts that they may play, values of {@link OffloadWire.Occur}
   * @param minFactor their least weight, if that is a factor of frequencies
   * @param maxFactor their greatest weight; 0 if it is none
   * @param scored whether their scores are asked for
   */
  public record Children(
      int min,
      int max,
      long operators,
      int occurs,
      float minFactor,
      float maxFactor,
      boolean scored) {
    static final Children NONE = new Children(0, 0, 0, 0, 0f, 0f, false);

    /** Returns whether the weights of children are factors of frequencies, their tables 0. */
    public boolean areFactors() {
      return maxFactor > 0f;
    }

    /** Returns whether a child may be of an operator and play a part. */
    public boolean take(Operator operator, int occur) {
      return (operators & operator.bit()) != 0 && (occurs & 1 << occur) != 0;
    }
  }

  /**
   * What pairs of lists and positions may say of these.
   *
   * @param uses the bits of {@link OffloadWire.PositionUse}; 0 of operators without pairs
   * @param places whether terms have places
   */
  public record Positions(int uses, boolean places) {
    /** Returns whether the operator has pairs of lists and positions. */
    public boolean arePaired() {
      return uses != 0;
    }
  }

  /**
   * Bounds of {@code range_count}.
   *
   * @param min the least
   * @param max the greatest
   * @param maxEnd the greatest sum of {@code min_should} and it
   */
  public record Count(long min, long max, long maxEnd) {}
}
