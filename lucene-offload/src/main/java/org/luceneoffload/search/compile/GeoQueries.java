/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.geo.Circle;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;

/**
 * Recognises the queries for points of a {@code LatLonDocValuesField} in a box or a circle. Their
 * classes are hidden: what they ask for is what they print, if the query that is made of it is
 * equal.
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
      area = circle(field, values, index);
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

  private static GeoArea circle(String field, Query values, Query index) {
    Matcher printed = PRINTED_CIRCLE.matcher(values.toString(field));
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

  private static double[] numbers(Matcher printed) {
    double[] numbers = new double[printed.groupCount()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Double.parseDouble(printed.group(i + 1));
    }
    return numbers;
  }
}
