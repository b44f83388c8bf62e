/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.IORunnable;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.config.Placement;
import org.luceneoffload.search.choice.Costs;

/**
 * Measures again what {@link Costs} says, over an index that it makes: the engine in the process
 * and stock Lucene, one thread, all in memory. A cost that grows with something is fitted to times
 * of several sizes by least squares of relative errors.
 */
public final class ChoiceCosts {
  private static final int DOCS = 1 << 18;
  private static final int LEAF_POINTS = 512;
  private static final int[] DENSE_BITS = {8, 16, 24};
  private static final int[] SPARSE_BITS = {9, 11, 13, 15, 18};
  private static final int WIDE_BITS = 40;
  private static final int[] SIZES = {4, 16, 64};
  private static final int TURNS = 25;

  /** Work is repeated for so long at least: it is compiled meanwhile. */
  private static final long MIN_WORK_NS = 500_000_000;

  private static final int FEATURES = 30;
  private static final int HITS = 10;
  private static final int THRESHOLD = 1000;

  private final OffloadIndexSearcher device;
  private final OffloadIndexSearcher stock;
  private final OffloadIndexSearcher auto;

  /** Times of what was measured, each with the numbers of what it consists of. */
  private static final class Fit {
    private final List<double[]> parts = new ArrayList<>();
    private final List<Double> times = new ArrayList<>();

    void add(double time, double... consistsOf) {
      parts.add(consistsOf);
      times.add(time);
    }

    /** Returns the time of each part. */
    double[] solve() {
      int n = parts.getFirst().length;
      double[][] a = new double[n][n + 1];
      for (int k = 0; k < times.size(); k++) {
        double scale = 1 / (times.get(k) * times.get(k));
        for (int i = 0; i < n; i++) {
          for (int j = 0; j < n; j++) {
            a[i][j] += scale * parts.get(k)[i] * parts.get(k)[j];
          }
          a[i][n] += scale * parts.get(k)[i] * times.get(k);
        }
      }
      for (int i = 0; i < n; i++) {
        for (int row = 0; row < n; row++) {
          double factor = row == i ? 0 : a[row][i] / a[i][i];
          for (int j = i; j <= n; j++) {
            a[row][j] -= factor * a[i][j];
          }
        }
      }
      double[] solved = new double[n];
      for (int i = 0; i < n; i++) {
        solved[i] = a[i][n] / a[i][i];
      }
      return solved;
    }
  }

  private ChoiceCosts(DirectoryReader reader) {
    device = searcher(reader, Placement.ALWAYS);
    stock = searcher(reader, Placement.NEVER);
    auto = searcher(reader, Placement.AUTO);
  }

  private static OffloadIndexSearcher searcher(DirectoryReader reader, Placement placement) {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setQueryCache(null);
    searcher.setPlacement(placement);
    return searcher;
  }

  private static void write(OffloadDirectory directory) throws IOException {
    Random random = new Random(1);
    IndexWriterConfig config = new IndexWriterConfig().setCodec(new OffloadCodec());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < DOCS; i++) {
        Document document = new Document();
        for (int bits : DENSE_BITS) {
          addNumber(document, "dense" + bits, random.nextLong(1L << bits));
        }
        for (int bits : SPARSE_BITS) {
          addNumber(document, "sparse" + bits, random.nextLong(1L << bits));
        }
        addNumber(document, "wide", random.nextLong(1L << WIDE_BITS));
        double lat = 180 * random.nextDouble() - 90;
        double lon = 360 * random.nextDouble() - 180;
        document.add(new LatLonPoint("place", lat, lon));
        document.add(new LatLonDocValuesField("place", lat, lon));
        if (i % 2 == 0) {
          addNumber(document, "half", random.nextLong(1L << DENSE_BITS[1]));
        }
        for (int feature = 0; feature < FEATURES; feature++) {
          if (random.nextInt(4) == 0) {
            float value = (float) Math.exp(4 * random.nextGaussian());
            document.add(new FeatureField("features", "f" + feature, value));
          }
        }
        for (int part = 2; part <= 32; part *= 2) {
          if (random.nextInt(part) == 0) {
            document.add(new StringField("word", "1/" + part, Field.Store.NO));
          }
        }
        if (i < 2) {
          document.add(new StringField("word", "rare", Field.Store.NO));
        }
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }

  private static void addNumber(Document document, String field, long value) {
    document.add(new LongField(field, value, Field.Store.NO));
  }

  /** Returns the time that work takes, in nanoseconds: the least of some turns. */
  private static double nanos(IORunnable work) throws IOException {
    double least = Double.MAX_VALUE;
    long start = System.nanoTime();
    for (int turn = 0; turn < TURNS || System.nanoTime() - start < MIN_WORK_NS; turn++) {
      long from = System.nanoTime();
      work.run();
      least = Math.min(least, System.nanoTime() - from);
    }
    return least;
  }

  private static double count(OffloadIndexSearcher searcher, Query query) throws IOException {
    return nanos(() -> searcher.count(query));
  }

  /** Returns a query for different values, far apart, of a field. */
  private static Query values(String field, int bits, int count) {
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = ((1L << bits) / count) * i + i % 2;
    }
    return LongField.newSetQuery(field, values);
  }

  /** Returns a query for points in a box from the equator and the first meridian on. */
  private static Query box(double height, double width, boolean byPoints) {
    Query values = LatLonDocValuesField.newSlowBoxQuery("place", 0, height, 0, width);
    return byPoints
        ? new IndexOrDocValuesQuery(LatLonPoint.newBoxQuery("place", 0, height, 0, width), values)
        : values;
  }

  private static Query word(String word) {
    return new TermQuery(new Term("word", word));
  }

  private static Query all(Query... queries) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (Query query : queries) {
      builder.add(query, Occur.MUST);
    }
    return builder.build();
  }

  private static Query any(Query... queries) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (Query query : queries) {
      builder.add(query, Occur.SHOULD);
    }
    return builder.build();
  }

  private static void print(String name, double now, double measured) {
    System.out.printf(Locale.ROOT, "%-18s %12.4f %12.4f%n", name, now, measured);
  }

  private void printEngine() throws IOException {
    Fit runs = new Fit();
    Fit mapped = new Fit();
    for (int bits : DENSE_BITS) {
      String field = "dense" + bits;
      for (int count : new int[] {1, 2, 4, 8}) {
        runs.add(count(device, values(field, bits, count)) / DOCS, 1, bits * count);
      }
      mapped.add(count(device, values(field, bits, 64)) / DOCS, 1, bits);
    }
    double[] run = runs.solve();
    print("VALUE_NS", Costs.VALUE_NS, run[0]);
    print("BIT_OF_RUN_NS", Costs.BIT_OF_RUN_NS, run[1]);
    double[] map = mapped.solve();
    print("MAPPED_VALUE_NS", Costs.MAPPED_VALUE_NS, map[0]);
    print("BIT_OF_MAPPED_NS", Costs.BIT_OF_MAPPED_NS, map[1]);
    double wide = count(device, values("wide", WIDE_BITS, 64)) / DOCS;
    print("WIDE_MAPPED_NS", Costs.WIDE_MAPPED_NS, wide);
    double half = count(device, values("half", DENSE_BITS[1], 1));
    double without = (half / (DOCS / 2.0)) - run[0] - run[1] * DENSE_BITS[1];
    print("DOC_WITHOUT_NS", Costs.DOC_WITHOUT_NS, without);
    Query looked = all(word("1/32"), values("dense16", 16, 4));
    print("LOOKED_UP_NS", Costs.LOOKED_UP_NS, count(device, looked) / (DOCS / 32.0));
  }

  /** Fits stock's times to leaves, values in them, docs found and the beginning. */
  private double[] stockByPoints(boolean ranked, Query beside) throws IOException {
    Fit fit = new Fit();
    for (int bits : SPARSE_BITS) {
      double pointsOfValue = (double) DOCS / (1L << bits);
      double valuesOfLeaf = Math.max(1, LEAF_POINTS / pointsOfValue);
      for (int count : SIZES) {
        Query set = values("sparse" + bits, bits, count);
        Query query = beside == null ? set : all(set, beside);
        double time =
            ranked ? nanos(() -> stock.topDocs(query, HITS, THRESHOLD)) : count(stock, query);
        double leaves = count * Math.max(1, pointsOfValue / LEAF_POINTS);
        fit.add(time, leaves, leaves * valuesOfLeaf, count * pointsOfValue, 1);
      }
    }
    return fit.solve();
  }

  private void printStock() throws IOException {
    double[] counted = stockByPoints(false, null);
    print("LEAF_NS", Costs.LEAF_NS, counted[0]);
    print("LEAF_VALUE_NS", Costs.LEAF_VALUE_NS, counted[1]);
    print("COUNTED_NS", Costs.COUNTED_NS, counted[2]);
    print("RANKED_NS", Costs.RANKED_NS, stockByPoints(true, null)[2]);
    double[] led = stockByPoints(true, word("1/2"));
    print("LED_NS", Costs.LED_NS, led[2]);
    double[] ledToAny = stockByPoints(true, any(word("1/4"), word("1/8"), word("1/16")));
    print("LED_TO_ANY_NS", Costs.LED_TO_ANY_NS, ledToAny[2]);
    print("ANY_NS", Costs.ANY_NS, ledToAny[3] - led[3]);
  }

  private void printAreas() throws IOException {
    Fit compared = new Fit();
    for (double height : new double[] {1, 10, 45, 90}) {
      compared.add(count(device, box(height, 1, false)) / DOCS, 1, height / 180);
    }
    double[] area = compared.solve();
    print("AREA_VALUE_NS", Costs.AREA_VALUE_NS, area[0]);
    print("AREA_POINT_NS", Costs.AREA_POINT_NS, area[1]);
    Query looked = all(word("1/32"), box(90, 1, false));
    print("AREA_LOOKED_UP_NS", Costs.AREA_LOOKED_UP_NS, count(device, looked) / (DOCS / 32.0));
    Query circle = LatLonDocValuesField.newSlowDistanceQuery("place", 0, 0, 1_000_000);
    double grid = nanos(() -> circle.createWeight(stock, ScoreMode.COMPLETE_NO_SCORES, 1f));
    print("GRID_NS", Costs.GRID_NS, grid);
    Fit found = new Fit();
    Fit led = new Fit();
    for (double width : new double[] {1, 4, 16, 64}) {
      double points = DOCS * (width / 180) * (width / 360);
      double leaves = 4 * Math.sqrt(Math.max(1, points / LEAF_POINTS)); // at the edges
      found.add(count(stock, box(width, width, true)), 2 * leaves, points);
      led.add(count(stock, all(word("1/2"), box(width, width, true))), 2 * leaves, points);
    }
    print("AREA_NODE_NS", Costs.AREA_NODE_NS, found.solve()[0]);
    print("AREA_LED_NS", Costs.AREA_LED_NS, led.solve()[1]);
  }

  /** Finds from how many features on the engine is quicker; prints the ratios, too. */
  private void printFeatures() throws IOException {
    int least = 1;
    for (int count : new int[] {1, 2, 3, 5, 10, FEATURES}) {
      Query[] features = new Query[count];
      for (int i = 0; i < count; i++) {
        features[i] = FeatureField.newLinearQuery("features", "f" + i, 1 + i % 7);
      }
      Query query = count == 1 ? features[0] : any(features);
      double ours = nanos(() -> device.topDocs(query, HITS, THRESHOLD));
      double ratio = nanos(() -> stock.topDocs(query, HITS, THRESHOLD)) / ours;
      System.out.printf(
          Locale.ROOT, "  %d linear features: stock's time over ours %.2f%n", count, ratio);
      least = ratio < 1 ? count + 1 : least;
    }
    print("LINEAR_FEATURES", Costs.LINEAR_FEATURES, least);
  }

  private void printPlans() throws IOException {
    Query left = all(word("1/2"), values("sparse18", 18, 2));
    print("PLAN_NS", Costs.PLAN_NS, count(auto, left) - count(stock, left));
    Query rare = all(word("rare"), word("1/2"));
    print("PASS_PLAN_NS", Costs.PASS_PLAN_NS, count(device, rare));
    print("PASS_SCAN_NS", Costs.PASS_SCAN_NS, count(device, values("dense8", 8, 1)) / DOCS);
    Query both = all(word("1/2"), word("1/4"));
    print("PASS_MATCH_NS", Costs.PASS_MATCH_NS, count(device, both) / (DOCS / 8.0));
    double begin = sum(rare);
    print("PASS_BEGIN_NS", Costs.PASS_BEGIN_NS, begin);
    double each = (sum(word("1/2")) - sum(word("1/32"))) / (DOCS / 2.0 - DOCS / 32.0);
    print("PASS_VALUE_NS", Costs.PASS_VALUE_NS, each);
  }

  /** Returns the time of a sum over the matches, by the host. */
  private double sum(Query query) throws IOException {
    return nanos(() -> stock.aggregate(query, Aggregation.stats("dense16")));
  }

  /**
   * Measures.
   *
   * @param args a folder for the index, which is made if it is absent
   */
  public static void main(String[] args) throws IOException {
    Path index = Path.of(args[0]);
    try (OffloadDirectory directory = OffloadDirectory.open(index, "sim")) {
      if (!DirectoryReader.indexExists(directory)) {
        write(directory);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        ChoiceCosts costs = new ChoiceCosts(reader);
        System.out.printf(Locale.ROOT, "%-18s %12s %12s nanoseconds%n", "", "now", "measured");
        costs.printEngine();
        costs.printStock();
        costs.printPlans();
        costs.printAreas();
        costs.printFeatures();
      }
    }
  }
}
