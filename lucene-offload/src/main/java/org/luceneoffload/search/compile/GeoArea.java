/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.lucene.geo.Circle;
import org.apache.lucene.geo.Component2D;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.geo.GeoUtils;
import org.apache.lucene.geo.LatLonGeometry;
import org.apache.lucene.geo.Rectangle;
import org.luceneoffload.wire.Operator;
import org.luceneoffload.wire.layout.GeoBoxLayout;
import org.luceneoffload.wire.layout.GeoCircleLayout;
import org.luceneoffload.wire.layout.GeoRowLayout;
import org.luceneoffload.wire.layout.ValueRangeLayout;

/**
 * An area of points as a plan has it (wire/WIRE.md, geo_box and geo_circle). A point is a value of
 * {@code LatLonDocValuesField}: the encoded latitude in the upper 32 bits, the longitude in the
 * lower ones.
 *
 * @param operator that of its nodes
 * @param lo no point of the area is a lesser value
 * @param hi none is a greater one
 * @param entries what the plan has of it, in entries of {@link ValueRangeLayout#BYTES} bytes; not
 *     to be changed
 */
public record GeoArea(Operator operator, long lo, long hi, byte[] entries) {
  /** Lucene decides of most points by a grid of so many cells in each direction. */
  private static final int MAX_CELLS = 64;

  /** Makes the area of a box of encoded latitudes and longitudes; its {@code minLat} is no more. */
  static GeoArea box(int minLat, int maxLat, int minLon, int maxLon) {
    ByteBuffer b = buffer(GeoBoxLayout.BYTES);
    writeBox(b, minLat, maxLat, minLon, maxLon);
    return new GeoArea(Operator.GEO_BOX, least(minLat), greatest(maxLat), b.array());
  }

  /**
   * Makes the area of a circle, with the grid that {@code LatLonDocValuesField}'s query makes of
   * it.
   *
   * @return null if no point can be in it
   */
  static GeoArea circle(Circle circle) {
    Component2D shape = LatLonGeometry.create(circle);
    int minLat = GeoEncodingUtils.encodeLatitudeCeil(shape.getMinY());
    int maxLat = GeoEncodingUtils.encodeLatitude(shape.getMaxY());
    int minLon = GeoEncodingUtils.encodeLongitudeCeil(shape.getMinX());
    int maxLon = GeoEncodingUtils.encodeLongitude(shape.getMaxX());
    if (minLat > maxLat || minLon > maxLon) {
      return null;
    }
    Cells rows = Cells.of(minLat, maxLat);
    Cells columns = Cells.of(minLon, maxLon);
    ByteBuffer b =
        buffer(GeoBoxLayout.BYTES + GeoCircleLayout.BYTES + rows.count * GeoRowLayout.BYTES);
    writeBounds(b, circle);
    int at = GeoBoxLayout.BYTES;
    GeoCircleLayout.lat(b, at, circle.getLat());
    GeoCircleLayout.lon(b, at, circle.getLon());
    GeoCircleLayout.maxKey(b, at, GeoUtils.distanceQuerySortKey(circle.getRadius()));
    GeoCircleLayout.latBase(b, at, rows.base);
    GeoCircleLayout.lonBase(b, at, columns.base);
    GeoCircleLayout.latShift(b, at, rows.shift);
    GeoCircleLayout.lonShift(b, at, columns.shift);
    GeoCircleLayout.columns(b, at, columns.count);
    at += GeoCircleLayout.BYTES;
    for (int r = 0; r < rows.count; r++, at += GeoRowLayout.BYTES) {
      writeRow(b, at, shape, rows, r, columns);
    }
    return new GeoArea(
        Operator.GEO_DISTANCE, least(rows.min(0)), greatest(rows.max(rows.count - 1)), b.array());
  }

  /** Returns how many entries of a plan it takes. */
  public int entryCount() {
    return entries.length / ValueRangeLayout.BYTES;
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static long least(int lat) {
    return (long) lat << Integer.SIZE;
  }

  private static long greatest(int lat) {
    return least(lat) | 0xFFFFFFFFL;
  }

  private static void writeBox(ByteBuffer b, int minLat, int maxLat, int minLon, int maxLon) {
    GeoBoxLayout.minLat(b, 0, minLat);
    GeoBoxLayout.maxLat(b, 0, maxLat);
    GeoBoxLayout.minLon(b, 0, minLon);
    GeoBoxLayout.maxLon(b, 0, maxLon);
  }

  /** Writes the box outside which {@code Circle2D.contains} looks at no distance. */
  private static void writeBounds(ByteBuffer b, Circle circle) {
    Rectangle box =
        Rectangle.fromPointDistance(circle.getLat(), circle.getLon(), circle.getRadius());
    // Decoding is exact, so that these are the encoded numbers between the bounds.
    writeBox(
        b,
        GeoEncodingUtils.encodeLatitudeCeil(box.minLat),
        GeoEncodingUtils.encodeLatitude(box.maxLat),
        GeoEncodingUtils.encodeLongitudeCeil(box.minLon),
        GeoEncodingUtils.encodeLongitude(box.maxLon));
  }

  private static void writeRow(
      ByteBuffer b, int at, Component2D shape, Cells rows, int row, Cells columns) {
    double minLat = GeoEncodingUtils.decodeLatitude(rows.min(row));
    double maxLat = GeoEncodingUtils.decodeLatitude(rows.max(row));
    long inside = 0;
    long crossed = 0;
    for (int c = 0; c < columns.count; c++) {
      double minLon = GeoEncodingUtils.decodeLongitude(columns.min(c));
      double maxLon = GeoEncodingUtils.decodeLongitude(columns.max(c));
      switch (shape.relate(minLon, maxLon, minLat, maxLat)) {
        case CELL_INSIDE_QUERY -> inside |= 1L << c;
        case CELL_CROSSES_QUERY -> crossed |= 1L << c;
        case CELL_OUTSIDE_QUERY -> {}
      }
    }
    GeoRowLayout.inside(b, at, inside);
    GeoRowLayout.crossed(b, at, crossed);
  }

  /**
   * The cells of a direction, as {@code GeoEncodingUtils} cuts them: numbers from 2^31 below zero
   * on, 2^shift to a cell.
   */
  private record Cells(int base, int shift, int count) {
    static Cells of(int min, int max) {
      long first = (long) min - Integer.MIN_VALUE;
      long last = (long) max - Integer.MIN_VALUE;
      int shift = 1;
      while ((last >>> shift) - (first >>> shift) >= MAX_CELLS) {
        shift++;
      }
      int base = (int) (first >>> shift);
      return new Cells(base, shift, (int) (last >>> shift) - base + 1);
    }

    int min(int cell) {
      return ((base + cell) << shift) + Integer.MIN_VALUE;
    }

    int max(int cell) {
      return min(cell) + (1 << shift) - 1;
    }
  }
}
