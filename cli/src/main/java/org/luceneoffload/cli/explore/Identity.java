/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.explore;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.apache.lucene.search.TotalHits;
import org.luceneoffload.cli.search.Answer;
import org.luceneoffload.cli.search.Comparison;
import org.luceneoffload.cli.search.Hit;

/**
 * What was compared of two answers, and whether it is the same.
 *
 * @param identical whether all is the same
 * @param hits hits of the device that were compared
 * @param docs whether the doc IDs are the same, in any order
 * @param order whether they stand in the same order
 * @param scores whether the bits of all scores, or the sort keys, are the same
 * @param counts whether the counts are; null unless both sides have counted to the end
 * @param difference the first difference in words; null: there is none
 */
record Identity(
    boolean identical,
    int hits,
    boolean docs,
    boolean order,
    boolean scores,
    Boolean counts,
    String difference) {
  private static final String EXACT = TotalHits.Relation.EQUAL_TO.name();

  /** Compares the best hits. */
  static Identity of(Answer device, Answer host) {
    String difference = Comparison.firstDifference(device, host);
    boolean exact = device.relation().equals(EXACT) && host.relation().equals(EXACT);
    return new Identity(
        difference == null,
        device.hits().size(),
        new HashSet<>(list(device, Hit::doc)).equals(new HashSet<>(list(host, Hit::doc))),
        list(device, Hit::doc).equals(list(host, Hit::doc)),
        list(device, Identity::key).equals(list(host, Identity::key)),
        exact ? device.count() == host.count() : null,
        difference);
  }

  private static Object key(Hit hit) {
    return Objects.requireNonNullElse(hit.scoreBits(), hit.keys());
  }

  private static List<Object> list(Answer answer, Function<Hit, Object> part) {
    return answer.hits().stream().map(part).toList();
  }
}
