/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Supplier;
import org.apache.lucene.geo.Circle;
import org.apache.lucene.geo.Component2D;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.geo.GeoUtils;
import org.apache.lucene.geo.LatLonGeometry;
import org.apache.lucene.geo.Polygon;
import org.apache.lucene.geo.Rectangle;
import org.luceneoffload.wire.Operator;
import org.luceneoffload.wire.layout.GeoBoxLayout;
import org.luceneoffload.wire.layout.GeoCircleLayout;
import org.luceneoffload.wire.layout.GeoPointLayout;
import org.luceneoffload.wire.layout.GeoPolygonLayout;
import org.luceneoffload.wire.layout.GeoRingLayout;
import org.luceneoffload.wire.layout.GeoRowLayout;
import org.luceneoffload.wire.layout.ValueRangeLayout;

/**
 * An area of points as a plan has it (wire/WIRE.md, geo_box, geo_circle and geo_polygon). A point
 * is a value of {@code LatLonDocValuesField}: the encoded latitude in the upper 32 bits, the
 * longitude in the lower ones. For any number of threads.
 */
public final class GeoArea {
  /**
   * A box of encoded latitudes and longitudes, all ends included.
   *
   * @param minLon above {@code maxLon} if the box crosses the date line
   */
  public record Box(int minLat, int maxLat, int minLon, int maxLon) {}

  /** Lucene decides of most points by a grid of so many cells in each direction. */
  private static final int MAX_CELLS = 64;

  /** Polygons of more bytes run on the host. */
  private static final int MAX_POLYGON_BYTES = ColumnFilter.MAX_RANGES * ValueRangeLayout.BYTES;

  private final Operator operator;
  private final Box box;
  private final int minLat;
  private final int maxLat;
  private final int entryCount;
  private final Supplier<byte[]> maker;
  private volatile byte[] entries;

  private GeoArea(
      Operator operator, Box box, int minLat, int maxLat, int bytes, Supplier<byte[]> maker) {
    this.operator = operator;
    this.box = box;
    this.minLat = minLat;
    this.maxLat = maxLat;
    this.entryCount = bytes / ValueRangeLayout.BYTES;
    this.maker = maker;
  }

  /** Makes the area of a box; its {@code minLat} is not above {@code maxLat}. */
  static GeoArea of(Box box) {
    return new GeoArea(
        Operator.GEO_BOX,
        box,
        box.minLat,
        box.maxLat,
        GeoBoxLayout.BYTES,
        () -> {
          ByteBuffer b = buffer(GeoBoxLayout.BYTES);
          writeBox(b, box);
          return b.array();
        });
  }

  /**
   * Makes the area of a circle, with the grid that {@code LatLonDocValuesField}'s query makes of
   * it.
   *
   * @return null if no point can be in it
   */
  static GeoArea of(Circle circle) {
    Grid grid = Grid.of(LatLonGeometry.create(circle));
    if (grid == null) {
      return null;
    }
    Box box = bounds(circle);
    return new GeoArea(
        Operator.GEO_DISTANCE,
        box,
        grid.rows.min(0),
        grid.rows.max(grid.rows.count - 1),
        GeoBoxLayout.BYTES + GeoCircleLayout.BYTES + grid.bytes(),
        () -> entries(circle, box, grid));
  }

  /**
   * Makes the area of polygons, likewise.
   *
   * @return null if no point can be in it, or a plan has no room for it
   */
  static GeoArea of(Polygon... polygons) {
    Grid grid = Grid.of(LatLonGeometry.create(polygons));
    if (grid == null) {
      return null;
    }
    long bytes = GeoPolygonLayout.BYTES + grid.bytes() + ringBytes(polygons);
    if (bytes > MAX_POLYGON_BYTES) {
      return null;
    }
    return new GeoArea(
        Operator.GEO_POLYGON,
        grid.box,
        grid.rows.min(0),
        grid.rows.max(grid.rows.count - 1),
        (int) bytes,
        () -> entries(polygons, grid, (int) bytes));
  }

  private static long ringBytes(Polygon[] polygons) {
    long bytes = 0;
    for (Polygon polygon : polygons) {
      bytes += GeoRingLayout.BYTES + (long) polygon.numPoints() * GeoPointLayout.BYTES;
      bytes += ringBytes(polygon.getHoles());
    }
    return bytes;
  }

  /** Returns the operator of nodes for it. */
  public Operator operator() {
    return operator;
  }

  /** Returns whether a grid decides of most points, which takes a while to make. */
  public boolean hasGrid() {
    return operator != Operator.GEO_BOX;
  }

  /** Returns the box around the area. */
  public Box box() {
    return box;
  }

  /** Returns a value that no point of the area is below. */
  public long lo() {
    return (long) minLat << Integer.SIZE;
  }

  /** Returns a value that no point of the area is above. */
  public long hi() {
    return (long) maxLat << Integer.SIZE | 0xFFFFFFFFL;
  }

  /** Returns how many entries of a plan it takes, of {@link ValueRangeLayout#BYTES} bytes each. */
  public int entryCount() {
    return entryCount;
  }

  /** Returns these entries, which are made when they are first asked for; not to be changed. */
  public byte[] entries() {
    byte[] made = entries;
    if (made == null) {
      made = maker.get();
      entries = made;
    }
    return made;
  }

  private static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void writeBox(ByteBuffer b, Box box) {
    GeoBoxLayout.minLat(b, 0, box.minLat);
    GeoBoxLayout.maxLat(b, 0, box.maxLat);
    GeoBoxLayout.minLon(b, 0, box.minLon);
    GeoBoxLayout.maxLon(b, 0, box.maxLon);
  }

  /**
   * Returns the box outside which {@code Circle2D.contains} looks at no distance. Decoding is
   * exact, so that these are the encoded numbers between its bounds.
   */
  private static Box bounds(Circle circle) {
    Rectangle box =
        Rectangle.fromPointDistance(circle.getLat(), circle.getLon(), circle.getRadius());
    return new Box(
        GeoEncodingUtils.encodeLatitudeCeil(box.minLat),
        GeoEncodingUtils.encodeLatitude(box.maxLat),
        GeoEncodingUtils.encodeLongitudeCeil(box.minLon),
        GeoEncodingUtils.encodeLongitude(box.maxLon));
  }

  private static byte[] entries(Circle circle, Box box, Grid grid) {
    ByteBuffer b = buffer(GeoBoxLayout.BYTES + GeoCircleLayout.BYTES + grid.bytes());
    writeBox(b, box);
    int at = GeoBoxLayout.BYTES;
    GeoCircleLayout.lat(b, at, circle.getLat());
    GeoCircleLayout.lon(b, at, circle.getLon());
    GeoCircleLayout.maxKey(b, at, GeoUtils.distanceQuerySortKey(circle.getRadius()));
    GeoCircleLayout.latBase(b, at, grid.rows.base);
    GeoCircleLayout.lonBase(b, at, grid.columns.base);
    GeoCircleLayout.latShift(b, at, grid.rows.shift);
    GeoCircleLayout.lonShift(b, at, grid.columns.shift);
    GeoCircleLayout.columns(b, at, grid.columns.count);
    grid.write(b, at + GeoCircleLayout.BYTES);
    return b.array();
  }

  private static byte[] entries(Polygon[] polygons, Grid grid, int bytes) {
    ByteBuffer b = buffer(bytes);
    GeoPolygonLayout.latBase(b, 0, grid.rows.base);
    GeoPolygonLayout.lonBase(b, 0, grid.columns.base);
    GeoPolygonLayout.latShift(b, 0, grid.rows.shift);
    GeoPolygonLayout.lonShift(b, 0, grid.columns.shift);
    GeoPolygonLayout.rows(b, 0, grid.rows.count);
    GeoPolygonLayout.columns(b, 0, grid.columns.count);
    int at = grid.write(b, GeoPolygonLayout.BYTES);
    for (Polygon polygon : polygons) {
      at = writeRing(b, at, polygon, false);
      for (Polygon hole : polygon.getHoles()) {
        at = writeRing(b, at, hole, true);
      }
    }
    return b.array();
  }

  private static int writeRing(ByteBuffer b, int start, Polygon ring, boolean isHole) {
    GeoRingLayout.points(b, start, ring.numPoints());
    GeoRingLayout.hole(b, start, isHole ? 1 : 0);
    int at = start + GeoRingLayout.BYTES;
    for (int i = 0; i < ring.numPoints(); i++, at += GeoPointLayout.BYTES) {
      GeoPointLayout.lat(b, at, ring.getPolyLat(i));
      GeoPointLayout.lon(b, at, ring.getPolyLon(i));
    }
    return at;
  }

  /** The cells around a shape, as {@code GeoEncodingUtils} makes them. */
  private record Grid(Component2D shape, Box box, Cells rows, Cells columns) {
    /** Returns the cells around a shape; null if no point can be in it. */
    static Grid of(Component2D shape) {
      int minLat = GeoEncodingUtils.encodeLatitudeCeil(shape.getMinY());
      int maxLat = GeoEncodingUtils.encodeLatitude(shape.getMaxY());
      int minLon = GeoEncodingUtils.encodeLongitudeCeil(shape.getMinX());
      int maxLon = GeoEncodingUtils.encodeLongitude(shape.getMaxX());
      return minLat > maxLat || minLon > maxLon
          ? null
          : new Grid(
              shape,
              new Box(minLat, maxLat, minLon, maxLon),
              Cells.of(minLat, maxLat),
              Cells.of(minLon, maxLon));
    }

    int bytes() {
      return rows.count * GeoRowLayout.BYTES;
    }

    /** Writes the rows; returns the end of them. */
    int write(ByteBuffer b, int start) {
      int at = start;
      for (int r = 0; r < rows.count; r++, at += GeoRowLayout.BYTES) {
        writeRow(b, at, r);
      }
      return at;
    }

    private void writeRow(ByteBuffer b, int at, int row) {
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
