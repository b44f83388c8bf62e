/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.weight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermQuery;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.run.OneSegment;

/**
 * First result pages are large for collectors whose class takes all, and small again after one
 * stops.
 */
class TestEarlyStops {
  /** Counts matches, up to a limit. */
  private static final class Counting extends SimpleCollector {
    private final int limit;
    private int count;

    Counting(int limit) {
      this.limit = limit;
    }

    @Override
    public void collect(int doc) {
      if (count == limit) {
        throw new CollectionTerminatedException();
      }
      count++;
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE_NO_SCORES;
    }
  }

  private final Query query =
      new BooleanQuery.Builder()
          .add(new TermQuery(new Term("f", "two")), Occur.SHOULD)
          .add(new TermQuery(new Term("f", "three")), Occur.SHOULD)
          .build();

  @SuppressWarnings("deprecation")
  private int count(IndexSearcher searcher, int limit) throws IOException {
    Counting collector = new Counting(limit);
    searcher.search(query, collector);
    return collector.count;
  }

  /** Returns the plans that a search took which wants all docs. */
  private long plans(OffloadIndexSearcher offload, int matches) throws IOException {
    long before = offload.offloadStats().get(Counter.PLANS_EXECUTED);
    assertEquals(matches, count(offload, Integer.MAX_VALUE));
    return offload.offloadStats().get(Counter.PLANS_EXECUTED) - before;
  }

  @Test
  void pagesFollowWhatCollectorsDid() throws IOException {
    OneSegment.search(
        (offload, stock, handle) -> {
          int matches = count(stock, Integer.MAX_VALUE);
          for (int round = 0; round < 3; round++) {
            long first = plans(offload, matches);
            assertTrue(
                first > 1, "the first page is small until collectors of the class are known");
            for (int i = 1; i < EarlyStops.TRUSTED; i++) {
              assertEquals(first, plans(offload, matches));
            }
            assertEquals(1, plans(offload, matches));
            assertEquals(10, count(offload, 10));
          }
        });
  }
}
