/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.ToolProcess;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.report.OffloadStats.Counter;

/** Two processes and one index. */
class TestTwoProcesses {
  /** Enough that the first run is at work when the second one begins. */
  private static final int REPEATS = 20;

  @TempDir private Path temp;
  private Path index;
  private Path corpus;

  @BeforeEach
  void writeCorpus() throws IOException {
    assumeTrue(CliRun.devices().contains("sim"), "the native library is not there");
    index = temp.resolve("index");
    corpus = SmallCorpus.write(temp.resolve("c.jsonl"));
  }

  private static Query query() {
    return new BooleanQuery.Builder()
        .add(new TermQuery(new Term("body", "w1")), Occur.SHOULD)
        .add(new TermQuery(new Term("body", "w2")), Occur.SHOULD)
        .build();
  }

  /** Asks with a strict searcher: the device answers for all segments, or this fails. */
  private static int count(DirectoryReader reader) throws IOException {
    return new OffloadIndexSearcher(reader).count(query());
  }

  /** A reader, however early it comes, leaves the store to who writes. */
  @Test
  void oneReadsWhileAnotherIndexes() throws Exception {
    CliRun.of("index", "--index", index, "--corpus", corpus).ok();
    OffloadOptions strict = OffloadOptions.DEFAULT.withStrict(true);
    try (OffloadDirectory directory = OffloadDirectory.open(index, "sim", strict);
        DirectoryReader before = DirectoryReader.open(directory)) {
      int found = count(before);
      assertTrue(directory.stats().get(Counter.LEAVES_OFFLOADED) > 0);
      try (ToolProcess indexer =
          ToolProcess.start(
              temp, "index", "--index", index, "--corpus", corpus, "--append", "--json")) {
        while (indexer.isAlive()) {
          assertEquals(found, count(before));
        }
        assertEquals(ExitCodes.OK, indexer.await(), indexer.err());
        JsonNode report = JsonMapper.builder().build().readTree(indexer.out());
        assertTrue(report.get("images_written").asLong() > 0, report.toString());
        assertEquals(0, report.get("images_unwritten").asLong(), report.toString());
      }
      try (DirectoryReader after = DirectoryReader.openIfChanged(before)) {
        assertEquals(2 * found, count(after));
      }
      assertEquals(0, directory.stats().get(Counter.LEAVES_ON_HOST));
    }
  }

  private Object[] indexing(int repeats) {
    Path[] corpora = new Path[repeats];
    Arrays.fill(corpora, corpus);
    return Stream.concat(
            Stream.of("index", "--index", index, "--json", "--corpus"), Stream.of(corpora))
        .toArray();
  }

  private boolean hasFiles() {
    try (Stream<Path> files = Files.list(index)) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith("_"));
    } catch (IOException e) {
      return false; // not there yet
    }
  }

  @Test
  void twoIndexIntoOneFolder() throws Exception {
    try (ToolProcess first = ToolProcess.start(temp, indexing(REPEATS))) {
      first.awaitRunning(this::hasFiles);
      try (ToolProcess second = ToolProcess.start(temp, indexing(1))) {
        assertEquals(ExitCodes.FAILURE, second.await(), second.out());
        assertTrue(
            second.err().contains("another process is writing the index")
                || second.err().contains("holds an index already"),
            second.err());
      }
      assertEquals(ExitCodes.OK, first.await(), first.err());
      JsonNode report = JsonMapper.builder().build().readTree(first.out());
      long lines;
      try (Stream<String> all = Files.lines(corpus)) {
        lines = all.count();
      }
      assertEquals(REPEATS * lines, report.get("total_documents").asLong());
      assertEquals(0, report.get("images_unwritten").asLong());
    }
    JsonNode check = CliRun.of("check", "--index", index, "--json").ok().json();
    assertEquals(check.get("segments"), check.get("segments_compared"), check.toString());
  }

  @Test
  void listsThatWereNotWrittenAreAWarning() {
    assertEquals(List.of(), IndexCommand.warnings(report(0, 0)));
    String warning = IndexCommand.warnings(report(0, 2)).getFirst();
    assertTrue(warning.contains("2 posting images could not be"), warning);
    assertTrue(IndexCommand.text(report(0, 2)).contains("; 2 not written, see the log"));
    warning = IndexCommand.warnings(report(1, 0)).getFirst();
    assertTrue(warning.contains("1 posting image could not be"), warning);
  }

  @Test
  void optionsOfANodeAreNotRepeated() {
    String node = "csd:127.0.0.1:4420";
    String options = ",key-file=/etc/key,claim=empty";
    Path place = Path.of(node + "/articles" + options);
    String text = IndexCommand.text(report(place, node + options, 0, 0));
    assertTrue(text.contains(node + "/articles: ") && text.contains(" on its node"), text);
    assertFalse(text.contains("key-file"), text);
    Path folder = Path.of("a,b");
    assertTrue(IndexCommand.text(report(folder, "sim", 0, 0)).contains("a,b: "));
  }

  private IndexReport report(long dropped, long unwritten) {
    return report(index, "sim", dropped, unwritten);
  }

  private static IndexReport report(Path index, String device, long dropped, long unwritten) {
    return new IndexReport(
        index, device, "", false, 0, Set.of(), Set.of(), null, false, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        dropped, unwritten);
  }
}
