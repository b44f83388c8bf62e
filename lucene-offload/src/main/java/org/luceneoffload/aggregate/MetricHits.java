/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.aggregate;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Numbers of the first matches of an order.
 *
 * @param hits those matches
 */
public record MetricHits(List<Hit> hits) {
  /** Copies the list. */
  public MetricHits {
    hits = List.copyOf(hits);
  }

  /**
   * A match.
   *
   * @param key what it was sorted by, as {@link org.apache.lucene.search.FieldDoc} has it
   * @param metrics of each field the least doc value, as it is stored; null: it has none
   */
  public record Hit(Object key, List<Long> metrics) {
    /** Copies the list. */
    public Hit {
      metrics = Collections.unmodifiableList(new ArrayList<>(metrics));
    }
  }
}
