/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.OffloadQuery;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Words;

/** Queries for features run on the device, and score as stock does. */
class TestFeatures extends SearcherTestCase {
  /** Names that could be taken for a part of a query's text. */
  private static final String ODD = "x, feature=y, function=LinearFunction)";

  @Override
  public void write(IndexWriter writer) throws IOException {
    super.write(writer);
    writer.flush();
    addOfAllMagnitudes(writer);
    for (int segment = 0; segment < 3; segment++) {
      for (int i = 0; i < 1500; i++) {
        writer.addDocument(document(segment));
      }
      words.delete(writer, 60);
      writer.flush();
    }
  }

  private void addOfAllMagnitudes(IndexWriter writer) throws IOException {
    for (int i = 0; i < 4500; i++) {
      Document document = new Document();
      document.add(new FeatureField("features", "flat", 1 + i % 2));
      if (random.nextInt(10) == 0) {
        float wide = (float) Math.pow(10, 60 * random.nextDouble() - 30);
        document.add(new FeatureField("features", "wide", wide));
      }
      writer.addDocument(document);
      if (i % 1500 == 1499) {
        writer.flush();
      }
    }
  }

  private Document document(int segment) {
    Document document = words.document();
    if (random.nextInt(8) > 0) {
      float rank = (float) Math.exp(4 * random.nextGaussian());
      document.add(new FeatureField("features", "rank", rank));
    }
    if (random.nextInt(3) == 0) {
      document.add(new FeatureField("features", "stars", 1 + random.nextInt(5)));
    }
    if (random.nextInt(200) == 0) {
      document.add(new FeatureField("features", "rare", random.nextInt(1000) + 0.5f));
    }
    if (segment == 1 && random.nextInt(9) == 0) {
      int bits = random.nextInt(0x7F7FFFFF - 0x800000) + 0x800000; // any normal float
      document.add(new FeatureField("features", "any", Float.intBitsToFloat(bits)));
    }
    // Frequencies of one document add up, beyond that of the greatest float.
    for (int n = random.nextInt(4); n > 0; n--) {
      float often = random.nextInt(3) == 0 ? Float.MAX_VALUE : 0.001f + random.nextFloat() * 4;
      document.add(new FeatureField("features", "often", often));
    }
    if (random.nextInt(4) == 0) {
      document.add(new FeatureField(ODD, ODD, random.nextFloat() + 0.001f));
    }
    return document;
  }

  private List<Query> of(String field, String name) {
    return List.of(
        FeatureField.newSaturationQuery(field, name),
        FeatureField.newSaturationQuery(field, name, 3.7f, 0.01f + random.nextFloat() * 9),
        FeatureField.newLogQuery(field, name, 0.3f, 1f + random.nextInt(5)),
        FeatureField.newSigmoidQuery(field, name, 2f, 0.1f + random.nextFloat() * 5, 0.6f),
        FeatureField.newSigmoidQuery(field, name, 1f, 7f, 2.5f),
        FeatureField.newLinearQuery(field, name, 0.9f));
  }

  private static Query both(Query first, Occur occur, Query second) {
    return new BooleanQuery.Builder().add(first, Occur.MUST).add(second, occur).build();
  }

  @Test
  void functions() throws IOException {
    for (String name : new String[] {"rank", "stars", "rare", "any", "often"}) {
      for (Query query : of("features", name)) {
        onDevice(() -> Answers.same(stock(reader), query, always(), query));
        same(reader, query);
      }
    }
  }

  /** Stock skips docs by the values of a feature, where nothing else restricts them. */
  @Test
  void stockIsLedByFeatures() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    Query linear = FeatureField.newLinearQuery("features", "rank", 1f);
    Query bounded = FeatureField.newSaturationQuery("features", "rank", 1f, 2f);
    onHost(() -> searcher.search(bounded, new TopScoreDocCollectorManager(10, null, 10)));
    Query all = both(new TermQuery(new Term("body", "w0")), Occur.SHOULD, linear);
    onHost(() -> searcher.search(all, new TopScoreDocCollectorManager(10, null, 10)));
    onDevice(
        () -> searcher.search(all, new TopScoreDocCollectorManager(10, null, Integer.MAX_VALUE)));
    BooleanQuery.Builder several = new BooleanQuery.Builder();
    for (String name : new String[] {"rank", "stars", "rare"}) {
      several.add(FeatureField.newLinearQuery("features", name, 1f), Occur.SHOULD);
    }
    onDevice(() -> searcher.search(several.build(), new TopScoreDocCollectorManager(10, null, 10)));
    Query log = FeatureField.newLogQuery("features", "flat", 1f, 1f);
    several.add(log, Occur.SHOULD);
    onHost(() -> searcher.search(several.build(), new TopScoreDocCollectorManager(10, null, 10)));
    Query some = both(new TermQuery(new Term("title", "w79")), Occur.SHOULD, linear);
    onDevice(() -> searcher.search(some, new TopScoreDocCollectorManager(10, null, 10)));
  }

  /** The greatest bound makes the others no less: they are what decides between small scores. */
  @Test
  void scoresOfAllMagnitudesBesideOthers() throws IOException {
    Query wide = FeatureField.newLinearQuery("features", "wide", 39f);
    Query flat = FeatureField.newSaturationQuery("features", "flat", 39f, 34f);
    Query query =
        new BooleanQuery.Builder().add(wide, Occur.SHOULD).add(flat, Occur.SHOULD).build();
    for (int k = 20; k < 1500; k += 80) {
      List<String> hits = Answers.hits(stock(reader).search(query, k));
      assertEquals(hits, Answers.hits(always().search(query, k)), "best " + k);
      Query wrapped = new OffloadQuery(query);
      assertEquals(hits, Answers.hits(stock(reader).search(wrapped, k)), "wrapped " + k);
    }
  }

  @Test
  void namesLikeTheTextOfQueries() throws IOException {
    for (Query query : of(ODD, ODD)) {
      onDevice(() -> same(reader, query));
    }
  }

  @Test
  void placesInOtherQueries() throws IOException {
    for (Query feature : of("features", "rank")) {
      Query text = words.query();
      for (Occur occur : Occur.values()) {
        same(reader, both(text, occur, feature));
      }
      Query either =
          new BooleanQuery.Builder()
              .add(Words.term("w1"), Occur.SHOULD)
              .add(new BoostQuery(feature, 0.2f), Occur.SHOULD)
              .add(Words.term("w9"), Occur.SHOULD)
              .build();
      same(reader, either);
      same(reader, new ConstantScoreQuery(feature));
      same(reader, both(either, Occur.SHOULD, FeatureField.newLogQuery("features", "any", 1f, 2f)));
      same(reader, new DisjunctionMaxQuery(List.of(feature, Words.term("w3")), 0.3f));
    }
  }

  @Test
  void absentFeatures() throws IOException {
    Query absent = FeatureField.newLinearQuery("features", "absent", 2f);
    Query noField = FeatureField.newLogQuery("nowhere", "absent", 2f, 3f);
    for (Query query : new Query[] {absent, noField}) {
      same(reader, query);
      same(reader, both(Words.term("w1"), Occur.SHOULD, query));
      same(reader, both(Words.term("w1"), Occur.MUST, query));
    }
  }

  /** Frequencies of words are features, too: tiny ones. */
  @Test
  void wordsAsFeatures() throws IOException {
    for (Query query : of("body", "w2")) {
      same(reader, both(Words.term("w1"), Occur.SHOULD, query));
    }
  }

  @Test
  void endlessScoresAreForTheHost() throws IOException {
    Query query = new BoostQuery(FeatureField.newLinearQuery("features", "any", 64f), 1e30f);
    same(reader, query);
  }

  @Test
  void planSaysFeature() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    Query query =
        both(
            Words.term("w1"),
            Occur.SHOULD,
            FeatureField.newSaturationQuery("features", "rank", 1f, 2f));
    PlanExplanation.Node plan = searcher.explainPlan(query).leaves().getLast().plan();
    assertTrue(plan.toString().contains("FEATURE_TERM"), plan.toString());
    Query unscored = both(new TermQuery(new Term("body", "w1")), Occur.FILTER, query);
    same(reader, unscored);
  }
}
