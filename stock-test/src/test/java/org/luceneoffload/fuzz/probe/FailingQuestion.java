/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.probe;

import org.apache.lucene.search.Query;

/**
 * One question of a search, by which a failure is pinned down.
 *
 * @param number of the query in its search
 * @param query the query, perhaps smaller than the one that was drawn
 * @param probe how it is asked
 */
public record FailingQuestion(int number, Query query, Probe probe) {
  public FailingQuestion withQuery(Query smaller) {
    return new FailingQuestion(number, smaller, probe);
  }
}
