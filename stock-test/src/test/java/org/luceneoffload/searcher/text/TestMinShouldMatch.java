/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.QuickRun;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Words;

/**
 * Several of many words have to match: which of them list their documents, and which are looked up,
 * is the device's choice, made anew as the best hits get better.
 */
class TestMinShouldMatch extends SearcherTestCase {
  @Override
  public int documents() {
    return 12_000;
  }

  private Query query() {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    int count = 2 + random.nextInt(7);
    for (int i = 0; i < count; i++) {
      Query word = Words.term(words.word());
      boolean boosted = random.nextInt(4) == 0;
      query.add(boosted ? new BoostQuery(word, random.nextFloat() * 5) : word, Occur.SHOULD);
    }
    if (random.nextInt(4) == 0) {
      Occur occur = random.nextBoolean() ? Occur.FILTER : Occur.MUST_NOT;
      query.add(Words.term(words.word()), occur);
    }
    return query.setMinimumNumberShouldMatch(2 + random.nextInt(count - 1)).build();
  }

  @Test
  void answersAreThoseOfStock() throws IOException {
    IndexSearcher stock = stock(reader);
    OffloadIndexSearcher searcher = always();
    searcher.setQueryCache(null);
    onDevice(
        () -> {
          for (int i = 0; i < QuickRun.rounds(150); i++) {
            Query query = query();
            int hits = 1 + random.nextInt(40);
            Answers.sameTop(
                stock.search(query, hits),
                searcher.search(query, hits),
                stock.count(query),
                1000,
                query + ", " + hits);
            Answers.same(stock, query, searcher, query);
          }
        });
  }

  private static final int BEST = 50;
  private static final int OTHERS = 6000; // more than are listed at once

  /** The best hits of three letters, and a segment of docs that have others, or too few. */
  @Override
  public void write(IndexWriter writer) throws IOException {
    super.write(writer);
    writer.flush();
    addLetters(writer, BEST, "a", "b");
    writer.flush();
    addLetters(writer, OTHERS, "b", "c");
    addLetters(writer, 500, "a");
    writer.flush();
  }

  private static void addLetters(IndexWriter writer, int count, String... letters)
      throws IOException {
    for (int i = 0; i < count; i++) {
      Document document = new Document();
      for (String letter : letters) {
        document.add(new StringField("letter", letter, Field.Store.NO));
      }
      writer.addDocument(document);
    }
  }

  /** Words with low scores list nothing then: what only these match is not counted. */
  @Test
  void aCountWithoutDocsThatAreNotListedIsNotExact() throws IOException {
    Query query =
        new BooleanQuery.Builder()
            .add(new BoostQuery(new TermQuery(new Term("letter", "a")), 10), Occur.SHOULD)
            .add(new TermQuery(new Term("letter", "b")), Occur.SHOULD)
            .add(new TermQuery(new Term("letter", "c")), Occur.SHOULD)
            .setMinimumNumberShouldMatch(2)
            .build();
    IndexSearcher stock = stock(reader);
    for (int k : new int[] {1, BEST, BEST + 1}) {
      for (int threshold : new int[] {1, BEST + OTHERS - 1, BEST + OTHERS}) {
        Answers.sameTop(
            stock.search(query, new TopScoreDocCollectorManager(k, threshold)),
            always().search(query, new TopScoreDocCollectorManager(k, threshold)),
            BEST + OTHERS,
            threshold,
            k + " hits, " + threshold + " counted");
      }
    }
  }
}
