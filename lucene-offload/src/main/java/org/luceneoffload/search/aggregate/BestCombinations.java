/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.aggregate.Aggregation.Combinations;
import org.luceneoffload.aggregate.AggregationResults.CombinationCounts;
import org.luceneoffload.aggregate.AggregationResults.CombinationCounts.Count;

/** Keeps those of some combinations that are asked for. For one thread. */
public final class BestCombinations {
  private static final Comparator<Count> BY_KEY = (a, b) -> compare(a.keys(), b.keys());

  private final Combinations asked;
  private final TreeSet<Count> best;

  /** None yet. */
  public BestCombinations(Combinations asked) {
    this.asked = asked;
    best =
        new TreeSet<>(
            asked.byKey()
                ? BY_KEY
                : Comparator.comparingLong(Count::count).reversed().thenComparing(BY_KEY));
  }

  /** Compares combinations of the same fields, keywords by their bytes. */
  public static int compare(List<Object> one, List<Object> other) {
    int order = 0;
    for (int i = 0; i < one.size() && order == 0; i++) {
      order =
          one.get(i) instanceof BytesRef term
              ? term.compareTo((BytesRef) other.get(i))
              : Long.compare((Long) one.get(i), (Long) other.get(i));
    }
    return order;
  }

  /** Adds a combination that was not added before. */
  public void add(List<Object> keys, long count) {
    if (asked.after() != null && compare(keys, asked.after()) <= 0) {
      return;
    }
    best.add(new Count(keys, count));
    if (best.size() > asked.n()) {
      best.pollLast();
    }
  }

  /** Returns whether as many as are asked for have been added. */
  public boolean isFull() {
    return best.size() == asked.n();
  }

  /** Returns the combinations that are asked for, in order. */
  public CombinationCounts result() {
    return new CombinationCounts(List.copyOf(best));
  }
}
