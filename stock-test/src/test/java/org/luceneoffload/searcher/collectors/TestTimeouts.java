/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.ExitableDirectoryReader;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LRUQueryCache;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.junit.jupiter.api.Test;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;
import org.luceneoffload.searcher.Words;

/** Timeouts that fire at any point: what comes back is marked partial, and is never wrong. */
class TestTimeouts extends SearcherTestCase {
  /** Fires from a number of looks on, and stays so. */
  private static QueryTimeout after(int looks) {
    AtomicInteger seen = new AtomicInteger();
    return () -> seen.incrementAndGet() > looks;
  }

  private static Set<String> set(List<String> hits) {
    return new HashSet<>(hits);
  }

  @Test
  void partialResultsAreMarked() throws IOException {
    for (Way way : Way.values()) {
      int partial = 0;
      int complete = 0;
      List<Integer> ends = new ArrayList<>(List.of(0, Integer.MAX_VALUE));
      for (int looks = random.nextInt(3); looks < 40; looks += 1 + random.nextInt(3)) {
        ends.add(looks);
      }
      for (int looks : ends) {
        Query query = looks == 0 ? Words.bool("w0 w1") : words.query(); // the former has matches
        Set<String> all = set(Answers.all(stock(reader), query, ScoreMode.COMPLETE));
        String what = way + " " + query + " after " + looks;
        IndexSearcher searcher = way.searcher(reader);
        searcher.setTimeout(after(looks));
        Set<String> got = set(Answers.all(searcher, way.query(query), ScoreMode.COMPLETE));
        assertTrue(all.containsAll(got), what);
        assertTrue(searcher.timedOut() || got.equals(all), what);
        partial += got.size() < all.size() ? 1 : 0;
        complete += searcher.timedOut() ? 0 : 1;

        searcher = way.searcher(reader);
        searcher.setTimeout(after(looks));
        TopDocs top = searcher.search(way.query(query), 5);
        for (ScoreDoc hit : top.scoreDocs) {
          assertTrue(all.contains(hit.doc + " " + Answers.bits(hit.score)), what);
        }
        if (!searcher.timedOut()) {
          Answers.sameTop(stock(reader).search(query, 5), top, all.size(), 1000, what);
        }

        searcher = way.searcher(reader);
        searcher.setTimeout(after(looks));
        top = searcher.search(way.query(query), new TopScoreDocCollectorManager(3, null, 10));
        if (!searcher.timedOut()) {
          Answers.sameTop(stock(reader).search(query, 3), top, all.size(), 10, what);
        }

        searcher = way.searcher(reader);
        searcher.setTimeout(after(looks));
        int count = searcher.count(way.query(query));
        assertTrue(count == all.size() || (searcher.timedOut() && count < all.size()), what);
      }
      assertTrue(partial > 0 && complete > 0, partial + " partial, " + complete + " complete");
    }
  }

  /** A cache that collects while the time runs out keeps the whole, or nothing. */
  @Test
  void cachesNeverKeepParts() throws IOException {
    Query query =
        new ConstantScoreQuery(
            new BooleanQuery.Builder()
                .add(Words.bool("+w0 -w9"), Occur.FILTER)
                .add(new PhraseQuery(70_000, "body", "w0", "w1"), Occur.MUST_NOT)
                .build());
    cachesNeverKeepParts(reader, query);
  }

  private static void cachesNeverKeepParts(DirectoryReader searched, Query query)
      throws IOException {
    List<String> all = Answers.all(stock(searched), query, ScoreMode.COMPLETE);
    for (Way way : Way.values()) {
      for (int looks = 0; looks < 8; looks++) {
        for (QueryCachingPolicy policy : TestQueryCaches.POLICIES) {
          LRUQueryCache cache = new LRUQueryCache(100, 1 << 24, leaf -> true, Float.MAX_VALUE);
          for (QueryTimeout timeout : new QueryTimeout[] {after(looks), null}) {
            IndexSearcher searcher = way.searcher(searched);
            searcher.setQueryCache(cache);
            searcher.setQueryCachingPolicy(policy);
            searcher.setTimeout(timeout);
            List<String> got = Answers.all(searcher, way.query(query), ScoreMode.COMPLETE);
            if (!searcher.timedOut()) {
              assertEquals(all, got, way + " after " + looks);
            }
          }
        }
      }
    }
  }

  /** A reader with a timeout of its own hides its terms: the host answers, or the reader throws. */
  @Test
  void exitableReader() throws IOException {
    for (Way way : Way.values()) {
      int exits = 0;
      for (int looks = 0; looks < 30; looks++) {
        Query query = words.query();
        List<String> all = Answers.all(stock(reader), query, ScoreMode.COMPLETE);
        try {
          IndexSearcher searcher = way.searcher(new ExitableDirectoryReader(reader, after(looks)));
          assertEquals(all, Answers.all(searcher, way.query(query), ScoreMode.COMPLETE));
        } catch (ExitableDirectoryReader.ExitingReaderException e) {
          exits++;
        }
      }
      assertTrue(exits > 0);
    }
  }

  @Test
  void aTimeoutThatDoesNotFireChangesNothing() throws IOException {
    for (Way way : Way.values()) {
      IndexSearcher searcher = way.searcher(reader);
      searcher.setTimeout(() -> false);
      onDevice(
          () -> {
            Query common = Words.bool("w0 w1");
            Answers.same(stock(reader), common, searcher, way.query(common));
            for (int i = 0; i < 5; i++) {
              Query query = words.query();
              Answers.same(stock(reader), query, searcher, way.query(query));
            }
          });
      assertFalse(searcher.timedOut());
    }
  }
}
