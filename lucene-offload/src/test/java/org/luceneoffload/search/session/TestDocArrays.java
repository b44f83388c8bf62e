/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BulkScorer;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.DocIdStream;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.Weight;
import org.junit.jupiter.api.Test;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.run.OneSegment;

/** Arrays that are used again never show one search what another found. */
class TestDocArrays {
  @Test
  void acquiresWhatWasReleased() {
    DocArrays arrays = new DocArrays();
    int[] one = arrays.acquire();
    int[] other = arrays.acquire();
    assertNotSame(one, other);
    assertEquals(DocArrays.LENGTH, one.length);
    arrays.release(new int[7]);
    arrays.release(one);
    assertSame(one, arrays.acquire());
    assertNotSame(one, arrays.acquire());
    float[] scores = arrays.acquireScores();
    assertEquals(DocArrays.SCORES_LENGTH, scores.length);
    arrays.release(new float[7]);
    arrays.release(scores);
    assertSame(scores, arrays.acquireScores());
  }

  /** Runs another search, or stops, in the middle of its own. */
  private static final class Nesting extends SimpleCollector {
    final List<Integer> docs = new ArrayList<>();
    final IndexSearcher searcher;
    final Query inner;
    final int stopAfter;

    Nesting(IndexSearcher searcher, Query inner, int stopAfter) {
      this.searcher = searcher;
      this.inner = inner;
      this.stopAfter = stopAfter;
    }

    @Override
    public void collect(int doc) throws IOException {
      docs.add(doc);
      if (inner != null && docs.size() == 100) {
        docs(searcher, inner, null, Integer.MAX_VALUE);
      }
      if (docs.size() == stopAfter) {
        throw new CollectionTerminatedException();
      }
    }

    @Override
    public void collect(DocIdStream stream) throws IOException {
      stream.forEach(this::collect);
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE_NO_SCORES;
    }
  }

  private static int[] docs(IndexSearcher searcher, Query query, Query inner, int stopAfter)
      throws IOException {
    Nesting collector = new Nesting(searcher, inner, stopAfter);
    searcher.search(query, new OneCollector(collector));
    return collector.docs.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Hands one collector out: for searchers that run on the calling thread. */
  private record OneCollector(Nesting only) implements CollectorManager<Nesting, Void> {
    @Override
    public Nesting newCollector() {
      return only;
    }

    @Override
    public Void reduce(Collection<Nesting> collectors) {
      return null;
    }
  }

  private static Query any(String... words) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (String word : words) {
      builder.add(new TermQuery(new Term("f", word)), Occur.SHOULD);
    }
    return builder.build();
  }

  @Test
  void nestedAndStoppedSearchesKeepApart() throws IOException {
    OneSegment.search(
        (offload, stock, handle) -> {
          Query one = any("two", "three");
          Query other = any("w1", "w2", "w3");
          for (int round = 0; round < 3; round++) {
            for (int stop : new int[] {Integer.MAX_VALUE, 150}) {
              int[] expected = docs(stock, one, other, stop);
              assertTrue(stop == expected.length || expected.length > DocArrays.MIN_DOCS);
              assertArrayEquals(expected, docs(offload, one, other, stop));
              assertArrayEquals(docs(stock, other, one, stop), docs(offload, other, one, stop));
            }
          }
          assertTrue(offload.offloadStats().get(Counter.LEAVES_OFFLOADED) >= 24);
        });
  }

  /**
   * Collects a part of the one segment as a search in partitions does: with a scorer of its own.
   */
  private static List<Integer> part(IndexSearcher searcher, Query query, ScoreMode mode, int end)
      throws IOException {
    List<Integer> docs = new ArrayList<>();
    Weight weight = searcher.createWeight(searcher.rewrite(query), mode, 1f);
    BulkScorer scorer = weight.bulkScorer(searcher.getLeafContexts().get(0));
    scorer.score(
        new LeafCollector() {
          private Scorable scores;

          @Override
          public void setScorer(Scorable scorable) {
            scores = scorable;
          }

          @Override
          public void collect(int doc) throws IOException {
            docs.add(doc);
            if (mode.needsScores()) {
              docs.add(Float.floatToRawIntBits(scores.score()));
            }
          }

          @Override
          public void collect(DocIdStream stream) throws IOException {
            stream.forEach(docs::add);
          }
        },
        null,
        0,
        end);
    return docs;
  }

  @Test
  void everyPartOfASegmentGivesItsArraysBack() throws IOException {
    OneSegment.search(
        (offload, stock, handle) -> {
          DocArrays arrays = PlanRunner.of(handle).docArrays();
          Query query = any("two", "three");
          int[] docs = arrays.acquire();
          float[] scores = arrays.acquireScores();
          arrays.release(docs);
          arrays.release(scores);
          for (ScoreMode mode : List.of(ScoreMode.COMPLETE_NO_SCORES, ScoreMode.COMPLETE)) {
            for (int end :
                new int[] {OneSegment.DOCS / 2, OneSegment.DOCS, DocIdSetIterator.NO_MORE_DOCS}) {
              List<Integer> expected = part(stock, query, mode, end);
              assertTrue(expected.size() > DocArrays.MIN_DOCS);
              assertEquals(expected, part(offload, query, mode, end));
              int[] docsAgain = arrays.acquire();
              float[] scoresAgain = arrays.acquireScores();
              assertSame(docs, docsAgain);
              assertSame(scores, scoresAgain);
              arrays.release(docsAgain);
              arrays.release(scoresAgain);
            }
          }
          assertTrue(scores[0] > 0, "the scores did not come through the acquired array");
        });
  }
}
