/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.junit.jupiter.api.Test;
import org.luceneoffload.QuickRun;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;
import org.luceneoffload.searcher.Words;

/**
 * Weighted synonyms beside clauses that the device could answer. Stock adds their frequencies up in
 * an order that depends on which docs it looked at, so that a part on the device would alter scores
 * that are none of its own.
 */
class TestUnsteadyScores extends SearcherTestCase {
  private static final Query PART = Words.bool("w1 w4 w6 w8 -w9");

  @Override
  public int documents() {
    return 6000;
  }

  private static Query synonym(float... weights) {
    SynonymQuery.Builder synonym = new SynonymQuery.Builder("body");
    for (int i = 0; i < weights.length; i++) {
      synonym.addTerm(new Term("body", "w" + i), weights[i]);
    }
    return synonym.build();
  }

  private float weight() {
    return 1 - random.nextFloat();
  }

  private static Query withPart(Query clause) {
    return new BooleanQuery.Builder()
        .add(PART, Occur.SHOULD)
        .add(new BoostQuery(new ConstantScoreQuery(Words.term("w7")), 9.7f), Occur.SHOULD)
        .add(Words.term("w0"), Occur.SHOULD)
        .add(clause, Occur.SHOULD)
        .build();
  }

  private static void sameBest(Way way, IndexSearcher stock, IndexSearcher asked, Query query)
      throws IOException {
    for (int k : new int[] {1, 5, 26, 100, 1000}) {
      for (int threshold : new int[] {0, 10, 100, 1000}) {
        TopDocs expected = stock.search(query, new TopScoreDocCollectorManager(k, null, threshold));
        TopDocs got =
            asked.search(way.query(query), new TopScoreDocCollectorManager(k, null, threshold));
        String what = way + " " + query + ", " + k + " hits, threshold " + threshold;
        assertEquals(Answers.hits(expected), Answers.hits(got), what);
      }
    }
  }

  @Test
  void weightedSynonymsScoreAsStocksDo() throws IOException {
    onHost(
        () -> {
          for (int i = 0; i < QuickRun.rounds(25); i++) {
            Query synonym = synonym(weight(), weight(), weight());
            Query query = withPart(new BoostQuery(synonym, 1 + 8 * random.nextFloat()));
            for (Way way : Way.drawn()) {
              sameBest(way, stock(reader), way.searcher(reader), query);
            }
          }
        });
  }

  @Test
  void partsBesideThemAreLeftToTheHostIfScored() throws IOException {
    Query combined =
        new CombinedFieldQuery.Builder("w0")
            .addField("body", 1.5f)
            .addField("title", 2.5f)
            .addField("nowhere", 3.5f)
            .build();
    Query synonym = synonym(0.3f, 0.5f, 0.7f);
    for (Query unsteady :
        List.of(synonym, combined, new DisjunctionMaxQuery(List.of(synonym, PART), 0.1f))) {
      for (Way way : Way.values()) {
        onHost(() -> way.searcher(reader).search(way.query(withPart(unsteady)), 10));
        onDevice(() -> way.searcher(reader).count(way.query(withPart(unsteady))));
      }
    }
  }

  @Test
  void partsBesideSteadyOnesAreNot() throws IOException {
    Query plain = new CombinedFieldQuery.Builder("w0").addField("body").addField("title").build();
    Query unscored =
        new BooleanQuery.Builder()
            .add(synonym(1f, 1f), Occur.SHOULD)
            .add(synonym(0.3f, 0.5f, 0.7f), Occur.FILTER)
            .build();
    for (Query steady : List.of(synonym(0.3f, 0.5f), synonym(1f, 1f, 1f), plain, unscored)) {
      for (Way way : Way.values()) {
        onDevice(() -> way.searcher(reader).search(way.query(withPart(steady)), 10));
        sameBest(way, stock(reader), way.searcher(reader), withPart(steady));
      }
    }
  }

  /** Only sums depend on the order; which docs match does not. */
  @Test
  void withoutScoresTheyAreThoseOfTheDevice() throws IOException {
    Query synonym = synonym(0.3f, 0.5f, 0.7f);
    Query filtered =
        new BooleanQuery.Builder()
            .add(Words.term("w3"), Occur.MUST)
            .add(synonym, Occur.FILTER)
            .build();
    Query both =
        new BooleanQuery.Builder().add(synonym, Occur.FILTER).add(synonym, Occur.MUST).build();
    IndexSearcher stock = stock(reader);
    for (Way way : Way.values()) {
      IndexSearcher asked = way.searcher(reader);
      for (Query query : List.of(synonym, filtered, new ConstantScoreQuery(synonym), both)) {
        int count = stock.count(query);
        onDevice(() -> assertEquals(count, asked.count(way.query(query)), query.toString()));
      }
      sameBest(way, stock, asked, filtered);
      onDevice(() -> asked.search(way.query(filtered), 10));
      onHost(() -> asked.search(way.query(both), 10));
    }
  }
}
