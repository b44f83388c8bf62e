/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.sort;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.geo.GeoUtils;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.SortField;
import org.apache.lucene.util.SloppyMath;
import org.luceneoffload.wire.sort.KeyValues;

/**
 * The point from which {@code LatLonDocValuesField.newDistanceSort} sorts. Keys are those of {@code
 * SloppyMath.haversinSortKey}, as doubles; Lucene gives meters.
 *
 * @param lat latitude in degrees
 * @param lon longitude in degrees
 */
public record DistanceOrigin(double lat, double lon) {
  /** The key of a doc without a point. */
  static final long NOWHERE = KeyValues.ofDouble(Double.POSITIVE_INFINITY);

  private static final Class<?> DISTANCE_SORT =
      LatLonDocValuesField.newDistanceSort("field", 0, 0).getClass();

  /** The class of the sort is hidden: it prints where it begins, behind the name of the field. */
  private static final Pattern PRINTED =
      Pattern.compile("\" latitude=([-+.0-9E]+) longitude=([-+.0-9E]+)>$");

  /** Haversine keys end in bits of zeros: others lie between two of them. */
  private static final long KEY_STEP = 8;

  /** Returns where a sort begins; null if it is not by distance. */
  static DistanceOrigin of(SortField field) {
    if (field.getClass() != DISTANCE_SORT) {
      return null;
    }
    Matcher printed = PRINTED.matcher(field.toString());
    if (!printed.find()) {
      return null;
    }
    DistanceOrigin origin =
        new DistanceOrigin(
            Double.parseDouble(printed.group(1)), Double.parseDouble(printed.group(2)));
    SortField made = LatLonDocValuesField.newDistanceSort(field.getField(), origin.lat, origin.lon);
    return made.equals(field) ? origin : null;
  }

  /** Returns the distance that Lucene gives for a key. */
  static double meters(long key) {
    double sortKey = KeyValues.toDouble(key);
    return Double.isInfinite(sortKey) ? sortKey : SloppyMath.haversinMeters(sortKey);
  }

  /** Returns whether a distance is one that Lucene gives for one key alone. */
  static boolean isKnown(double meters) {
    if (!(meters >= 0)) {
      return false;
    }
    long key = key(meters);
    return meters(key) == meters
        && (key == NOWHERE
            || (meters(key - KEY_STEP) != meters && meters(key + KEY_STEP) != meters));
  }

  /**
   * Returns the key of a doc, which its distance does not always tell: several keys of the other
   * side of the globe have one distance.
   */
  long keyOf(LeafReader reader, String field, int doc) throws IOException {
    SortedNumericDocValues points = DocValues.getSortedNumeric(reader, field);
    double nearest = Double.POSITIVE_INFINITY;
    int count = points.advanceExact(doc) ? points.docValueCount() : 0;
    for (int i = 0; i < count; i++) {
      long point = points.nextValue();
      double pointLat = GeoEncodingUtils.decodeLatitude((int) (point >> Integer.SIZE));
      double pointLon = GeoEncodingUtils.decodeLongitude((int) point);
      nearest = Math.min(nearest, SloppyMath.haversinSortKey(lat, lon, pointLat, pointLon));
    }
    return KeyValues.ofDouble(nearest);
  }

  /** Returns the key of a distance that Lucene gave, or one that is near. */
  static long key(double meters) {
    if (Double.isInfinite(meters)) {
      return NOWHERE;
    }
    long near = Double.doubleToRawLongBits(GeoUtils.distanceQuerySortKey(meters));
    long below = near & -KEY_STEP;
    double key = Double.longBitsToDouble(below);
    return KeyValues.ofDouble(
        SloppyMath.haversinMeters(key) == meters ? key : Double.longBitsToDouble(below + KEY_STEP));
  }
}
