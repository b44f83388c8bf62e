/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.similarities.AfterEffectB;
import org.apache.lucene.search.similarities.AfterEffectL;
import org.apache.lucene.search.similarities.AxiomaticF1EXP;
import org.apache.lucene.search.similarities.AxiomaticF1LOG;
import org.apache.lucene.search.similarities.AxiomaticF2EXP;
import org.apache.lucene.search.similarities.AxiomaticF2LOG;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.BasicModelG;
import org.apache.lucene.search.similarities.BasicModelIF;
import org.apache.lucene.search.similarities.BasicModelIn;
import org.apache.lucene.search.similarities.BasicModelIne;
import org.apache.lucene.search.similarities.BooleanSimilarity;
import org.apache.lucene.search.similarities.ClassicSimilarity;
import org.apache.lucene.search.similarities.DFISimilarity;
import org.apache.lucene.search.similarities.DFRSimilarity;
import org.apache.lucene.search.similarities.DistributionLL;
import org.apache.lucene.search.similarities.DistributionSPL;
import org.apache.lucene.search.similarities.IBSimilarity;
import org.apache.lucene.search.similarities.IndependenceChiSquared;
import org.apache.lucene.search.similarities.IndependenceSaturated;
import org.apache.lucene.search.similarities.IndependenceStandardized;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.LMJelinekMercerSimilarity;
import org.apache.lucene.search.similarities.LambdaDF;
import org.apache.lucene.search.similarities.LambdaTTF;
import org.apache.lucene.search.similarities.MultiSimilarity;
import org.apache.lucene.search.similarities.Normalization;
import org.apache.lucene.search.similarities.NormalizationH1;
import org.apache.lucene.search.similarities.NormalizationH2;
import org.apache.lucene.search.similarities.NormalizationH3;
import org.apache.lucene.search.similarities.NormalizationZ;
import org.apache.lucene.search.similarities.PerFieldSimilarityWrapper;
import org.apache.lucene.search.similarities.RawTFSimilarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.QuickRun;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;
import org.luceneoffload.searcher.Words;

/** Queries under every similarity that Lucene has, compared with stock. */
class TestSimilarities extends SearcherTestCase {
  private static final FieldType BARE = bare();

  private static FieldType bare() {
    FieldType type = new FieldType(TextField.TYPE_NOT_STORED);
    type.setOmitNorms(true);
    type.setIndexOptions(IndexOptions.DOCS);
    type.freeze();
    return type;
  }

  @Override
  public int documents() {
    return 3000;
  }

  @Override
  public void write(IndexWriter writer) throws IOException {
    super.write(writer);
    for (int i = 0; i < 60; i++) {
      Document document = words.document();
      // Long ones, and fields without norms, and without frequencies.
      String text = words.text(1 + random.nextInt(400));
      document.add(new TextField("body", "w70 ".repeat(random.nextInt(60)) + text, Field.Store.NO));
      document.add(new Field("bare", words.text(1 + random.nextInt(9)), BARE));
      document.add(new TextField("many", "often ".repeat(random.nextInt(600)), Field.Store.NO));
      document.add(new TextField("some", "times ".repeat(1 + random.nextInt(4)), Field.Store.NO));
      writer.addDocument(document);
    }
    writer.addDocument(words.document());
    writer.flush();
  }

  private static List<Similarity> similarities() {
    List<Similarity> all = new ArrayList<>();
    all.add(new ClassicSimilarity());
    all.add(new BooleanSimilarity());
    all.add(new RawTFSimilarity());
    all.add(new BM25Similarity(0.7f, 0.3f) {});
    all.add(new LMDirichletSimilarity());
    all.add(new LMDirichletSimilarity(50f));
    all.add(new LMJelinekMercerSimilarity(0.3f));
    all.add(new AxiomaticF1EXP());
    all.add(new AxiomaticF1LOG());
    all.add(new AxiomaticF2EXP());
    all.add(new AxiomaticF2LOG());
    all.add(new DFISimilarity(new IndependenceStandardized()));
    all.add(new DFISimilarity(new IndependenceSaturated()));
    all.add(new DFISimilarity(new IndependenceChiSquared()));
    List<Normalization> lengths =
        List.of(
            new NormalizationH1(),
            new NormalizationH2(),
            new NormalizationH3(),
            new NormalizationZ(),
            new Normalization.NoNormalization());
    for (Normalization length : lengths) {
      all.add(new DFRSimilarity(new BasicModelG(), new AfterEffectB(), length));
      all.add(new DFRSimilarity(new BasicModelIF(), new AfterEffectL(), length));
      all.add(new DFRSimilarity(new BasicModelIn(), new AfterEffectL(), length));
      all.add(new DFRSimilarity(new BasicModelIne(), new AfterEffectB(), length));
      all.add(new IBSimilarity(new DistributionLL(), new LambdaDF(), length));
      all.add(new IBSimilarity(new DistributionSPL(), new LambdaTTF(), length));
    }
    all.add(
        new MultiSimilarity(
            new Similarity[] {new ClassicSimilarity(), new LMDirichletSimilarity()}));
    all.add(
        new PerFieldSimilarityWrapper() {
          @Override
          public Similarity get(String field) {
            return field.equals("body")
                ? new LMJelinekMercerSimilarity(0.7f)
                : new BM25Similarity();
          }
        });
    return all;
  }

  private static IndexSearcher with(IndexSearcher searcher, Similarity similarity) {
    searcher.setSimilarity(similarity);
    searcher.setQueryCache(null);
    return searcher;
  }

  private void same(Similarity similarity, Query query) throws IOException {
    for (Way way : Way.drawn()) {
      Answers.same(
          with(stock(reader), similarity),
          query,
          with(way.searcher(reader), similarity),
          way.query(query));
    }
  }

  private Query boosted(Query query) {
    return random.nextBoolean() ? query : new BoostQuery(query, 4 * random.nextFloat());
  }

  /** A device counts the tables of each node, also those that several share. */
  @Test
  void oneTermInManyClauses() throws IOException {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 0; i < 14; i++) {
      BooleanQuery clause =
          new BooleanQuery.Builder()
              .add(new TermQuery(new Term("some", "times")), Occur.MUST)
              .add(Words.term("w" + i), Occur.FILTER)
              .build();
      builder.add(clause, Occur.SHOULD);
    }
    IndexSearcher stock = stock(reader);
    stock.setSimilarity(new ClassicSimilarity());
    OffloadIndexSearcher searcher = always();
    searcher.setSimilarity(new ClassicSimilarity());
    Answers.same(stock, builder.build(), searcher, builder.build());
  }

  @Test
  void randomQueries() throws IOException {
    for (Similarity similarity : similarities()) {
      for (int i = 0; i < QuickRun.rounds(4); i++) {
        same(similarity, boosted(words.query()));
      }
      same(similarity, boosted(Words.term(words.word())));
    }
  }

  @Test
  void disMax() throws IOException {
    for (Similarity similarity : similarities()) {
      Query a = Words.bool("w0 w3 w9");
      Query b = new BoostQuery(new TermQuery(new Term("title", "w1")), 2.5f);
      same(similarity, new DisjunctionMaxQuery(List.of(a, b, Words.term("w4")), 0.2f));
    }
  }

  @Test
  void fieldsWithoutNormsAndFrequencies() throws IOException {
    for (Similarity similarity : similarities()) {
      same(
          similarity,
          new BooleanQuery.Builder()
              .add(new TermQuery(new Term("bare", "w0")), Occur.SHOULD)
              .add(Words.term("w70"), Occur.SHOULD)
              .build());
    }
  }

  @Test
  void phrasesAndSynonyms() throws IOException {
    Query phrase = new BoostQuery(new PhraseQuery("body", "w0", "w1"), 1.7f);
    SynonymQuery.Builder synonym = new SynonymQuery.Builder("body");
    synonym.addTerm(new Term("body", "w2")).addTerm(new Term("body", "w30"));
    for (Similarity similarity : similarities()) {
      Query both =
          new BooleanQuery.Builder()
              .add(phrase, Occur.SHOULD)
              .add(synonym.build(), Occur.SHOULD)
              .add(Words.term("w5"), Occur.SHOULD)
              .build();
      same(similarity, both);
      same(similarity, phrase);
    }
    IndexSearcher constant = with(Way.OWN_SEARCHER.searcher(reader), new BooleanSimilarity());
    onDevice(() -> constant.search(phrase, 10));
  }

  /** The highest frequency is more than a plan says. */
  @Test
  void tooHighFrequenciesAreTheHosts() throws IOException {
    Query query = new TermQuery(new Term("many", "often"));
    onHost(() -> with(Way.OWN_SEARCHER.searcher(reader), new ClassicSimilarity()).search(query, 5));
    onDevice(() -> with(Way.OWN_SEARCHER.searcher(reader), new BM25Similarity()).search(query, 5));
    same(new ClassicSimilarity(), query);
  }

  @Test
  void theDeviceScores() throws IOException {
    for (Similarity similarity :
        List.of(new ClassicSimilarity(), new LMDirichletSimilarity(50f), new BooleanSimilarity())) {
      for (Way way : Way.values()) {
        onDevice(
            () ->
                with(way.searcher(reader), similarity)
                    .search(way.query(Words.bool("w1 w3 +w2")), 10));
      }
    }
  }

  @Test
  void manyHitsAndPages() throws IOException {
    for (Similarity similarity :
        List.of(new ClassicSimilarity(), new LMDirichletSimilarity(), new BooleanSimilarity())) {
      for (Query query : List.of(Words.bool("w0 w2 w5 -w7"), Words.bool("+w1 +w0"))) {
        IndexSearcher stock = with(stock(reader), similarity);
        IndexSearcher mine = with(Way.OWN_SEARCHER.searcher(reader), similarity);
        int exact = stock.count(query);
        ScoreDoc after = null;
        for (int k : new int[] {1, 3, 100, 1000}) {
          TopScoreDocCollectorManager top = new TopScoreDocCollectorManager(k, after, 50);
          TopDocs expected = stock.search(query, top);
          TopDocs got = mine.search(query, new TopScoreDocCollectorManager(k, after, 50));
          Answers.sameTop(expected, got, exact, Math.max(k, 50), similarity + " " + query);
          after = expected.scoreDocs.length == 0 ? after : expected.scoreDocs[0];
        }
      }
    }
  }

  /** Scores that no device takes, or that pruning cannot rest on. */
  @Test
  void unlawfulScoresAreTheHosts() throws IOException {
    Query query = Words.bool("w0 w3");
    for (int kind = 0; kind < 4; kind++) {
      int which = kind;
      Similarity similarity =
          new ClassicSimilarity() {
            @Override
            public float tf(float freq) {
              return switch (which) {
                case 0 -> -freq;
                case 1 -> 1 / freq; // falls
                case 2 -> Float.NaN;
                default -> Float.POSITIVE_INFINITY;
              };
            }
          };
      onHost(() -> with(Way.OWN_SEARCHER.searcher(reader), similarity).search(query, 10));
    }
  }

  /** Terms' scores are kept for a searcher: not beyond a change of what gives them. */
  @Test
  void changedSimilarity() throws IOException {
    float[] factor = {1f};
    Similarity similarity =
        new ClassicSimilarity() {
          @Override
          public float tf(float freq) {
            return factor[0] * freq;
          }
        };
    Query query = Words.bool("w0 w3");
    IndexSearcher mine = with(Way.OWN_SEARCHER.searcher(reader), similarity);
    for (float f : new float[] {1f, 2f, 0.3f}) {
      factor[0] = f;
      TopDocs expected = with(stock(reader), similarity).search(query, 20);
      assertEquals(Answers.hits(expected), Answers.hits(mine.search(query, 20)));
    }
  }

  @Test
  void scorersAreAskedOnceForATerm() throws IOException {
    int[] asked = {0};
    Similarity similarity =
        new Similarity() {
          @Override
          public SimScorer scorer(
              float boost, CollectionStatistics collection, TermStatistics... terms) {
            return new SimScorer() {
              @Override
              public float score(float freq, long norm) {
                asked[0]++;
                return boost * freq / (freq + (norm & 0xFF));
              }
            };
          }
        };
    IndexSearcher mine = with(Way.OWN_SEARCHER.searcher(reader), similarity);
    mine.search(Words.term("w1"), 10);
    asked[0] = 0;
    mine.search(Words.term("w1"), 10);
    assertEquals(3, asked[0], "some scores are compared, no table is made again");
  }
}
