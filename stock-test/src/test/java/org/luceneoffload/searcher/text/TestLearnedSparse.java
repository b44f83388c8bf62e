/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.QuickRun;
import org.luceneoffload.config.Placement;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Words;

/** Queries of many features, as models of sparse vectors make them, answer as stock does. */
class TestLearnedSparse extends SearcherTestCase {
  private static final String FIELD = "vector";
  private static final int FEATURES = 160;
  private static final int DOCUMENTS = QuickRun.QUICK ? 1500 : 6000;

  /** One segment, three, or twenty. */
  private final int segments = new int[] {1, 3, 20}[random.nextInt(3)];

  /** Documents whose vectors are the same tie. */
  private final boolean coarse = random.nextInt(3) == 0;

  @Override
  public void write(IndexWriter writer) throws IOException {
    for (int segment = 0; segment < segments; segment++) {
      for (int i = 0; i < DOCUMENTS / segments; i++) {
        writer.addDocument(document(segment));
      }
      if (random.nextBoolean()) {
        words.delete(writer, DOCUMENTS / 100 / segments);
      }
      writer.flush();
    }
  }

  private Document document(int segment) {
    Document document = words.document();
    for (int feature = 0; feature < FEATURES; feature++) {
      // The first ones are in most documents, the last ones in a few; some miss in a segment.
      if (random.nextInt(feature + 8) < 8 && (segment != 1 || feature % 7 != 0)) {
        float value =
            coarse ? 1 + random.nextInt(2) : 0.02f + 4 * random.nextFloat() * random.nextFloat();
        document.add(new FeatureField(FIELD, name(feature), value));
      }
    }
    return document;
  }

  private static String name(int feature) {
    return "f" + feature;
  }

  private Query feature() {
    float weight = coarse ? 1 : 0.05f + 20 * random.nextFloat() * random.nextFloat();
    Query linear = FeatureField.newLinearQuery(FIELD, name(random.nextInt(FEATURES + 5)), weight);
    return random.nextInt(9) == 0 ? new BoostQuery(linear, 0.7f) : linear;
  }

  private List<Query> features(int count) {
    return IntStream.range(0, count).mapToObj(i -> feature()).toList();
  }

  private BooleanQuery.Builder any(int count) {
    BooleanQuery.Builder any = new BooleanQuery.Builder();
    features(count).forEach(feature -> any.add(feature, Occur.SHOULD));
    return any;
  }

  private int drawCount() {
    return new int[] {1, 2, 3, 6, 7, 10, 30, 60, 120}[random.nextInt(9)];
  }

  /** Compares the best hits and what is said of their number. */
  private void sameBest(Query query) throws IOException {
    int exact = stock(reader).count(query);
    for (int k : new int[] {1, 10, 100, 1000}) {
      int threshold = new int[] {1, 100, 1000, Integer.MAX_VALUE}[random.nextInt(4)];
      TopDocs expected =
          stock(reader).search(query, new TopScoreDocCollectorManager(k, null, threshold));
      String what = query + ", best " + k + " of " + segments + " segments";
      OffloadIndexSearcher always = always();
      Action best =
          () ->
              Answers.sameTop(
                  expected, always.topDocs(query, k, threshold), exact, threshold, what);
      if (exact == 0) { // no segment need have any of the features
        best.run();
      } else {
        onDevice(best);
      }
      TopDocs got = always.search(query, new TopScoreDocCollectorManager(k, null, threshold));
      Answers.sameTop(expected, got, exact, threshold, what);
    }
  }

  @Test
  void disjunctions() throws IOException {
    for (int i = 0; i < 12; i++) {
      sameBest(any(drawCount()).add(Words.term("w1"), Occur.SHOULD).build());
      sameBest(any(7 + random.nextInt(60)).build());
    }
    same(reader, any(30).build());
  }

  @Test
  void besideOtherClauses() throws IOException {
    for (int i = 0; i < 3; i++) {
      for (Occur occur : new Occur[] {Occur.MUST, Occur.FILTER, Occur.MUST_NOT}) {
        sameBest(any(20).add(Words.term("w" + i), occur).build());
        same(reader, any(drawCount()).add(feature(), occur).add(words.query(), Occur.MUST).build());
      }
      sameBest(any(30).setMinimumNumberShouldMatch(1 + random.nextInt(6)).build());
      sameBest(any(5).setMinimumNumberShouldMatch(2).build());
      Query both =
          new BooleanQuery.Builder()
              .add(any(12).build(), Occur.MUST)
              .add(any(9).build(), Occur.SHOULD)
              .build();
      sameBest(both);
      sameBest(new DisjunctionMaxQuery(features(2 + random.nextInt(10)), 0.3f * random.nextInt(2)));
    }
  }

  @Test
  void conjunctions() throws IOException {
    for (int i = 0; i < 6; i++) {
      Query all =
          new BooleanQuery.Builder()
              .add(FeatureField.newLinearQuery(FIELD, name(random.nextInt(40)), 2f), Occur.MUST)
              .add(FeatureField.newLinearQuery(FIELD, name(random.nextInt(40)), 3f), Occur.MUST)
              .add(feature(), Occur.SHOULD)
              .build();
      Answers.same(stock(reader), all, always(), all);
      same(reader, all);
    }
  }

  @Test
  void slices() throws Exception {
    try (ExecutorService executor = Executors.newFixedThreadPool(2)) {
      OffloadIndexSearcher searcher =
          segments == 1 ? new OffloadIndexSearcher(reader, executor) : sliced(reader, executor);
      searcher.setPlacement(Placement.ALWAYS);
      for (int i = 0; i < 4; i++) {
        Query query = any(30).build();
        assertEquals(
            Answers.hits(stock(reader).search(query, 50)),
            Answers.hits(searcher.search(query, 50)));
      }
    }
  }

  @Test
  void deviceNeedsNoTables() throws IOException {
    Query query = any(120).build();
    assertTrue(always().explainPlan(query).toString().contains("LINEAR_TERM"));
    onDevice(() -> always().topDocs(query, 10, 1000));
  }

  /** Lists of every length: stock tells the greatest value of whole blocks alone. */
  @Test
  void greatestValueIsAnywhere() throws IOException {
    for (int length : new int[] {1, 2, 127, 128, 129, 4095, 4096, 4097, 4400}) {
      int greatest = random.nextInt(length);
      List<Float> values = new ArrayList<>();
      for (int i = 0; i < length; i++) {
        values.add(i == greatest ? 50f : 1 + random.nextFloat());
      }
      hasGreatest(values, greatest);
    }
  }

  private void hasGreatest(List<Float> values, int greatest) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config())) {
      writer.deleteAll();
      for (float value : values) {
        Document document = new Document();
        document.add(new FeatureField(FIELD, "only", value));
        document.add(new FeatureField(FIELD, "other", 1f));
        writer.addDocument(document);
      }
    }
    try (DirectoryReader other = DirectoryReader.open(directory)) {
      BooleanQuery.Builder query = new BooleanQuery.Builder();
      query.add(FeatureField.newLinearQuery(FIELD, "only", 3f), Occur.SHOULD);
      query.add(FeatureField.newLinearQuery(FIELD, "other", 64f), Occur.SHOULD);
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(other);
      searcher.setPlacement(Placement.ALWAYS);
      TopDocs best = searcher.topDocs(query.build(), 1, 1);
      assertEquals(greatest, best.scoreDocs[0].doc);
      assertEquals(Answers.hits(stock(other).search(query.build(), 1)), Answers.hits(best));
    }
  }
}
