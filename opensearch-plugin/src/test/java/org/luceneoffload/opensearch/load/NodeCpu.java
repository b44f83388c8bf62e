/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.luceneoffload.opensearch.cluster.Rest;

/**
 * CPU time of the process of a node, all threads, user and system. On the same machine it comes
 * from {@code /proc}, in steps of 10 ms; else from the node, which refreshes it once a second.
 */
final class NodeCpu {
  private static final long TICK_MICROS = 10_000;
  private static final long REFRESH_MILLIS = 1_100;

  /** Fields after the command's name, which ends with the last bracket. */
  private static final int USER_FIELD = 11;

  private final Rest rest;
  private final Path stat;

  /** For the one node that a client talks to. */
  NodeCpu(Rest rest) throws IOException {
    this.rest = rest;
    JsonNode process = only(rest.ok("GET", "_nodes/_local/process", null)).at("/process/id");
    stat = Path.of("/proc", process.asText(), "stat");
  }

  private static JsonNode only(JsonNode answer) {
    return answer.get("nodes").elements().next();
  }

  /** Microseconds so far. */
  long micros() throws IOException {
    return Files.isReadable(stat) ? ticks(Files.readString(stat)) * TICK_MICROS : told();
  }

  /** User and system time of a line of {@code /proc/PID/stat}. */
  static long ticks(String line) {
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
    return Long.parseLong(fields[USER_FIELD]) + Long.parseLong(fields[USER_FIELD + 1]);
  }

  private long told() throws IOException {
    Pacer.SYSTEM.await(Pacer.SYSTEM.now() + REFRESH_MILLIS * 1_000_000);
    JsonNode stats = only(rest.ok("GET", "_nodes/_local/stats/process", null));
    return stats.at("/process/cpu/total_in_millis").asLong() * 1000;
  }
}
