/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
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
import org.apache.lucene.util.ArrayUtil;

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
    return searcher.search(query, new All(mode)).lines();
  }

  /** Compares everything that a query is usually asked for. */
  public static void same(IndexSearcher stock, Query query, IndexSearcher searcher, Query asked)
      throws IOException {
    String what = asked + " by " + searcher.getClass().getSimpleName();
    Matches scored = stock.search(query, new All(ScoreMode.COMPLETE));
    assertEquals(scored, searcher.search(asked, new All(ScoreMode.COMPLETE)), what);
    assertEquals(
        stock.search(query, new All(ScoreMode.COMPLETE_NO_SCORES)),
        searcher.search(asked, new All(ScoreMode.COMPLETE_NO_SCORES)),
        what);
    int exact = scored.words.length;
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

  /** Matches in the order of their docs: a doc above, the bits of its score below, each. */
  public record Matches(long... words) {
    /** Returns docs and score bits as text. */
    public List<String> lines() {
      return Arrays.stream(words)
          .mapToObj(word -> (word >> Integer.SIZE) + " " + Integer.toHexString((int) word))
          .toList();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Matches matches && Arrays.equals(words, matches.words);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(words);
    }

    @Override
    public String toString() {
      return lines().toString();
    }
  }

  /** Collects all matches. */
  public static final class All implements CollectorManager<All.One, Matches> {
    private final ScoreMode mode;

    public All(ScoreMode mode) {
      this.mode = mode;
    }

    @Override
    public One newCollector() {
      return new One();
    }

    @Override
    public Matches reduce(Collection<One> collectors) {
      return new Matches(
          collectors.stream()
              .flatMapToLong(one -> Arrays.stream(one.words, 0, one.size))
              .sorted()
              .toArray());
    }

    final class One implements Collector {
      private long[] words = new long[64];
      private int size;

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
            words = ArrayUtil.grow(words, size + 1);
            int score = mode.needsScores() ? Float.floatToRawIntBits(scorer.score()) : 0;
            words[size++] =
                (long) (context.docBase + doc) << Integer.SIZE | Integer.toUnsignedLong(score);
          }
        };
      }
    }
  }
}
