/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;

/** The engine says in which way it found the best hits, and the counters pass that on. */
class TestWaysToRank extends SearcherTestCase {
  private static final int DOCS = 20_000;
  private static final int WORDS = 8;
  private static final int HITS = 10;

  @Override
  public void write(IndexWriter writer) throws IOException {
    for (int i = 0; i < DOCS; i++) {
      StringBuilder text = new StringBuilder("every");
      for (int w = 0; w < WORDS; w++) {
        if (random.nextInt(w + 2) == 0) {
          text.append(" w").append(w).append(random.nextInt(3) == 0 ? " w" + w : "");
        }
      }
      Document document = new Document();
      document.add(new TextField("body", text.toString(), Field.Store.NO));
      writer.addDocument(document);
    }
  }

  private static Query word(int w) {
    return new TermQuery(new Term("body", "w" + w));
  }

  private static Query words(Occur occur, int count) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (int w = 0; w < count; w++) {
      query.add(word(w), occur);
    }
    return query.build();
  }

  private static Query any(Query... queries) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (Query clause : queries) {
      query.add(clause, Occur.SHOULD);
    }
    return query.build();
  }

  private static Query either(int a, int b) {
    return new DisjunctionMaxQuery(List.of(word(a), word(b)), 0.1f);
  }

  /** Checks that the device names one way alone. */
  private void found(String way, Query query) throws IOException {
    OffloadIndexSearcher searcher = always();
    searcher.setQueryCache(null);
    TopDocs expected = stock(reader).search(query, HITS);
    int exact = stock(reader).count(query);
    OffloadStats.Snapshot before = stats().read();
    onDevice(
        () -> Answers.sameTop(expected, searcher.search(query, HITS), exact, 1000, "" + query));
    Map<String, Long> ways = stats().read().since(before).ways();
    assertEquals(Set.of(way), ways.keySet(), query.toString());
  }

  @Test
  void theWayIsTold() throws IOException {
    Query phrase = new PhraseQuery("body", "w0", "w1");
    found("maxscore", words(Occur.SHOULD, 3));
    found("many", words(Occur.SHOULD, WORDS));
    found("and", words(Occur.MUST, 3));
    found("mixed", any(phrase, word(2), word(3)));
    found("trees", any(either(0, 1), word(2)));
    found("disjuncts", either(0, 1));
    found("base", any(MatchAllDocsQuery.INSTANCE, word(1)));
    found(
        "synonym",
        new SynonymQuery.Builder("body")
            .addTerm(new Term("body", "w0"))
            .addTerm(new Term("body", "w1"))
            .build());
    found(
        "lead",
        new BooleanQuery.Builder().add(word(0), Occur.MUST).add(word(1), Occur.SHOULD).build());
    found("best", word(0));
  }

  /** What is not ranked needs none. */
  @Test
  void countsHaveNoWay() throws IOException {
    OffloadStats.Snapshot before = stats().read();
    onDevice(() -> always().count(words(Occur.SHOULD, 3)));
    assertEquals(Map.of(), stats().read().since(before).ways());
  }
}
