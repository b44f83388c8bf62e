/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.join;

import java.io.IOException;
import java.util.Map;
import org.apache.lucene.index.DocValuesSkipIndexType;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.ParallelLeafReader;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.VectorEncoding;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.util.LongsRef;
import org.apache.lucene.util.NumericUtils;

/**
 * Points of no index, which show what numbers a query looks for that hides them: whatever range it
 * is asked about, it says whether the least number that is left is in there. It finds that number
 * alone in the next doc, from doc 0 on. For one thread.
 */
final class SoughtPoints extends PointValues {
  private final int bytes;
  private final LongsRef sought;

  /**
   * Makes points.
   *
   * @param bytes of a number: 4 or 8
   * @param max of more numbers only so many are found
   */
  SoughtPoints(int bytes, int max) {
    this.bytes = bytes;
    this.sought = new LongsRef(max);
  }

  /** Returns the numbers that were looked for, ascending. */
  LongsRef sought() {
    return sought;
  }

  private byte[] packed(long number) {
    byte[] packed = new byte[bytes];
    if (bytes == Long.BYTES) {
      NumericUtils.longToSortableBytes(number, packed, 0);
    } else {
      NumericUtils.intToSortableBytes((int) number, packed, 0);
    }
    return packed;
  }

  private long least() {
    return bytes == Long.BYTES ? Long.MIN_VALUE : Integer.MIN_VALUE;
  }

  private long most() {
    return bytes == Long.BYTES ? Long.MAX_VALUE : Integer.MAX_VALUE;
  }

  private boolean asks(IntersectVisitor query, long low, long high) {
    return query.compare(packed(low), packed(high)) != Relation.CELL_OUTSIDE_QUERY;
  }

  private void find(IntersectVisitor query) throws IOException {
    long from = least();
    while (sought.length < sought.longs.length && asks(query, from, most())) {
      long low = from;
      long high = most();
      while (low < high) {
        long middle = low + ((high - low) >>> 1);
        if (asks(query, low, middle)) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      query.visit(sought.length, packed(low));
      sought.longs[sought.length++] = low;
      if (low == most()) {
        return;
      }
      from = low + 1;
    }
  }

  @Override
  public PointTree getPointTree() {
    return new OneLeaf();
  }

  @Override
  public byte[] getMinPackedValue() {
    return packed(least());
  }

  @Override
  public byte[] getMaxPackedValue() {
    return packed(most());
  }

  @Override
  public int getNumDimensions() {
    return 1;
  }

  @Override
  public int getNumIndexDimensions() {
    return 1;
  }

  @Override
  public int getBytesPerDimension() {
    return bytes;
  }

  @Override
  public long size() {
    return sought.longs.length;
  }

  @Override
  public int getDocCount() {
    return sought.longs.length;
  }

  /** A segment with these points in one field. */
  static final class Reader extends ParallelLeafReader {
    private final SoughtPoints points;
    private final FieldInfos infos;

    Reader(String field, SoughtPoints points) throws IOException {
      this.points = points;
      FieldInfo info =
          new FieldInfo(
              field,
              0,
              false,
              false,
              false,
              IndexOptions.NONE,
              DocValuesType.NONE,
              DocValuesSkipIndexType.NONE,
              -1,
              Map.of(),
              1,
              1,
              points.bytes,
              0,
              VectorEncoding.FLOAT32,
              VectorSimilarityFunction.EUCLIDEAN,
              false,
              false);
      infos = new FieldInfos(new FieldInfo[] {info});
    }

    @Override
    public int maxDoc() {
      return points.getDocCount();
    }

    @Override
    public FieldInfos getFieldInfos() {
      return infos;
    }

    @Override
    public PointValues getPointValues(String field) {
      return points;
    }
  }

  private final class OneLeaf implements PointTree {
    @Override
    public PointTree clone() {
      return new OneLeaf();
    }

    @Override
    public boolean moveToChild() {
      return false;
    }

    @Override
    public boolean moveToSibling() {
      return false;
    }

    @Override
    public boolean moveToParent() {
      return false;
    }

    @Override
    public byte[] getMinPackedValue() {
      return SoughtPoints.this.getMinPackedValue();
    }

    @Override
    public byte[] getMaxPackedValue() {
      return SoughtPoints.this.getMaxPackedValue();
    }

    @Override
    public long size() {
      return SoughtPoints.this.size();
    }

    @Override
    public void visitDocIDs(IntersectVisitor query) {
      throw new AssertionError("no query for single numbers takes all");
    }

    @Override
    public void visitDocValues(IntersectVisitor query) throws IOException {
      find(query);
    }
  }
}
