/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;

/** Timeouts that fire: what comes back must be part of the answer, and said to be partial. */
public final class TimeoutProbes {
  private TimeoutProbes() {}

  public static List<String> firing(ProbedQuery asked, Random random) throws IOException {
    int patience = random.nextInt(12);
    int k = TopProbes.k(random);
    int kind = random.nextInt(3);
    IndexSearcher searcher = asked.fresh().get();
    AtomicInteger calls = new AtomicInteger();
    searcher.setTimeout(() -> calls.incrementAndGet() > patience);
    Map<Integer, Integer> exact = asked.exact().hits().scoreBits();
    List<String> complaints = new ArrayList<>();
    boolean whole;
    if (kind == 0) {
      TopDocs top = searcher.search(asked.query(), k);
      whole = top.scoreDocs.length == Math.min(k, exact.size());
      ScoreDoc previous = null;
      for (ScoreDoc hit : top.scoreDocs) {
        check(asked, hit.doc, Float.floatToRawIntBits(hit.score), complaints);
        if (previous != null
            && (previous.score < hit.score
                || (previous.score == hit.score && previous.doc >= hit.doc))) {
          complaints.add("hit " + hit.doc + " after " + previous.doc);
        }
        previous = hit;
      }
      if (top.totalHits.value() > exact.size()) {
        complaints.add("count " + top.totalHits + " of " + exact.size());
      }
    } else if (kind == 1) {
      AllHits.Hits hits =
          searcher.search(
              asked.query(), new AllHits(true, AllHits.Reading.EACH, Integer.MAX_VALUE));
      whole = hits.size() == exact.size();
      for (Map.Entry<Integer, Integer> hit : hits.scoreBits().entrySet()) {
        check(asked, hit.getKey(), hit.getValue(), complaints);
      }
    } else {
      int count = searcher.count(asked.query());
      whole = count == exact.size();
      if (count > exact.size() && !isCountedByParts(searcher.getIndexReader(), asked.query())) {
        complaints.add("count " + count + " of " + exact.size());
      }
    }
    if (!whole && !searcher.timedOut()) {
      complaints.add("partial, but not said to be timed out");
    }
    return complaints.isEmpty() ? List.of("legal") : complaints;
  }

  /**
   * Returns whether a stock searcher counts a query as its first term, plus its second, less both.
   * Of these the timeout can cut off the last one alone, which leaves a count above the true one.
   */
  private static boolean isCountedByParts(IndexReader reader, Query query) throws IOException {
    return !reader.hasDeletions()
        && new IndexSearcher(reader).rewrite(new ConstantScoreQuery(query))
            instanceof ConstantScoreQuery constant
        && constant.getQuery() instanceof BooleanQuery both
        && both.clauses().size() == 2
        && both.getMinimumNumberShouldMatch() <= 1
        && both.clauses().stream()
            .allMatch(
                clause ->
                    clause.occur() == BooleanClause.Occur.SHOULD
                        && clause.query() instanceof TermQuery);
  }

  private static void check(ProbedQuery asked, int doc, int bits, List<String> complaints)
      throws IOException {
    if (!asked.exact().allows(doc, bits)) {
      Integer expected = asked.exact().hits().scoreBits().get(doc);
      complaints.add("hit " + doc + " with score bits " + bits + " instead of " + expected);
    }
  }
}
