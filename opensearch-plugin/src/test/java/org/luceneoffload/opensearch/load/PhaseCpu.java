/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.luceneoffload.opensearch.cluster.Rest;

/** CPU time of a node's search threads inside the phases of searches, as its probe tells it. */
final class PhaseCpu {
  private final Rest rest;

  PhaseCpu(Rest rest) {
    this.rest = rest;
  }

  /** Microseconds so far in searches of an index. */
  record Micros(double query, double fetch) {
    Micros minus(Micros before) {
      return new Micros(query - before.query, fetch - before.fetch);
    }
  }

  /** What it is now. */
  Micros of(String index) throws IOException {
    JsonNode all = rest.ok("GET", "_load/phases", null);
    return new Micros(
        all.at("/" + index + "/query_nanos").asLong() / 1e3,
        all.at("/" + index + "/fetch_nanos").asLong() / 1e3);
  }
}
