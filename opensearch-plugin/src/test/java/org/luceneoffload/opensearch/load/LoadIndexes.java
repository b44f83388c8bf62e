/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.workload.CorpusLine;
import org.luceneoffload.workload.CorpusReader;
import org.luceneoffload.workload.TypedFields;

/** Fills two indexes with the same documents, in turns, and takes the time. */
final class LoadIndexes {
  /** Their names: stock's first. */
  static final List<String> NAMES = List.of("load-stock", "load-offload");

  private static final List<String> CODECS = List.of("default", "offload");
  private static final int BATCHES_A_TURN = 10;
  private static final int LOOKED_AT = 5_000;

  private final Rest rest;
  private final NodeCpu cpu;
  private final long[] nanos = new long[2];
  private final long[] micros = new long[2];
  private long docs;
  private long turns;
  private LoadFields fields;

  LoadIndexes(Rest rest, NodeCpu cpu) {
    this.rest = rest;
    this.cpu = cpu;
  }

  /**
   * Creates and fills them. They have one segment each in the end.
   *
   * @param mostDocs documents that are taken, at most
   */
  void fill(Path corpus, long mostDocs) throws IOException, InterruptedException {
    fields = LoadFields.of(firstDocs(corpus), corpus);
    rest.ok("DELETE", String.join(",", NAMES) + "?ignore_unavailable=true", null);
    for (int side = 0; side < 2; side++) {
      rest.ok(
          "PUT",
          NAMES.get(side),
          "{\"settings\":{\"codec\":\""
              + CODECS.get(side)
              + "\",\"number_of_shards\":1,\"number_of_replicas\":0,\"refresh_interval\":\"-1\","
              // Neighbours are merged, and each turn is a segment: documents keep their order,
              // which ties of hits show.
              + "\"merge.policy\":\"log_byte_size\"},"
              + "\"mappings\":"
              + fields.mapping()
              + "}");
    }
    StringBuilder bulk = new StringBuilder();
    int[] batches = {0};
    new CorpusReader(List.of(corpus))
        .read(
            TypedFields.NONE,
            batch -> {
              for (byte[] line : batch.lines()) {
                if (docs < mostDocs && !CorpusLine.isBlank(line)) {
                  bulk.append("{\"index\":{\"_id\":\"").append(docs++).append("\"}}\n");
                  bulk.append(new String(line, StandardCharsets.UTF_8)).append('\n');
                }
              }
              if (++batches[0] % BATCHES_A_TURN == 0) {
                index(bulk);
              }
              return docs < mostDocs;
            });
    index(bulk);
    for (int side = 0; side < 2; side++) {
      String index = NAMES.get(side);
      timed(
          side,
          () -> {
            rest.ok("POST", index + "/_refresh", null);
            rest.ok("POST", index + "/_forcemerge?max_num_segments=1", null);
            rest.ok("POST", index + "/_refresh", null);
          });
    }
  }

  private static List<JsonNode> firstDocs(Path corpus) throws IOException, InterruptedException {
    List<JsonNode> docs = new ArrayList<>();
    new CorpusReader(List.of(corpus))
        .read(
            TypedFields.NONE,
            batch -> {
              for (int i = 0; i < batch.lines().size(); i++) {
                if (!CorpusLine.isBlank(batch.lines().get(i))) {
                  docs.add(CorpusLine.tree(batch.lines().get(i), batch.origin(i)));
                }
              }
              return docs.size() < LOOKED_AT;
            });
    return docs;
  }

  private interface Step {
    void run() throws IOException;
  }

  private void timed(int side, Step step) throws IOException {
    long cpuBefore = cpu.micros();
    long begin = System.nanoTime();
    step.run();
    nanos[side] += System.nanoTime() - begin;
    micros[side] += cpu.micros() - cpuBefore;
  }

  private void index(StringBuilder bulk) throws IOException {
    if (bulk.isEmpty()) {
      return;
    }
    String lines = bulk.toString();
    bulk.setLength(0);
    long turn = turns++;
    for (int i = 0; i < 2; i++) {
      int side = (int) (turn + i) % 2;
      timed(
          side,
          () -> {
            String path = NAMES.get(side) + "/_bulk?refresh=true&filter_path=errors,items.*.error";
            JsonNode answer = rest.ok("POST", path, lines);
            if (answer.get("errors").asBoolean()) {
              throw new IOException("documents were refused: " + answer);
            }
          });
    }
  }

  /** The fields that they have. */
  LoadFields fields() {
    return fields;
  }

  /** Documents of each. */
  long docs() {
    return docs;
  }

  /** Documents a second, as one client sent them, merged into one segment in the end. */
  double perSecond(int side) {
    return docs * 1e9 / nanos[side];
  }

  /** Microseconds of CPU time of the node for a document. */
  double cpuMicros(int side) {
    return (double) micros[side] / docs;
  }
}
