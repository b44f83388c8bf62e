/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.luceneoffload.opensearch.cluster.Rest;

/**
 * CPU time of all threads of a node but those that compile: what these do is over once a node is
 * warm, and until then it says nothing about the requests during which it happens. Collecting
 * garbage counts. It comes from {@code /proc}: the node is on this machine, and this is Linux.
 */
final class NodeCpu {
  private final Path tasks;
  private Map<Path, Long> before = Map.of(); // nanoseconds of each thread at the last look
  private long ended; // nanoseconds of threads that were there once

  /** For the one node that a client talks to. */
  NodeCpu(Rest rest) throws IOException {
    this(Path.of("/proc", process(rest), "task"));
  }

  /** For a process whose threads have their folders in this one. */
  NodeCpu(Path tasks) throws IOException {
    this.tasks = tasks;
    if (micros() == 0) {
      throw new IOException("no CPU time of threads in " + tasks);
    }
  }

  private static String process(Rest rest) throws IOException {
    JsonNode nodes = rest.ok("GET", "_nodes/_local/process", null).get("nodes");
    return nodes.elements().next().at("/process/id").asText();
  }

  /** Microseconds so far; threads that have ended since the last call keep what they had then. */
  long micros() throws IOException {
    Map<Path, Long> now = new HashMap<>();
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        now.put(thread, nanos(thread));
      }
    }
    // A thread with less time than before is another one, with the number of one that has ended.
    before.forEach((thread, nanos) -> ended += now.getOrDefault(thread, 0L) < nanos ? nanos : 0);
    before = now;
    return (ended + now.values().stream().mapToLong(nanos -> nanos).sum()) / 1000;
  }

  private static long nanos(Path thread) throws IOException {
    try {
      return counts(Files.readString(thread.resolve("comm")))
          ? onCpu(Files.readString(thread.resolve("schedstat")))
          : 0;
    } catch (IOException e) {
      if (Files.exists(thread)) {
        throw e;
      }
      return 0; // it has ended: before the file was opened, or before it was read
    }
  }

  /** Returns whether a thread of this name does anything but compile. */
  static boolean counts(String name) {
    return !name.startsWith("C1 Compiler") && !name.startsWith("C2 Compiler");
  }

  /** Nanoseconds on a CPU, of a thread's {@code schedstat}: the first of three numbers. */
  static long onCpu(String schedstat) {
    return Long.parseLong(schedstat.substring(0, schedstat.indexOf(' ')));
  }
}
