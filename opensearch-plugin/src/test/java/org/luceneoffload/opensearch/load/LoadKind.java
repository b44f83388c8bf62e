/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import java.util.List;

/**
 * Requests of one kind.
 *
 * @param name for tables
 * @param aggregates whether its requests ask for aggregations over matches of text
 * @param requests at least one
 */
record LoadKind(String name, boolean aggregates, List<LoadRequest> requests) {
  /** A request by number; they take turns. */
  LoadRequest request(int number) {
    return requests.get(Math.floorMod(number, requests.size()));
  }
}
