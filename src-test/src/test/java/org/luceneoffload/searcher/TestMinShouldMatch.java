/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher;

import java.io.IOException;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;

/**
 * Several of many words have to match: which of them list their documents, and which are looked up,
 * is the device's choice, made anew as the best hits get better.
 */
class TestMinShouldMatch extends SearcherTestCase {
  @Override
  int documents() {
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
          for (int i = 0; i < 150; i++) {
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
}
