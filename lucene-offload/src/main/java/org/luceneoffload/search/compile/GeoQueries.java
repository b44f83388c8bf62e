/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.geo.Circle;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.geo.Polygon;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;

/**
 * Recognises the queries for points of a {@code LatLonDocValuesField} in a box, a circle or
 * polygons. Their classes are hidden: what they ask for is what they print, if the query that is
 * made of it is equal.
 */
public final class GeoQueries {
  private static final Class<?> BOX =
      LatLonDocValuesField.newSlowBoxQuery("field", 0, 1, 0, 1).getClass();
  private static final Class<?> GEOMETRY =
      LatLonDocValuesField.newSlowDistanceQuery("field", 0, 0, 1).getClass();

  private static final String NUMBER = "([-+.0-9E]+)";
  private static final Pattern PRINTED_BOX =
      Pattern.compile("box\\(minLat=%s, maxLat=%s, minLon=%s, maxLon=%s\\)".replace("%s", NUMBER));
  private static final Pattern PRINTED_CIRCLE =
      Pattern.compile(
          "INTERSECTS:geometries\\(\\[Circle\\(\\[%s,%s] radius = %s meters\\)]\\)"
              .replace("%s", NUMBER));
  private static final String INTERSECTS = "INTERSECTS:geometries(";

  private GeoQueries() {}

  /** Returns whether queries of a class may ask for points. */
  public static boolean takes(Class<?> type) {
    return type == BOX || type == GEOMETRY || type == IndexOrDocValuesQuery.class;
  }

  /** Returns the filter of a query for points; null if it asks for something else. */
  public static ColumnFilter filter(IndexSearcher searcher, Query query) {
    Query index = null;
    Query values = query;
    if (query instanceof IndexOrDocValuesQuery either) {
      index = either.getIndexQuery();
      values = either.getRandomAccessQuery();
    }
    String field = HiddenParts.field(values);
    GeoArea area = null;
    if (values.getClass() == BOX) {
      area = box(field, values, index);
    } else if (values.getClass() == GEOMETRY) {
      String printed = values.toString(field);
      area =
          printed.startsWith(INTERSECTS + "[Polygon[")
              ? polygons(printed, field, values, index)
              : circle(printed, field, values, index);
    }
    return area == null ? null : new ColumnFilter(searcher, query, field, area);
  }

  private static GeoArea box(String field, Query values, Query index) {
    Matcher printed = PRINTED_BOX.matcher(values.toString(field));
    if (!printed.matches()) {
      return null;
    }
    double[] n = numbers(printed);
    // A box from one longitude to a lesser one crosses the date line, or is empty.
    if (n[0] > n[1]
        || !LatLonDocValuesField.newSlowBoxQuery(field, n[0], n[1], n[2], n[3]).equals(values)
        || (index != null
            && !LatLonPoint.newBoxQuery(field, n[0], n[1], n[2], n[3]).equals(index))) {
      return null;
    }
    return GeoArea.of(
        new GeoArea.Box(
            GeoEncodingUtils.encodeLatitude(n[0]),
            GeoEncodingUtils.encodeLatitude(n[1]),
            GeoEncodingUtils.encodeLongitude(n[2]),
            GeoEncodingUtils.encodeLongitude(n[3])));
  }

  private static GeoArea circle(String text, String field, Query values, Query index) {
    Matcher printed = PRINTED_CIRCLE.matcher(text);
    if (!printed.matches()) {
      return null;
    }
    double[] n = numbers(printed);
    if (!LatLonDocValuesField.newSlowDistanceQuery(field, n[0], n[1], n[2]).equals(values)
        || (index != null
            && !LatLonPoint.newDistanceQuery(field, n[0], n[1], n[2]).equals(index))) {
      return null;
    }
    return GeoArea.of(new Circle(n[0], n[1], n[2]));
  }

  private static GeoArea polygons(String text, String field, Query values, Query index) {
    Polygon[] polygons = new Printed(text, INTERSECTS.length()).array();
    if (polygons == null
        || !LatLonDocValuesField.newSlowPolygonQuery(field, polygons).equals(values)
        || (index != null && !LatLonPoint.newPolygonQuery(field, polygons).equals(index))) {
      return null;
    }
    return GeoArea.of(polygons);
  }

  private static double[] numbers(Matcher printed) {
    double[] numbers = new double[printed.groupCount()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Double.parseDouble(printed.group(i + 1));
    }
    return numbers;
  }

  /** Reads polygons that were printed, from the number of a character on. */
  private static final class Printed {
    private static final Polygon[] NONE = {};

    private final String text;
    private int at;

    Printed(String text, int at) {
      this.text = text;
      this.at = at;
    }

    private boolean skip(String token) {
      boolean isThere = text.startsWith(token, at);
      at += isThere ? token.length() : 0;
      return isThere;
    }

    /** Returns the polygons of the array that is next; null if it has something else. */
    Polygon[] array() {
      List<Polygon> polygons = new ArrayList<>();
      skip("[");
      do {
        if (!skip("Polygon")) {
          return null;
        }
        polygons.add(polygon());
      } while (skip(", "));
      return skip("]") ? polygons.toArray(NONE) : null;
    }

    private Polygon polygon() {
      double[] lats = new double[8];
      double[] lons = new double[8];
      int count = 0;
      while (skip("[")) {
        if (count == lats.length) {
          lats = Arrays.copyOf(lats, 2 * count);
          lons = Arrays.copyOf(lons, 2 * count);
        }
        lats[count] = number(", ");
        lons[count++] = number("] ");
      }
      Polygon[] holes = skip(", holes=") ? array() : NONE;
      return new Polygon(Arrays.copyOf(lats, count), Arrays.copyOf(lons, count), holes);
    }

    /** Returns the number that ends before a token, which is skipped. */
    private double number(String end) {
      int from = at;
      int to = text.indexOf(end, from);
      at = to + end.length();
      return Double.parseDouble(text.substring(from, to));
    }
  }
}
