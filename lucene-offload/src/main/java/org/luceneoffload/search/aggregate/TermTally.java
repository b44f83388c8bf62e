/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.List;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.TermCounts;
import org.luceneoffload.search.aggregate.keyword.KeywordCounts;

/** The commonest keywords. */
final class TermTally extends KeywordTally {
  private final int n;

  TermTally(Aggregation.Terms aggregation) {
    super(aggregation);
    n = aggregation.n();
  }

  @Override
  public TermCounts result(long matches) throws IOException {
    KeywordCounts counts = KeywordCounts.of(top, field(), parts);
    List<TermCounts.Count> best = counts.top(n);
    return new TermCounts(docs, matches - docs, counts.values(), counts.distinct(), best);
  }
}
