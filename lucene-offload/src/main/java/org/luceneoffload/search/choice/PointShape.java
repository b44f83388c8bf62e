/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.choice;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PointValues;

/**
 * What stock's index of the points of a field is like in a segment, from a sample of its leaves.
 * Immutable.
 *
 * @param leaves about how many leaves there are
 * @param leafPoints points of a leaf, on average
 * @param leafValues different values of a leaf that has several, on average; 1 if none was seen
 * @param hasCommon whether some value fills leaves of its own
 */
record PointShape(double leaves, double leafPoints, double leafValues, boolean hasCommon) {
  /** Leaves that are looked at: a value that has 2 % of the points fills one of them. */
  private static final int SAMPLES = 64;

  /** Of these every so many has its values counted, which takes some microseconds. */
  private static final int COUNTED_OF = 16;

  /** Points of a segment do not change: by core, then by field. */
  private static final Map<IndexReader.CacheKey, Map<String, PointShape>> CORES =
      new ConcurrentHashMap<>();

  // Of fields that have not been sampled yet. A query asks twice at most.
  private static final PointShape ASKED_ONCE = new PointShape(0, 0, 0, false);
  private static final PointShape ASKED_TWICE = new PointShape(0, 0, 0, true);

  /**
   * Returns the shape of a field; null if it has no points, or points of several dimensions, and
   * the first two times that it is asked for. Then the points are most likely not in memory yet,
   * and to wait for a sample of them takes longer than a plan on the device.
   */
  static PointShape of(LeafReader reader, String field) throws IOException {
    IndexReader.CacheHelper core = reader.getCoreCacheHelper();
    if (core == null) {
      return sample(reader.getPointValues(field));
    }
    Map<String, PointShape> fields = CORES.get(core.getKey());
    if (fields == null) {
      fields = new ConcurrentHashMap<>();
      Map<String, PointShape> others = CORES.putIfAbsent(core.getKey(), fields);
      if (others == null) {
        core.addClosedListener(CORES::remove);
      } else {
        fields = others;
      }
    }
    PointShape shape = fields.get(field);
    if (shape == null) {
      fields.put(field, ASKED_ONCE);
    } else if (shape == ASKED_ONCE) {
      fields.put(field, ASKED_TWICE);
      return null;
    } else if (shape == ASKED_TWICE) {
      shape = sample(reader.getPointValues(field));
      if (shape != null) {
        fields.put(field, shape);
      }
    }
    return shape;
  }

  private static PointShape sample(PointValues points) throws IOException {
    if (points == null || points.getNumIndexDimensions() != 1 || points.size() == 0) {
      return null;
    }
    boolean hasCommon = false;
    double leafPoints = 0;
    long values = 0;
    int counted = 0;
    for (int i = 0; i < SAMPLES; i++) {
      PointValues.PointTree leaf = points.getPointTree();
      descend(leaf, points.size() * i / SAMPLES);
      leafPoints += (double) leaf.size() / SAMPLES;
      if (Arrays.equals(leaf.getMinPackedValue(), leaf.getMaxPackedValue())) {
        hasCommon = true;
      } else if (i % COUNTED_OF == 0) {
        ValueCounter counter = new ValueCounter();
        leaf.visitDocValues(counter);
        values += counter.values;
        counted++;
      }
    }
    return new PointShape(
        points.size() / leafPoints,
        leafPoints,
        counted == 0 ? 1 : (double) values / counted,
        hasCommon);
  }

  /**
   * Returns about how many leaves have a point of one of some values, none of which is common: some
   * have several of the values, and some values are in two leaves.
   */
  double leavesOf(long count) {
    return leaves * -Math.expm1(-count / leaves) + count / leafValues;
  }

  /** Returns about how many points a value has that is not common. */
  double pointsOfValue() {
    return leafPoints / leafValues;
  }

  /** Moves to the leaf with the point of a number, counted from the least one. */
  private static void descend(PointValues.PointTree node, long number) throws IOException {
    long left = number;
    while (node.moveToChild()) {
      while (left >= node.size()) {
        left -= node.size();
        if (!node.moveToSibling()) {
          break;
        }
      }
    }
  }

  /** Counts the different values of a leaf, whose points ascend. */
  private static final class ValueCounter implements PointValues.IntersectVisitor {
    private int values;
    private byte[] last;

    @Override
    public void visit(int docID) {
      throw new AssertionError("a leaf that is visited with its values");
    }

    @Override
    public void visit(int docID, byte[] packedValue) {
      if (last == null || !Arrays.equals(last, packedValue)) {
        last = packedValue.clone();
        values++;
      }
    }

    @Override
    public PointValues.Relation compare(byte[] minPackedValue, byte[] maxPackedValue) {
      return PointValues.Relation.CELL_CROSSES_QUERY;
    }
  }
}
