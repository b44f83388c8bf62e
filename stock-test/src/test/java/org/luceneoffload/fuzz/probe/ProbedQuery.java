/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;

/**
 * One searcher and the query that it is asked.
 *
 * @param searcher the searcher
 * @param fresh makes another one that is set up the same way
 * @param query the query
 * @param partitioned whether searchers cut segments into partitions
 * @param exact the whole answer
 */
public record ProbedQuery(
    IndexSearcher searcher,
    Supplier<IndexSearcher> fresh,
    Query query,
    boolean partitioned,
    Exact exact) {

  /**
   * Returns whether the last bit of a score may depend on which docs stock looks at: it adds up
   * weighted frequencies in an order that does.
   */
  public static boolean isUnsteady(Query query) {
    String text = query.toString();
    return text.contains("Synonym(") || text.contains("CombinedFieldQuery(");
  }

  /** Every hit of the query as stock Lucene has it; found when it is first needed. */
  public static final class Exact {
    private static final int NEAR = 4;

    private final IndexSearcher stock;
    private final List<IndexSearcher> others;
    private final Query query;
    private final List<Map<Integer, Integer>> otherBits = new ArrayList<>();
    private AllHits.Hits hits;

    /**
     * @param stock says what the answer is
     * @param others may have another last bit of a score
     */
    public Exact(IndexSearcher stock, List<IndexSearcher> others, Query query) {
      this.stock = stock;
      this.others = others;
      this.query = query;
    }

    AllHits.Hits hits() throws IOException {
      if (hits == null) {
        hits = all(stock);
      }
      return hits;
    }

    private AllHits.Hits all(IndexSearcher searcher) throws IOException {
      return searcher.search(query, new AllHits(true, AllHits.Reading.EACH, Integer.MAX_VALUE));
    }

    int count() throws IOException {
      return hits().size();
    }

    /**
     * Returns whether any stock searcher gives a doc this score; of unsteady ones only nearness is
     * asked.
     */
    boolean allows(int doc, int bits) throws IOException {
      Integer expected = hits().scoreBits().get(doc);
      if (expected == null || expected == bits) {
        return expected != null;
      }
      if (isUnsteady(query)) {
        return Math.abs(expected - bits) <= NEAR;
      }
      if (otherBits.isEmpty()) {
        for (IndexSearcher other : others) {
          otherBits.add(all(other).scoreBits());
        }
      }
      return otherBits.stream().anyMatch(scores -> scores.get(doc) == bits);
    }
  }
}
