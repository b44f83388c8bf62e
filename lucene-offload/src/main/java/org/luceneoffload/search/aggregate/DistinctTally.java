/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.DistinctCount;
import org.luceneoffload.search.aggregate.keyword.KeywordCounts;

/** The number of different keywords. */
final class DistinctTally extends KeywordTally {
  DistinctTally(Aggregation.DistinctTerms aggregation) {
    super(aggregation);
  }

  @Override
  public DistinctCount result(long matches) throws IOException {
    KeywordCounts counts = KeywordCounts.of(top, field(), parts);
    return new DistinctCount(docs, matches - docs, counts.distinct());
  }
}
