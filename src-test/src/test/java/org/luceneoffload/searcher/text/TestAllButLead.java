/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermQuery;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Words;

/** Which docs but a few are handed over by stock, as long as nobody wants the device. */
class TestAllButLead extends SearcherTestCase {
  /** One segment: "few" in one document of 50, "many" in every second one. */
  @Override
  public void write(IndexWriter writer) throws IOException {
    for (int i = 0; i < 9000; i++) {
      Document document = new Document();
      document.add(new StringField("body", i % 2 == 0 ? "many" : "other", Field.Store.NO));
      if (i % 50 == 0) {
        document.add(new StringField("body", "few", Field.Store.NO));
      }
      writer.addDocument(document);
    }
  }

  private static Query allBut(String word) {
    return new BooleanQuery.Builder()
        .add(MatchAllDocsQuery.INSTANCE, Occur.MUST)
        .add(new TermQuery(Words.term(word).getTerm()), Occur.MUST_NOT)
        .build();
  }

  /** Adds up doc IDs, as a collector that says nothing of what it looks for. */
  private static final class Sum extends SimpleCollector {
    private long sum;

    @Override
    public void collect(int doc) {
      sum += doc;
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE_NO_SCORES;
    }
  }

  private static long sum(IndexSearcher searcher, Query query) throws IOException {
    return searcher.search(
        query,
        new CollectorManager<Sum, Long>() {
          @Override
          public Sum newCollector() {
            return new Sum();
          }

          @Override
          public Long reduce(Collection<Sum> sums) {
            return sums.stream().mapToLong(one -> one.sum).sum();
          }
        });
  }

  @Test
  void byStockWhereFewAreExcluded() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setQueryCache(null);
    Query few = allBut("few");
    Query many = allBut("many");
    for (Query query : List.of(few, many)) {
      long expected = sum(stock(reader), query);
      assertEquals(expected, sum(searcher, query));
      onDevice(() -> assertEquals(expected, sum(always(), query)));
    }
    onHost(() -> sum(searcher, few));
    onDevice(() -> sum(searcher, many));
    onDevice(() -> Answers.same(stock(reader), few, searcher, few));
  }

  @Test
  void termThatIsNowhereOrWasLookedUpBefore() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    Query none = allBut("none");
    onDevice(() -> assertEquals(sum(stock(reader), none), sum(searcher, none)));
    Term term = Words.term("few").getTerm();
    TermStates states = TermStates.build(searcher, term, true);
    Query few =
        new BooleanQuery.Builder()
            .add(new TermQuery(term, states), Occur.MUST_NOT)
            .add(MatchAllDocsQuery.INSTANCE, Occur.FILTER)
            .build();
    onHost(() -> assertEquals(sum(stock(reader), few), sum(searcher, few)));
    onHost(() -> assertEquals(sum(stock(reader), allBut("few")), sum(searcher, few)));
  }
}
