/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.values;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FloatField;
import org.apache.lucene.document.IntField;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.Device;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.searcher.OlderDevice;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.wire.Operator;

/** Queries for sets of values run on the device, whatever their size, and say what stock says. */
class TestColumnSets extends SearcherTestCase {
  private static final int KEYWORDS = 3000;
  private static final int NUMBERS = 20_000;

  /** The document of each segment that surely has a keyword, of the same number. */
  private static final int EVERYWHERE = 77;

  /** Sizes of sets: alone, as many as a device compares one by one, more, and most. */
  private static final int[] SIZES = {1, 2, 7, 63, 64, 65, 500, 4096};

  @Override
  public int documents() {
    return 9000;
  }

  @Override
  public void write(IndexWriter writer) throws IOException {
    for (int segment = 0; segment < 3; segment++) {
      for (int i = 0; i < documents() / 3; i++) {
        writer.addDocument(document(i));
      }
      writer.flush();
    }
    writer.deleteDocuments(new Term("body", "rare"));
  }

  private Document document(int i) {
    Document document = new Document();
    String text = random.nextInt(40) == 0 ? "rare" : "";
    for (int word = random.nextInt(6); word >= 0; word--) {
      text += " w" + (int) (20 * random.nextDouble() * random.nextDouble());
    }
    document.add(new TextField("body", text, Field.Store.NO));
    document.add(new NumericDocValuesField("ascending", 10L * i));
    document.add(new NumericDocValuesField("wide", wide(random.nextInt(NUMBERS))));
    document.add(new NumericDocValuesField("few", wide(random.nextInt(9))));
    if (i == EVERYWHERE) {
      document.add(new SortedDocValuesField("word", keyword(i)));
      document.add(new KeywordField("keys", keyword(i), Field.Store.NO));
    } else if (random.nextInt(4) > 0) {
      document.add(new SortedDocValuesField("word", keyword(random.nextInt(KEYWORDS))));
    }
    for (int n = random.nextInt(3); n > 0; n--) {
      document.add(new LongField("longs", random.nextInt(NUMBERS), Field.Store.NO));
      document.add(new IntField("ints", random.nextInt(NUMBERS), Field.Store.NO));
      document.add(new FloatField("floats", random.nextInt(9000) / 8f, Field.Store.NO));
      document.add(new DoubleField("doubles", random.nextInt(9000) / -8.0, Field.Store.NO));
      document.add(new KeywordField("keys", keyword(random.nextInt(KEYWORDS)), Field.Store.NO));
    }
    return document;
  }

  private static BytesRef keyword(int i) {
    return new BytesRef("k" + i);
  }

  /** Numbers far apart, in no order. */
  private static long wide(int i) {
    return i * 0x9E3779B97F4A7C15L;
  }

  /** Numbers below a limit, the first of them amid those of the documents. */
  private int[] numbers(int size, int below) {
    int[] numbers = random.ints(size, 0, below).toArray();
    numbers[0] = NUMBERS / 2;
    return numbers;
  }

  /** Keywords, the first of them one that every segment has. */
  private List<BytesRef> keywords(int size) {
    return IntStream.concat(IntStream.of(EVERYWHERE), random.ints(size - 1, 0, KEYWORDS))
        .mapToObj(TestColumnSets::keyword)
        .toList();
  }

  /** Sets of every kind, of about so many values each. */
  private List<Query> sets(int size) {
    long[] longs = Arrays.stream(numbers(size, 30_000)).asLongStream().toArray();
    long[] wide = Arrays.stream(numbers(size, 30_000)).mapToLong(TestColumnSets::wide).toArray();
    float[] floats = new float[size];
    double[] doubles = new double[size];
    for (int i = 0; i < size; i++) {
      floats[i] = random.nextInt(9000) / 8f;
      doubles[i] = random.nextInt(9000) / -8.0;
    }
    return List.of(
        NumericDocValuesField.newSlowSetQuery("ascending", longs.clone()),
        NumericDocValuesField.newSlowSetQuery("wide", wide.clone()),
        NumericDocValuesField.newSlowSetQuery(
            "few", IntStream.range(0, size).mapToLong(i -> wide(2 * i)).toArray()),
        SortedNumericDocValuesField.newSlowSetQuery("longs", longs.clone()),
        LongField.newSetQuery("longs", longs.clone()),
        IntField.newSetQuery("ints", numbers(size, 30_000)),
        FloatField.newSetQuery("floats", floats),
        DoubleField.newSetQuery("doubles", doubles),
        SortedDocValuesField.newSlowSetQuery("word", keywords(size)),
        SortedSetDocValuesField.newSlowSetQuery("keys", keywords(size)),
        KeywordField.newSetQuery("keys", keywords(size)),
        new TermInSetQuery(MultiTermQuery.DOC_VALUES_REWRITE, "keys", keywords(size)));
  }

  /** Sets in the places that they can have in a query. */
  private static List<Query> queries(Query set) {
    Query some =
        new BooleanQuery.Builder()
            .add(new TermQuery(new Term("body", "w0")), Occur.SHOULD)
            .add(new TermQuery(new Term("body", "w3")), Occur.SHOULD)
            .build();
    return List.of(
        set,
        new BooleanQuery.Builder().add(some, Occur.MUST).add(set, Occur.FILTER).build(),
        new BooleanQuery.Builder().add(some, Occur.SHOULD).add(set, Occur.SHOULD).build(),
        new BooleanQuery.Builder().add(some, Occur.MUST).add(set, Occur.MUST_NOT).build());
  }

  private static void assertSame(IndexSearcher stock, IndexSearcher offload, Query query)
      throws IOException {
    assertEquals(stock.count(query), offload.count(query), query::toString);
    TopDocs expected = stock.search(query, 20);
    TopDocs actual = offload.search(query, 20);
    assertEquals(expected.scoreDocs.length, actual.scoreDocs.length, query::toString);
    for (int i = 0; i < expected.scoreDocs.length; i++) {
      ScoreDoc hit = actual.scoreDocs[i];
      assertEquals(expected.scoreDocs[i].doc, hit.doc, query::toString);
      assertEquals(
          Float.floatToRawIntBits(expected.scoreDocs[i].score),
          Float.floatToRawIntBits(hit.score),
          query::toString);
    }
  }

  @Test
  void setsSayWhatStockSays() throws IOException {
    IndexSearcher stock = stock(reader);
    OffloadIndexSearcher offload = new OffloadIndexSearcher(reader);
    offload.setPlacement(Placement.ALWAYS);
    for (int size : SIZES) {
      for (Query set : sets(size)) {
        for (Query query : queries(set)) {
          if (size < 7) { // that a value or two occur nowhere is known without a device
            assertSame(stock, offload, query);
          } else {
            onDevice(() -> assertSame(stock, offload, query));
          }
        }
      }
    }
  }

  @Test
  void everyWayToAskSaysTheSame() throws IOException {
    for (Query set : sets(200)) {
      same(reader, queries(set).get(1));
    }
  }

  /** The root of the first plan, of a segment that has one. */
  private static PlanExplanation.Node plan(OffloadIndexSearcher searcher, Query query)
      throws IOException {
    PlanExplanation explained = searcher.explainPlan(query);
    return explained.leaves().stream()
        .map(PlanExplanation.Leaf::plan)
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow(() -> new AssertionError(explained.toString()));
  }

  @Test
  void setIsOneNode() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    PlanExplanation.Node set =
        plan(searcher, NumericDocValuesField.newSlowSetQuery("ascending", 10, 11, 12, 500, 7));
    assertEquals("COLUMN_IN", set.op());
    assertEquals(3, set.range().ranges());
    PlanExplanation.Node keys = plan(searcher, KeywordField.newSetQuery("keys", keywords(700)));
    assertEquals("COLUMN_IN", keys.op());
    assertTrue(keys.range().ranges() > 64, keys::toString);
    PlanExplanation.Node prefix =
        plan(searcher, new PrefixQuery(new Term("keys", "k1"), MultiTermQuery.DOC_VALUES_REWRITE));
    assertEquals("COLUMN_RANGE", prefix.children().get(0).op());
  }

  @Test
  void exactKeywordsAreTerms() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    Query exact = KeywordField.newExactQuery("keys", "k" + EVERYWHERE);
    PlanExplanation.Node constant = plan(searcher, exact);
    assertEquals("CONST", constant.op());
    assertEquals("TERM", constant.children().get(0).op());
    onDevice(() -> assertSame(stock(reader), searcher, exact));
  }

  @Test
  void tooManyValuesStayWithStock() throws IOException {
    long[] even = IntStream.range(0, 5000).mapToLong(i -> 2L * i).toArray();
    Query many = NumericDocValuesField.newSlowSetQuery("ascending", even);
    onHost(() -> assertSame(stock(reader), new OffloadIndexSearcher(reader), many));
  }

  @Test
  void sidesThatDifferStayWithStock() throws IOException {
    Query numbers =
        new IndexOrDocValuesQuery(
            LongPoint.newSetQuery("longs", 1, 2, 3),
            SortedNumericDocValuesField.newSlowSetQuery("longs", 1, 2, 4));
    Query keys =
        new IndexOrDocValuesQuery(
            new TermInSetQuery("keys", keywords(20)),
            new TermInSetQuery(MultiTermQuery.DOC_VALUES_REWRITE, "keys", keywords(20)));
    for (Query differs : List.of(numbers, keys)) {
      PlanExplanation explained = new OffloadIndexSearcher(reader).explainPlan(differs);
      assertEquals(Refusal.Reason.UNSUPPORTED_QUERY, explained.refusal().reason());
    }
  }

  @Test
  void olderDevicesTakeRangesOneByOne() throws IOException {
    Device device = new OlderDevice(home, Operator.COLUMN_IN);
    try (OffloadDirectory older = OffloadDirectory.wrap(new ByteBuffersDirectory(), device)) {
      try (IndexWriter writer = new IndexWriter(older, config())) {
        for (int i = 0; i < 600; i++) {
          writer.addDocument(document(i));
        }
        writer.forceMerge(1);
      }
      try (DirectoryReader onOlder = DirectoryReader.open(older)) {
        OffloadIndexSearcher searcher = new OffloadIndexSearcher(onOlder);
        searcher.setPlacement(Placement.ALWAYS); // few values are left to stock else
        IndexSearcher stock = stock(onOlder);
        List<Query> small = new ArrayList<>(queries(LongField.newSetQuery("longs", 5, 90, 700)));
        small.add(NumericDocValuesField.newSlowSetQuery("ascending", 0, 50, 60, 3000));
        for (Query query : small) {
          long before = older.stats().get(Counter.LEAVES_OFFLOADED);
          assertSame(stock, searcher, query);
          assertTrue(older.stats().get(Counter.LEAVES_OFFLOADED) > before, query::toString);
        }
        Query ascending = small.get(small.size() - 1);
        assertEquals("CONST", plan(searcher, ascending).op());
        long[] hundred = IntStream.range(0, 100).mapToLong(i -> 20L * i).toArray();
        Query large = NumericDocValuesField.newSlowSetQuery("ascending", hundred);
        assertSame(stock, searcher, large);
        PlanExplanation.Leaf leaf = searcher.explainPlan(large).leaves().get(0);
        assertEquals(Refusal.Reason.PLAN_LIMIT, leaf.refusal().reason());
      }
      assertEquals(0, older.stats().get(Counter.LEAVES_FALLEN_BACK));
    }
  }
}
