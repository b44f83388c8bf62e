/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.choice;

import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.PointValues.Relation;
import org.apache.lucene.util.NumericUtils;
import org.luceneoffload.search.compile.GeoArea;

/**
 * What stock finds by its tree of points in the box of an area: about how many, and how many nodes
 * of the tree it looks at.
 */
final class AreaPoints implements PointValues.IntersectVisitor {
  private final GeoArea.Box box;
  private int nodes;
  private long points;

  private AreaPoints(GeoArea.Box box) {
    this.box = box;
  }

  /** Looks at the tree of a field; null if the segment has none of points of two dimensions. */
  static AreaPoints of(LeafReader reader, String field, GeoArea area) throws IOException {
    PointValues values = reader.getPointValues(field);
    if (values == null || values.getNumIndexDimensions() != 2) {
      return null;
    }
    AreaPoints found = new AreaPoints(area.box());
    found.points = values.estimatePointCount(found);
    return found;
  }

  /** Returns about how many points stock finds. */
  long points() {
    return points;
  }

  /** Returns how many nodes of the tree stock looks at. */
  int nodes() {
    return nodes;
  }

  @Override
  public void visit(int docID) {
    throw new AssertionError("points are only estimated");
  }

  @Override
  public void visit(int docID, byte[] packedValue) {
    throw new AssertionError("points are only estimated");
  }

  @Override
  public Relation compare(byte[] minPackedValue, byte[] maxPackedValue) {
    nodes++;
    int minLat = NumericUtils.sortableBytesToInt(minPackedValue, 0);
    int maxLat = NumericUtils.sortableBytesToInt(maxPackedValue, 0);
    int minLon = NumericUtils.sortableBytesToInt(minPackedValue, Integer.BYTES);
    int maxLon = NumericUtils.sortableBytesToInt(maxPackedValue, Integer.BYTES);
    if (minLat > box.maxLat() || maxLat < box.minLat()) {
      return Relation.CELL_OUTSIDE_QUERY;
    }
    boolean crosses = box.minLon() > box.maxLon();
    boolean west = maxLon < box.minLon();
    boolean east = minLon > box.maxLon();
    if (crosses ? west && east : west || east) {
      return Relation.CELL_OUTSIDE_QUERY;
    }
    boolean lonInside =
        crosses
            ? minLon >= box.minLon() || maxLon <= box.maxLon()
            : minLon >= box.minLon() && maxLon <= box.maxLon();
    return lonInside && minLat >= box.minLat() && maxLat <= box.maxLat()
        ? Relation.CELL_INSIDE_QUERY
        : Relation.CELL_CROSSES_QUERY;
  }
}
