/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.command.ExitCodes;

/** {@code index --reorder}, on the best device there is. */
class TestReordering {
  private static final String DEVICE = CliRun.devices().getLast();
  private static final int TOPICS = 8;

  @TempDir private Path temp;

  private Path index() {
    return temp.resolve("i");
  }

  /** Documents of a topic by its words; each follows one of another topic. */
  private Path corpus(String name, int from, int to) throws IOException {
    SplittableRandom random = new SplittableRandom(from);
    StringBuilder lines = new StringBuilder();
    for (int i = from; i < to; i++) {
      int topic = i % TOPICS;
      String words =
          IntStream.range(0, 25)
              .mapToObj(word -> word % 5 == 0 ? "all" : "t" + topic + "w" + random.nextInt(20))
              .collect(Collectors.joining(" "));
      lines.append(
          String.format(Locale.ROOT, "{\"id\":\"%d\",\"size\":%d,\"body\":\"%s\"}%n", i, i, words));
    }
    return Files.writeString(temp.resolve(name), lines);
  }

  private CliRun index(Path lines, Object... more) {
    List<Object> arguments =
        new ArrayList<>(
            List.of(
                "index",
                "--index",
                index(),
                "--device",
                DEVICE,
                "--threads",
                1,
                "--corpus",
                lines));
    arguments.addAll(List.of(more));
    return CliRun.of(arguments.toArray());
  }

  /** Returns, for each segment, the share of documents that follow one of another topic. */
  private List<Double> changes() throws IOException {
    List<Double> changes = new ArrayList<>();
    try (Directory directory = FSDirectory.open(index());
        DirectoryReader reader = DirectoryReader.open(directory)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        int before = -1;
        int changed = 0;
        for (int doc = 0; doc < leaf.reader().maxDoc(); doc++) {
          String id = leaf.reader().storedFields().document(doc).get("id");
          int topic = Integer.parseInt(id) % TOPICS;
          changed += topic == before ? 0 : 1;
          before = topic;
        }
        changes.add(changed / (double) leaf.reader().maxDoc());
      }
    }
    return changes;
  }

  private void assertReordered(int segments) throws IOException {
    List<Double> changes = changes();
    assertEquals(segments, changes.size());
    changes.forEach(share -> assertTrue(share < 0.3, changes.toString()));
    CliRun.of("check", "--index", index(), "--device", DEVICE).ok();
    CliRun.of(
            "search",
            "--index",
            index(),
            "--device",
            DEVICE,
            "--on",
            "both",
            "--strict",
            "+t1w1 +t1w2",
            "t1w1 t2w2 all",
            "+all -t3w3")
        .ok();
  }

  @Test
  void documentsOfOneTopicLieTogetherInEverySegment() throws IOException {
    index(corpus("c.jsonl", 0, 4000)).ok();
    assertEquals(List.of(1.0), changes());
    JsonNode report =
        index(corpus("c.jsonl", 0, 4000), "--overwrite", "--reorder", "--json").ok().json();
    assertTrue(report.get("reordered").asBoolean());
    assertReordered(1);

    index(corpus("d.jsonl", 4000, 7000), "--append").ok();
    assertEquals(1.0, changes().getLast());
    CliRun more = index(corpus("e.jsonl", 7000, 9000), "--append", "--reorder").ok();
    assertTrue(more.out().contains("documents that share words have near IDs"), more.out());
    assertReordered(3);

    index(corpus("f.jsonl", 9000, 9100), "--append", "--reorder", "--force-merge", 1).ok();
    assertReordered(1);
  }

  @Test
  void anOrderOfValuesExcludesIt() throws IOException {
    Path corpus = corpus("c.jsonl", 0, 100);
    index(corpus, "--reorder", "--index-sort", "size")
        .fails(ExitCodes.USAGE, "--reorder and --index-sort exclude each other");
    assertTrue(Files.notExists(index()));
    index(corpus, "--index-sort", "size").ok();
    index(corpus, "--append", "--reorder")
        .fails(ExitCodes.USAGE, "--reorder: the documents of " + index() + " have an order");
  }

  @Test
  void nothingToReorder() throws IOException {
    index(Files.writeString(temp.resolve("none.jsonl"), "\n"), "--reorder").ok();
    index(corpus("c.jsonl", 0, 1), "--append", "--reorder").ok();
    assertEquals(List.of(1.0), changes());
  }
}
