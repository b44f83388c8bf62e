/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.luceneoffload.opensearch.cluster.Rest;

/**
 * CPU time of all threads of a node but those that compile: what these do is over once a node is
 * warm, and until then it says nothing about the requests during which it happens. Collecting
 * garbage counts. It comes from {@code /proc}: the node is on this machine, and this is Linux.
 */
final class NodeCpu {
  private final Path tasks;

  /** For the one node that a client talks to. */
  NodeCpu(Rest rest) throws IOException {
    JsonNode nodes = rest.ok("GET", "_nodes/_local/process", null).get("nodes");
    String process = nodes.elements().next().at("/process/id").asText();
    tasks = Path.of("/proc", process, "task");
    if (micros() == 0) {
      throw new IOException("no CPU time of threads in " + tasks);
    }
  }

  /** Microseconds so far. */
  long micros() throws IOException {
    long nanos = 0;
    try (DirectoryStream<Path> threads = Files.newDirectoryStream(tasks)) {
      for (Path thread : threads) {
        nanos += nanos(thread);
      }
    }
    return nanos / 1000;
  }

  private static long nanos(Path thread) throws IOException {
    try {
      return counts(Files.readString(thread.resolve("comm")))
          ? onCpu(Files.readString(thread.resolve("schedstat")))
          : 0;
    } catch (
        @SuppressWarnings("unused")
        NoSuchFileException e) {
      return 0; // it has ended
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
