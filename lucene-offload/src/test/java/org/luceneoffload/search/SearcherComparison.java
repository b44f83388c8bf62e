/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.DocIdStream;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.MultiCollectorManager;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHitCountCollectorManager;
import org.apache.lucene.search.TotalHits;
import org.luceneoffload.OffloadIndexSearcher;

/** Asks a stock searcher and an offloading one over the same reader, and compares to the bit. */
final class SearcherComparison {
  private static final int STOCK_THRESHOLD = 1000;

  private final IndexSearcher stock;
  private final OffloadIndexSearcher offload;
  private final Random random;

  SearcherComparison(IndexSearcher stock, OffloadIndexSearcher offload, Random random) {
    this.stock = stock;
    this.offload = offload;
    this.random = random;
  }

  /** Every kind of search. */
  void check(Query query) throws IOException {
    String what = query.toString();
    List<String> scored = stock.search(query, new AllHits(ScoreMode.COMPLETE, false));
    int exact = scored.size();
    assertEquals(exact, offload.count(query), what);
    top(query, exact, what);
    paging(query, exact, what);
    assertEquals(scored, offload.search(query, new AllHits(ScoreMode.COMPLETE, false)), what);
    List<String> docs = stock.search(query, new AllHits(ScoreMode.COMPLETE_NO_SCORES, false));
    boolean streams = random.nextBoolean();
    assertEquals(
        docs, offload.search(query, new AllHits(ScoreMode.COMPLETE_NO_SCORES, streams)), what);
    sorted(query, what);
    several(query, exact, what);
    if (exact > 0) {
      // Explanations are stock's business; asking must work.
      int doc = Integer.parseInt(scored.get(random.nextInt(exact)).split(" ")[0]);
      assertEquals(
          stock.explain(query, doc).getValue().floatValue(),
          offload.explain(query, doc).getValue().floatValue(),
          what);
    }
  }

  private int k() {
    return switch (random.nextInt(5)) {
      case 0 -> 1;
      case 1 -> 1 + random.nextInt(5);
      case 2 -> 100 + random.nextInt(3000);
      default -> 10;
    };
  }

  private void top(Query query, int exact, String what) throws IOException {
    int k = k();
    same(stock.search(query, k), offload.search(query, k), exact, k, STOCK_THRESHOLD, what);
    int threshold = random.nextInt(4) == 0 ? Integer.MAX_VALUE : random.nextInt(200);
    TopDocs expected = stock.search(query, new TopScoreDocCollectorManager(k, null, threshold));
    same(expected, offload.topDocs(query, k, threshold), exact, k, threshold, what);
    same(
        expected,
        offload.search(query, new TopScoreDocCollectorManager(k, null, threshold)),
        exact,
        k,
        threshold,
        what);
  }

  private void paging(Query query, int exact, String what) throws IOException {
    int k = 1 + random.nextInt(20);
    ScoreDoc after = null;
    for (int page = 0; page < 3; page++) {
      TopDocs expected = stock.searchAfter(after, query, k);
      same(expected, offload.searchAfter(after, query, k), exact, k, STOCK_THRESHOLD, what);
      if (expected.scoreDocs.length == 0) {
        break;
      }
      after = expected.scoreDocs[expected.scoreDocs.length - 1];
    }
  }

  private static void same(
      TopDocs expected, TopDocs got, int exact, int k, int threshold, String what) {
    assertEquals(describe(expected.scoreDocs), describe(got.scoreDocs), what);
    TotalHits hits = got.totalHits;
    int least = Math.max(threshold, k);
    if (hits.relation() == TotalHits.Relation.EQUAL_TO) {
      assertEquals(exact, hits.value(), what);
    } else {
      assertTrue(
          hits.value() > least && hits.value() <= exact, what + ": " + hits + " of " + exact);
    }
    if (exact <= least) {
      assertEquals(expected.totalHits, hits, what);
    }
  }

  static List<String> describe(ScoreDoc[] hits) {
    List<String> lines = new ArrayList<>();
    for (ScoreDoc hit : hits) {
      lines.add(hit.doc + " " + bits(hit.score) + " shard " + hit.shardIndex);
    }
    return lines;
  }

  private static String bits(float score) {
    return Integer.toHexString(Float.floatToRawIntBits(score));
  }

  private void sorted(Query query, String what) throws IOException {
    boolean scores = random.nextBoolean();
    Sort sort =
        random.nextBoolean()
            ? new Sort(new SortField("number", SortField.Type.LONG, random.nextBoolean()))
            : new Sort(SortField.FIELD_SCORE, new SortField("number", SortField.Type.LONG));
    int k = 1 + random.nextInt(30);
    TopDocs expected = stock.search(query, k, sort, scores);
    TopDocs got = offload.search(query, k, sort, scores);
    assertEquals(describe(expected.scoreDocs), describe(got.scoreDocs), what);
    for (int i = 0; i < expected.scoreDocs.length; i++) {
      assertArrayEquals(
          ((FieldDoc) expected.scoreDocs[i]).fields, ((FieldDoc) got.scoreDocs[i]).fields, what);
    }
  }

  private void several(Query query, int exact, String what) throws IOException {
    Object[] got =
        offload.search(
            query,
            new MultiCollectorManager(
                new TopScoreDocCollectorManager(10, null, 100),
                new TotalHitCountCollectorManager(offload.getSlices())));
    assertEquals(exact, got[1], what);
    same(stock.search(query, 10), (TopDocs) got[0], exact, 10, 100, what);
  }

  /** Collects every hit, or the first ones of each segment. */
  static final class AllHits implements CollectorManager<AllHits.One, List<String>> {
    private final ScoreMode scoreMode;
    private final boolean viaStream;
    private final int mostPerSegment;

    AllHits(ScoreMode scoreMode, boolean viaStream) {
      this(scoreMode, viaStream, Integer.MAX_VALUE);
    }

    AllHits(ScoreMode scoreMode, boolean viaStream, int mostPerSegment) {
      this.scoreMode = scoreMode;
      this.viaStream = viaStream;
      this.mostPerSegment = mostPerSegment;
    }

    @Override
    public One newCollector() {
      return new One();
    }

    @Override
    public List<String> reduce(Collection<One> collectors) {
      List<String> all = new ArrayList<>();
      collectors.forEach(one -> all.addAll(one.hits));
      Collections.sort(all);
      return all;
    }

    final class One implements Collector {
      final List<String> hits = new ArrayList<>();

      @Override
      public ScoreMode scoreMode() {
        return scoreMode;
      }

      @Override
      public LeafCollector getLeafCollector(LeafReaderContext context) {
        return new LeafCollector() {
          private Scorable scorer;
          private int last = -1;
          private int collected;

          @Override
          public void setScorer(Scorable newScorer) {
            scorer = newScorer;
          }

          @Override
          public void collect(int doc) throws IOException {
            assertTrue(doc > last, "docs ascend");
            last = doc;
            if (collected++ == mostPerSegment) {
              throw new CollectionTerminatedException();
            }
            String score = scoreMode.needsScores() ? " " + bits(scorer.score()) : "";
            hits.add(context.docBase + doc + score);
          }

          @Override
          public void collect(DocIdStream stream) throws IOException {
            if (!viaStream) {
              stream.forEach(this::collect);
              return;
            }
            int[] some = new int[7];
            for (int n = stream.intoArray(some); n > 0; n = stream.intoArray(some)) {
              for (int i = 0; i < n; i++) {
                collect(some[i]);
              }
            }
            assertEquals(0, stream.count());
          }
        };
      }
    }
  }
}
