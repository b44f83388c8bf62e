/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.values;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.ShapeField.QueryRelation;
import org.apache.lucene.document.TextField;
import org.apache.lucene.geo.Circle;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.geo.Polygon;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldDocs;
import org.junit.jupiter.api.Test;
import org.luceneoffload.QuickRun;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;

/** Boxes, distances, polygons and sorts by distance run on the device, and say what stock says. */
class TestGeoQueries extends SearcherTestCase {
  /** Places around which points lie: on the date line, near it, at the poles, on the equator. */
  private static final double[][] PLACES = {
    {52.52, 13.4}, {0, 0}, {-17.7, 180}, {66.5, -179.99}, {90, 0}, {-90, 77}, {-33.9, 151.2}
  };

  /** How far they lie from it, in degrees: the least is about two steps of the encoding. */
  private static final double[] SPREADS = {1e-7, 1e-4, 0.1, 3, 40};

  @Override
  public int documents() {
    return 6000;
  }

  @Override
  public void write(IndexWriter writer) throws IOException {
    for (int segment = 0; segment < 3; segment++) {
      for (int i = 0; i < documents() / 3; i++) {
        writer.addDocument(document(segment));
      }
      writer.flush();
    }
    writer.deleteDocuments(new Term("body", "rare"));
  }

  private Document document(int segment) {
    Document document = new Document();
    String text = random.nextInt(40) == 0 ? "rare" : "";
    for (int word = random.nextInt(6); word >= 0; word--) {
      text += " w" + (int) (20 * random.nextDouble() * random.nextDouble());
    }
    document.add(new TextField("body", text, Field.Store.NO));
    document.add(new KeywordField("key", "k" + random.nextInt(5), Field.Store.NO));
    addPoint(document, "one", anyPoint());
    for (int i = random.nextInt(4); i > 0; i--) {
      addPoint(document, "several", anyPoint());
    }
    if (segment == 1) {
      addPoint(document, "there", anyPoint());
    }
    if (random.nextInt(3) == 0) {
      // Few places: a page has them as a table.
      addPoint(document, "few", PLACES[random.nextInt(PLACES.length)]);
    }
    document.add(new NumericDocValuesField("number", random.nextLong()));
    return document;
  }

  private static void addPoint(Document document, String field, double[] point) {
    document.add(new LatLonPoint(field, point[0], point[1]));
    document.add(new LatLonDocValuesField(field, point[0], point[1]));
  }

  private double[] anyPoint() {
    double[] place = PLACES[random.nextInt(PLACES.length)];
    double spread = SPREADS[random.nextInt(SPREADS.length)];
    double lat = place[0] + spread * random.nextGaussian();
    double lon = place[1] + spread * random.nextGaussian();
    while (lon > 180) {
      lon -= 360;
    }
    while (lon < -180) {
      lon += 360;
    }
    return new double[] {Math.max(-90, Math.min(90, lat)), lon};
  }

  private double radius() {
    return random.nextInt(20) == 0 ? 0 : Math.pow(10, -2 + 9.3 * random.nextDouble());
  }

  private Query distance(String field) {
    double[] point = anyPoint();
    double radius = radius();
    Query values = LatLonDocValuesField.newSlowDistanceQuery(field, point[0], point[1], radius);
    Query points = LatLonPoint.newDistanceQuery(field, point[0], point[1], radius);
    return random.nextBoolean() ? values : new IndexOrDocValuesQuery(points, values);
  }

  private Query box(String field) {
    double[] a = anyPoint();
    double[] b = random.nextBoolean() ? anyPoint() : near(a);
    double south = Math.min(a[0], b[0]);
    double north = Math.max(a[0], b[0]);
    Query values = LatLonDocValuesField.newSlowBoxQuery(field, south, north, a[1], b[1]);
    Query points = LatLonPoint.newBoxQuery(field, south, north, a[1], b[1]);
    return random.nextBoolean() ? values : new IndexOrDocValuesQuery(points, values);
  }

  private double[] near(double[] point) {
    return new double[] {
      Math.max(-90, Math.min(90, point[0] + 1e-7 * random.nextGaussian())),
      Math.max(-180, Math.min(180, point[1] + 1e-7 * random.nextGaussian()))
    };
  }

  private Query area() {
    String field = List.of("one", "several", "there", "few", "absent").get(random.nextInt(5));
    return switch (random.nextInt(4)) {
      case 0 -> box(field);
      case 1 -> distance(field);
      default -> polygons(field);
    };
  }

  private Query beside(Query filter) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    builder.add(word(), random.nextBoolean() ? Occur.MUST : Occur.SHOULD);
    builder.add(word(), Occur.SHOULD);
    Occur[] occurs = {Occur.FILTER, Occur.MUST, Occur.SHOULD, Occur.MUST_NOT};
    return builder.add(filter, occurs[random.nextInt(occurs.length)]).build();
  }

  private Query word() {
    return new TermQuery(new Term("body", "w" + random.nextInt(20)));
  }

  @Test
  void areasAreStocks() throws IOException {
    onDevice(
        () -> {
          for (int i = 0; i < QuickRun.rounds(60); i++) {
            Query area = area();
            same(reader, area);
            same(reader, beside(area));
          }
        });
  }

  /** Each circle has points on both sides of its edge, a step of the encoding apart. */
  @Test
  void edgesAreStocks() throws IOException {
    IndexSearcher stock = stock(reader);
    Sort byDistance;
    for (int i = 0; i < QuickRun.rounds(40); i++) {
      double[] point = anyPoint();
      byDistance = new Sort(LatLonDocValuesField.newDistanceSort("one", point[0], point[1]));
      TopFieldDocs near =
          stock.search(MatchAllDocsQuery.INSTANCE, 1 + random.nextInt(500), byDistance);
      FieldDoc last = (FieldDoc) near.scoreDocs[near.scoreDocs.length - 1];
      double radius = (Double) last.fields[0];
      for (double r : List.of(radius, Math.nextUp(radius), Math.nextDown(radius), radius + 0.01)) {
        if (r >= 0 && Double.isFinite(r)) {
          Query query = LatLonDocValuesField.newSlowDistanceQuery("one", point[0], point[1], r);
          Answers.same(stock, query, always(), query);
        }
      }
    }
  }

  /** Which queries plans take, whatever the class that all relations to shapes have. */
  @Test
  void othersAreTheHosts() throws IOException {
    Circle circle = new Circle(52.5, 13.4, 5000);
    Query within = LatLonDocValuesField.newSlowGeometryQuery("one", QueryRelation.WITHIN, circle);
    Query points = LatLonPoint.newDistanceQuery("one", 52.5, 13.4, 5000);
    Query other = LatLonDocValuesField.newSlowDistanceQuery("one", 52.5, 13.4, 5001);
    Polygon turned =
        new Polygon(new double[] {50, 60, 60, 50, 50}, new double[] {20, 20, 0, 0, 20});
    for (Query query :
        List.of(
            within,
            points,
            LatLonPoint.newBoxQuery("one", 50, 60, 0, 20),
            new IndexOrDocValuesQuery(points, other),
            new IndexOrDocValuesQuery(points, within),
            LatLonDocValuesField.newSlowGeometryQuery(
                "one", QueryRelation.INTERSECTS, square(), circle),
            LatLonDocValuesField.newSlowGeometryQuery(
                "one", QueryRelation.INTERSECTS, circle, square()),
            LatLonDocValuesField.newSlowGeometryQuery("one", QueryRelation.WITHIN, square()),
            LatLonDocValuesField.newSlowGeometryQuery("one", QueryRelation.DISJOINT, square()),
            LatLonPoint.newPolygonQuery("one", square()),
            new IndexOrDocValuesQuery(
                LatLonPoint.newPolygonQuery("one", square()),
                LatLonDocValuesField.newSlowPolygonQuery("one", turned)),
            LatLonDocValuesField.newSlowPolygonQuery("one", circle(52, 13, 20, 4100)),
            LatLonDocValuesField.newSlowBoxQuery("one", 90, 90, 0, 1))) {
      onHost(() -> same(reader, query));
    }
    onDevice(
        () -> same(reader, LatLonDocValuesField.newSlowDistanceQuery("one", 52.5, 13.4, 5000)));
    // Stock finds no points in a field of single numbers, as it finds none in an absent one.
    onHost(() -> same(reader, LatLonDocValuesField.newSlowBoxQuery("number", -90, 90, -180, 180)));
  }

  private static Polygon square() {
    return new Polygon(new double[] {50, 50, 60, 60, 50}, new double[] {0, 20, 20, 0, 0});
  }

  private static double latitude(double degrees) {
    return Math.max(-90, Math.min(90, degrees));
  }

  private static double longitude(double degrees) {
    return Math.max(-180, Math.min(180, degrees));
  }

  private static Polygon circle(double lat, double lon, double radius, int edges) {
    double[] lats = new double[edges + 1];
    double[] lons = new double[edges + 1];
    for (int i = 0; i < edges; i++) {
      lats[i] = latitude(lat + radius * Math.sin(2 * Math.PI * i / edges));
      lons[i] = longitude(lon + radius * Math.cos(2 * Math.PI * i / edges));
    }
    lats[edges] = lats[0];
    lons[edges] = lons[0];
    return new Polygon(lats, lons);
  }

  /** Returns a ring through points of documents and others; some edges lie along the axes. */
  private Polygon ring(Polygon... holes) {
    int count = 3 + random.nextInt(random.nextInt(4) == 0 ? 200 : 6);
    double[] lats = new double[count + 1];
    double[] lons = new double[count + 1];
    for (int i = 0; i < count; i++) {
      double[] point =
          random.nextInt(3) == 0 ? PLACES[random.nextInt(PLACES.length)] : near(anyPoint());
      int along = i == 0 ? 0 : random.nextInt(5);
      lats[i] = along == 1 ? lats[i - 1] : point[0];
      lons[i] = along == 2 ? lons[i - 1] : point[1];
    }
    lats[count] = lats[0];
    lons[count] = lons[0];
    return new Polygon(lats, lons, holes);
  }

  private Polygon polygon() {
    double[] at = anyPoint();
    double radius = SPREADS[random.nextInt(SPREADS.length)];
    return switch (random.nextInt(4)) {
      case 0 -> circle(at[0], at[1], radius, 3 + random.nextInt(500));
      case 1 -> ring();
      case 2 -> ring(ring(), ring());
      default -> ring(circle(at[0], at[1], radius, 5));
    };
  }

  private Query polygons(String field) {
    Polygon[] polygons = new Polygon[1 + random.nextInt(3)];
    Arrays.setAll(polygons, i -> polygon());
    Query values = LatLonDocValuesField.newSlowPolygonQuery(field, polygons);
    Query points = LatLonPoint.newPolygonQuery(field, polygons);
    return random.nextBoolean() ? values : new IndexOrDocValuesQuery(points, values);
  }

  /** Polygons with corners at points of documents, and edges through them. */
  @Test
  void edgesOfPolygonsAreStocks() throws IOException {
    IndexSearcher stock = stock(reader);
    onDevice(
        () -> {
          for (int i = 0; i < QuickRun.rounds(40); i++) {
            double[] a = PLACES[random.nextInt(PLACES.length)];
            double[] b = PLACES[random.nextInt(PLACES.length)];
            double[] c = decoded(anyPoint());
            Polygon triangle =
                new Polygon(
                    new double[] {a[0], b[0], c[0], a[0]}, new double[] {a[1], b[1], c[1], a[1]});
            for (String field : List.of("one", "few")) {
              Query query = LatLonDocValuesField.newSlowPolygonQuery(field, triangle, polygon());
              Answers.same(stock, query, always(), query);
            }
          }
        });
  }

  private static double[] decoded(double[] point) {
    return new double[] {
      GeoEncodingUtils.decodeLatitude(GeoEncodingUtils.encodeLatitude(point[0])),
      GeoEncodingUtils.decodeLongitude(GeoEncodingUtils.encodeLongitude(point[1]))
    };
  }

  private List<Sort> sorts() {
    List<Sort> sorts = new ArrayList<>();
    double[] point = anyPoint();
    for (String field : List.of("one", "several", "there", "few", "absent")) {
      SortField distance = LatLonDocValuesField.newDistanceSort(field, point[0], point[1]);
      sorts.add(new Sort(distance));
      sorts.add(new Sort(distance, SortField.FIELD_SCORE));
      sorts.add(new Sort(new SortedSetSortField("key", true), distance));
      double[] other = anyPoint();
      sorts.add(
          new Sort(distance, LatLonDocValuesField.newDistanceSort("one", other[0], other[1])));
    }
    return sorts;
  }

  @Test
  void sortsByDistanceAreStocks() throws IOException {
    IndexSearcher stock = stock(reader);
    onDevice(
        () -> {
          for (int i = 0; i < QuickRun.rounds(8); i++) {
            for (Sort sort : sorts()) {
              for (Query query : List.of(MatchAllDocsQuery.INSTANCE, word(), beside(area()))) {
                int k = 1 + random.nextInt(100);
                TopFieldDocs expected = stock.search(query, k, sort);
                sameHits(sort + " " + query, expected, always().search(query, k, sort));
                if (expected.scoreDocs.length > 0) {
                  FieldDoc after =
                      (FieldDoc) expected.scoreDocs[random.nextInt(expected.scoreDocs.length)];
                  sameHits(
                      sort + " " + query + " after " + after,
                      stock.searchAfter(after, query, k, sort),
                      always().searchAfter(after, query, k, sort));
                }
              }
            }
          }
        });
  }

  private static void sameHits(String of, TopDocs expected, TopDocs actual) {
    assertEquals(expected.scoreDocs.length, actual.scoreDocs.length, of);
    for (int i = 0; i < expected.scoreDocs.length; i++) {
      FieldDoc one = (FieldDoc) expected.scoreDocs[i];
      FieldDoc other = (FieldDoc) actual.scoreDocs[i];
      assertEquals(one.doc, other.doc, () -> of + ": " + one + " and " + other);
      assertEquals(List.of(one.fields), List.of(other.fields), of);
    }
    assertTrue(actual.totalHits.value() >= expected.scoreDocs.length);
  }

  /** A box of no height or width takes no point, or those that lie there. */
  @Test
  void narrowBoxesAreStocks() throws IOException {
    assertEquals(
        MatchNoDocsQuery.class,
        LatLonDocValuesField.newSlowBoxQuery("one", 90, 90, 0, 1).getClass());
    for (int i = 0; i < QuickRun.rounds(40); i++) {
      double[] a = anyPoint();
      double[] b = near(a);
      Query box =
          LatLonDocValuesField.newSlowBoxQuery(
              "one", Math.min(a[0], b[0]), Math.max(a[0], b[0]), a[1], b[1]);
      same(reader, box);
    }
  }
}
