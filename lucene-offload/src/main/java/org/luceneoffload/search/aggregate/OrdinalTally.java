/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults.OrdinalCounts;

/** Counts of keywords for those who know what ordinals segments have in common. */
final class OrdinalTally extends KeywordTally {
  OrdinalTally(Aggregation.Ordinals aggregation) {
    super(aggregation);
  }

  @Override
  public OrdinalCounts result(long matches) {
    return new OrdinalCounts(docs, matches - docs, parts);
  }
}
