/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;

/** Compares the answers of two searchers over one reader, to the bit. */
public final class SameAnswers {
  private SameAnswers() {}

  /** Fails unless the best hits, their order and score bits, and the count are stock's. */
  public static void check(IndexSearcher stock, IndexSearcher ours, Query query, int k)
      throws IOException {
    int count = stock.count(query);
    assertEquals(count, ours.count(query), "count of " + query);
    TopDocs expected = stock.search(query, k);
    TopDocs got = ours.search(query, k);
    assertEquals(describe(expected), describe(got), "top " + k + " of " + query);
    if (got.totalHits.relation() == TotalHits.Relation.EQUAL_TO) {
      assertEquals(count, got.totalHits.value(), "hits of " + query);
    } else {
      assertTrue(got.totalHits.value() <= count, got.totalHits + " of " + count + ": " + query);
    }
  }

  /** Hits as text: doc and score bits of each. */
  public static String describe(TopDocs docs) {
    StringBuilder text = new StringBuilder();
    for (ScoreDoc hit : docs.scoreDocs) {
      text.append(hit.doc).append(':').append(Float.floatToRawIntBits(hit.score)).append(' ');
    }
    return text.toString();
  }
}
