/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHits;

/** Answers of searchers, in a form that compares to the bit. */
public final class Answers {
  private static final int STOCK_THRESHOLD = 1000;

  private Answers() {}

  public static String bits(float score) {
    return Integer.toHexString(Float.floatToRawIntBits(score));
  }

  /** Docs, score bits and sort values. */
  public static List<String> hits(TopDocs hits) {
    List<String> lines = new ArrayList<>();
    for (ScoreDoc hit : hits.scoreDocs) {
      String values =
          hit instanceof FieldDoc f
              ? " " + Arrays.stream(f.fields).map(Answers::value).toList()
              : "";
      lines.add(hit.doc + " " + bits(hit.score) + values);
    }
    return lines;
  }

  /** Returns a sort value as text, a NaN with its bits. */
  private static String value(Object value) {
    if (value instanceof Float number && number.isNaN()) {
      return "NaN " + bits(number);
    }
    if (value instanceof Double number && number.isNaN()) {
      return "NaN " + Long.toHexString(Double.doubleToRawLongBits(number));
    }
    return String.valueOf(value);
  }

  /** Every match with its score, or without. */
  public static List<String> all(IndexSearcher searcher, Query query, ScoreMode mode)
      throws IOException {
    return searcher.search(query, new All(mode));
  }

  /** Compares everything that a query is usually asked for. */
  public static void same(IndexSearcher stock, Query query, IndexSearcher searcher, Query asked)
      throws IOException {
    String what = asked + " by " + searcher.getClass().getSimpleName();
    List<String> scored = all(stock, query, ScoreMode.COMPLETE);
    assertEquals(scored, all(searcher, asked, ScoreMode.COMPLETE), what);
    assertEquals(
        all(stock, query, ScoreMode.COMPLETE_NO_SCORES),
        all(searcher, asked, ScoreMode.COMPLETE_NO_SCORES),
        what);
    int exact = scored.size();
    assertEquals(exact, searcher.count(asked), what);
    sameTop(stock.search(query, 10), searcher.search(asked, 10), exact, STOCK_THRESHOLD, what);
    for (int threshold : new int[] {1, 100, Integer.MAX_VALUE}) {
      sameTop(
          stock.search(query, new TopScoreDocCollectorManager(7, null, threshold)),
          searcher.search(asked, new TopScoreDocCollectorManager(7, null, threshold)),
          exact,
          threshold,
          what);
    }
    Sort sort = new Sort(SortField.FIELD_SCORE, new SortField("number", SortField.Type.LONG));
    assertEquals(
        hits(stock.search(query, 20, sort, true)), hits(searcher.search(asked, 20, sort, true)));
  }

  /** Compares hits, and counts as far as they claim anything. */
  public static void sameTop(TopDocs expected, TopDocs got, int exact, int threshold, String what) {
    assertEquals(hits(expected), hits(got), what);
    TotalHits hits = got.totalHits;
    if (hits.relation() == TotalHits.Relation.EQUAL_TO) {
      assertEquals(exact, hits.value(), what);
    } else {
      assertTrue(hits.value() > threshold && hits.value() <= exact, what + " " + hits);
    }
    if (exact <= threshold) {
      assertEquals(expected.totalHits, hits, what);
    }
  }

  /** Collects all matches, sorted as texts. */
  public static final class All implements CollectorManager<All.One, List<String>> {
    private final ScoreMode mode;

    public All(ScoreMode mode) {
      this.mode = mode;
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
      private final List<String> hits = new ArrayList<>();

      @Override
      public ScoreMode scoreMode() {
        return mode;
      }

      @Override
      public LeafCollector getLeafCollector(LeafReaderContext context) {
        return new LeafCollector() {
          private Scorable scorer;

          @Override
          public void setScorer(Scorable newScorer) {
            scorer = newScorer;
          }

          @Override
          public void collect(int doc) throws IOException {
            String score = mode.needsScores() ? " " + bits(scorer.score()) : "";
            hits.add(context.docBase + doc + score);
          }
        };
      }
    }
  }
}
