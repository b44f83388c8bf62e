/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.facet.FacetsConfig;
import org.apache.lucene.geo.Polygon;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.fuzz.base.Seeds;

/** Doc values of documents beside those that every one has, and the queries that ask for values. */
final class ColumnFields {
  private static final long[] EXTREMES = {
    Long.MIN_VALUE, Long.MIN_VALUE + 1, Long.MAX_VALUE, 0, -1
  };
  private static final double[] ODD = {
    Double.NaN, -0.0, 0.0, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, Double.MIN_VALUE
  };
  private static final String[] NUMERIC = {
    Schema.NUMBER, Schema.SKIPPED, Schema.UPDATED, Schema.POINT
  };
  private static final int KEYWORDS = 30;

  private final Random random;

  ColumnFields(Random random) {
    this.random = random;
  }

  void addTo(Document document) {
    for (int i = random.nextInt(4); i > 0; i--) {
      document.add(new LongField(Schema.NUMBERS, number(), Field.Store.NO));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      document.add(new DoubleField(Schema.DOUBLES, real(), Field.Store.NO));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      document.add(new KeywordField(Schema.KEYWORDS, keyword(), Field.Store.NO));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      document.add(new SortedSetDocValuesField(Schema.FACETS, facet()));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      double lat = latitude();
      double lon = longitude();
      document.add(new LatLonPoint(Schema.PLACES, lat, lon));
      document.add(new LatLonDocValuesField(Schema.PLACES, lat, lon));
    }
  }

  private double latitude() {
    return random.nextInt(10) == 0 ? 90 - 180 * random.nextInt(2) : 48 + random.nextGaussian();
  }

  private double longitude() {
    double lon = (Seeds.oneIn(random, 3) ? 180 : 11) + random.nextGaussian();
    return lon > 180 ? lon - 360 : lon;
  }

  private Polygon ring(Polygon... holes) {
    int corners = 3 + random.nextInt(40);
    double[] lats = new double[corners + 1];
    double[] lons = new double[corners + 1];
    Arrays.setAll(lats, i -> latitude());
    Arrays.setAll(lons, i -> longitude());
    lats[corners] = lats[0];
    lons[corners] = lons[0];
    return new Polygon(lats, lons, holes);
  }

  /** Returns a query for points in an area. */
  private Query area() {
    double lat = latitude();
    double lon = longitude();
    Query points;
    Query values;
    int kind = random.nextInt(4);
    if (kind > 1) {
      Polygon[] polygons = new Polygon[1 + random.nextInt(2)];
      Arrays.setAll(polygons, i -> ring(kind == 2 ? new Polygon[] {} : new Polygon[] {ring()}));
      points = LatLonPoint.newPolygonQuery(Schema.PLACES, polygons);
      values = LatLonDocValuesField.newSlowPolygonQuery(Schema.PLACES, polygons);
    } else if (kind == 1) {
      double radius = Math.pow(10, 7.3 * random.nextDouble());
      points = LatLonPoint.newDistanceQuery(Schema.PLACES, lat, lon, radius);
      values = LatLonDocValuesField.newSlowDistanceQuery(Schema.PLACES, lat, lon, radius);
    } else {
      double other = latitude();
      double south = Math.min(lat, other);
      double north = Math.max(lat, other);
      double east = longitude();
      points = LatLonPoint.newBoxQuery(Schema.PLACES, south, north, lon, east);
      values = LatLonDocValuesField.newSlowBoxQuery(Schema.PLACES, south, north, lon, east);
    }
    return random.nextBoolean() ? values : new IndexOrDocValuesQuery(points, values);
  }

  private long number() {
    return Seeds.oneIn(random, 30)
        ? EXTREMES[random.nextInt(EXTREMES.length)]
        : random.nextInt(Schema.MAX_VALUE);
  }

  private double real() {
    return Seeds.oneIn(random, 30) ? ODD[random.nextInt(ODD.length)] : random.nextGaussian();
  }

  private BytesRef keyword() {
    return new BytesRef("k" + (int) (KEYWORDS * random.nextDouble() * random.nextDouble()));
  }

  private BytesRef facet() {
    String label = "l" + (int) (KEYWORDS * random.nextDouble() * random.nextDouble());
    return new BytesRef(FacetsConfig.pathToString("d" + random.nextInt(3), label));
  }

  /** A query for values of one field. */
  Query query() {
    return switch (random.nextInt(16)) {
      case 0, 1, 2 -> numeric();
      case 3 -> bothWays();
      case 4, 5, 6 -> numbers();
      case 7 -> doubles();
      case 8, 9, 10 -> keywords();
      case 11 -> string();
      case 12, 13 -> area();
      default -> new FieldExistsQuery(field());
    };
  }

  private String field() {
    String[] more = {Schema.NUMBERS, Schema.DOUBLES, Schema.KEYWORDS, Schema.STRING};
    return random.nextBoolean()
        ? NUMERIC[random.nextInt(NUMERIC.length)]
        : more[random.nextInt(more.length)];
  }

  private long width() {
    return random.nextInt(Seeds.oneIn(random, 3) ? 2 * Schema.MAX_VALUE : Schema.MAX_VALUE / 5);
  }

  private Query numeric() {
    String field = NUMERIC[random.nextInt(NUMERIC.length)];
    long lo = random.nextInt(Schema.MAX_VALUE + 20) - 10;
    return switch (random.nextInt(6)) {
      case 0 -> NumericDocValuesField.newSlowExactQuery(field, lo);
      case 1 -> NumericDocValuesField.newSlowSetQuery(field, set());
      case 2 -> NumericDocValuesField.newSlowRangeQuery(field, lo, Long.MAX_VALUE);
      case 3 -> NumericDocValuesField.newSlowRangeQuery(field, Long.MIN_VALUE, lo);
      default -> NumericDocValuesField.newSlowRangeQuery(field, lo, lo + width());
    };
  }

  private long[] set() {
    long[] values = new long[1 + random.nextInt(Seeds.oneIn(random, 10) ? 1000 : 6)];
    for (int i = 0; i < values.length; i++) {
      values[i] = number();
    }
    return values;
  }

  private Query bothWays() {
    long lo = random.nextInt(Schema.MAX_VALUE);
    long hi = lo + width();
    return new IndexOrDocValuesQuery(
        LongPoint.newRangeQuery(Schema.POINT, lo, hi),
        NumericDocValuesField.newSlowRangeQuery(Schema.POINT, lo, hi));
  }

  private Query numbers() {
    long lo = number();
    return switch (random.nextInt(6)) {
      case 0 -> LongField.newExactQuery(Schema.NUMBERS, lo);
      case 1 -> LongField.newSetQuery(Schema.NUMBERS, set());
      case 2 -> SortedNumericDocValuesField.newSlowSetQuery(Schema.NUMBERS, set());
      case 3 -> SortedNumericDocValuesField.newSlowRangeQuery(Schema.NUMBERS, lo, number());
      default -> LongField.newRangeQuery(Schema.NUMBERS, lo, Math.max(lo, lo + width()));
    };
  }

  private Query doubles() {
    double one = real();
    double other = real();
    return switch (random.nextInt(4)) {
      case 0 -> DoubleField.newExactQuery(Schema.DOUBLES, one);
      case 1 -> DoubleField.newSetQuery(Schema.DOUBLES, one, other);
      default -> {
        boolean inOrder = Double.compare(one, other) <= 0;
        yield DoubleField.newRangeQuery(
            Schema.DOUBLES, inOrder ? one : other, inOrder ? other : one);
      }
    };
  }

  private Query keywords() {
    BytesRef one = Seeds.oneIn(random, 8) ? null : keyword();
    return switch (random.nextInt(6)) {
      case 0 -> SortedSetDocValuesField.newSlowExactQuery(Schema.KEYWORDS, keyword());
      case 1, 2 -> {
        List<BytesRef> set = new ArrayList<>();
        for (int i = random.nextInt(6); i >= 0; i--) {
          set.add(keyword());
        }
        yield switch (random.nextInt(3)) {
          case 0 -> SortedSetDocValuesField.newSlowSetQuery(Schema.KEYWORDS, set);
          case 1 -> KeywordField.newSetQuery(Schema.KEYWORDS, set);
          default -> new TermInSetQuery(MultiTermQuery.DOC_VALUES_REWRITE, Schema.KEYWORDS, set);
        };
      }
      case 3 -> wildcards(Schema.KEYWORDS, "k");
      default ->
          SortedSetDocValuesField.newSlowRangeQuery(
              Schema.KEYWORDS, one, keyword(), random.nextBoolean(), random.nextBoolean());
    };
  }

  private Query string() {
    return random.nextBoolean()
        ? wildcards(Schema.STRING, "s")
        : SortedDocValuesField.newSlowExactQuery(
            Schema.STRING, new BytesRef("s" + random.nextInt(13)));
  }

  private Query wildcards(String field, String head) {
    MultiTermQuery.RewriteMethod method = MultiTermQuery.DOC_VALUES_REWRITE;
    int most = Integer.MAX_VALUE;
    return switch (random.nextInt(3)) {
      case 0 -> new PrefixQuery(new Term(field, head + random.nextInt(4)), method);
      case 1 -> new WildcardQuery(new Term(field, head + "*" + random.nextInt(4)), most, method);
      default ->
          new TermRangeQuery(
              field,
              new BytesRef(head + random.nextInt(4)),
              new BytesRef(head + random.nextInt(10)),
              random.nextBoolean(),
              random.nextBoolean(),
              method);
    };
  }
}
