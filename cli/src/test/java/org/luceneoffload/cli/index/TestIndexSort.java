/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.command.ExitCodes;

/** {@code index --index-sort}, on the best device there is. */
class TestIndexSort {
  private static final String DEVICE = CliRun.devices().getLast();

  @TempDir private Path temp;
  private Path index;
  private Path corpus;

  @BeforeEach
  void corpus() throws IOException {
    index = temp.resolve("i");
    corpus = write("c.jsonl", 0, 600);
  }

  /** Every fifth document has no size; the others' are all different. */
  private Path write(String name, int from, int to) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = from; i < to; i++) {
      String size = i % 5 == 0 ? "" : "\"size\":" + i * 7919L % 10007 + ",";
      lines.append(
          String.format(
              Locale.ROOT, "{\"id\":\"%d\",%s\"kind\":\"k%d\",\"body\":\"w\"}%n", i, size, i % 3));
    }
    return Files.writeString(temp.resolve(name), lines);
  }

  private CliRun index(Path lines, Object... more) {
    List<Object> arguments =
        new ArrayList<>(List.of("index", "--index", index, "--device", DEVICE, "--corpus", lines));
    arguments.addAll(List.of(more));
    return CliRun.of(arguments.toArray());
  }

  /** The sort keys of all documents by doc ID, segment by segment; null where there is none. */
  private List<List<String>> keys(String field) throws IOException {
    JsonNode hits =
        CliRun.of(
                "search",
                "--index",
                index,
                "--device",
                DEVICE,
                "-k",
                5000,
                "--json",
                "--on",
                "both",
                "--sort",
                "doc," + field,
                "w")
            .ok()
            .json()
            .at("/queries/0/device/hits");
    List<List<String>> segments = new ArrayList<>();
    try (Directory directory = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        List<String> keys = new ArrayList<>();
        for (int doc = leaf.docBase; doc < leaf.docBase + leaf.reader().maxDoc(); doc++) {
          JsonNode key = hits.get(doc).get("keys").get(1);
          keys.add(key.isNull() ? null : key.asText());
        }
        segments.add(keys);
      }
    }
    return segments;
  }

  /** Checks each segment; one of them may be a single document. */
  private static void assertDescending(List<List<String>> segments) {
    Set<Boolean> missing = new HashSet<>();
    for (List<String> keys : segments) {
      List<Integer> values = keys.stream().map(k -> k == null ? -1 : Integer.valueOf(k)).toList();
      assertEquals(values.stream().sorted(Comparator.reverseOrder()).toList(), values);
      values.forEach(value -> missing.add(value < 0));
    }
    assertEquals(Set.of(true, false), missing);
  }

  @Test
  void sortsAndKeepsTheOrder() throws IOException {
    JsonNode report = index(corpus, "--index-sort", "size:desc", "--json").ok().json();
    assertEquals("size:desc", report.get("index_sort").asText());
    assertDescending(keys("size"));

    CliRun more = index(write("d.jsonl", 600, 900), "--append", "--force-merge", 1).ok();
    assertTrue(more.out().contains("sorted by size:desc in each segment"), more.out());
    List<List<String>> keys = keys("size");
    assertEquals(1, keys.size());
    assertEquals(900, keys.getFirst().size());
    assertDescending(keys);

    index(write("e.jsonl", 900, 930), "--append", "--index-sort", "size:desc").ok();
    assertDescending(keys("size"));
    CliRun.of("check", "--index", index, "--device", DEVICE).ok();
  }

  @Test
  void sortsByKeywordsTheLeastFirst() throws IOException {
    index(corpus, "--index-sort", "kind", "--force-merge", 1).ok();
    List<String> keys = keys("kind").getFirst();
    assertEquals(keys.stream().sorted().toList(), keys);
    assertEquals(3, keys.stream().distinct().count());
  }

  @Test
  void anotherOrderIsRefused() throws IOException {
    index(corpus, "--index-sort", "size").ok();
    index(corpus, "--append", "--index-sort", "size:desc")
        .fails(ExitCodes.FAILURE, "--index-sort size:desc", index + " are sorted by size.");
    index(corpus, "--append", "--index-sort", "kind")
        .fails(ExitCodes.FAILURE, "--index-sort kind", "are sorted by size.");
    index(corpus, "--overwrite").ok();
    index(corpus, "--append", "--index-sort", "size")
        .fails(ExitCodes.FAILURE, "--index-sort size", index + " are not sorted");
    JsonNode report = index(corpus, "--append", "--json").ok().json();
    assertFalse(report.has("index_sort"));
    assertEquals(1200, report.get("total_documents").asInt());
  }

  @Test
  void anOrderOfAnApplicationIsKept() throws IOException {
    Sort sort = new Sort(new SortField("rank", SortField.Type.INT, true));
    try (Directory directory = FSDirectory.open(index);
        IndexWriter writer =
            new IndexWriter(
                directory, new IndexWriterConfig(new StandardAnalyzer()).setIndexSort(sort))) {
      for (int i = 0; i < 10; i++) {
        Document document = new Document();
        document.add(new NumericDocValuesField("rank", i));
        writer.addDocument(document);
      }
    }
    index(corpus, "--append", "--index-sort", "size")
        .fails(ExitCodes.FAILURE, "are sorted by rank:desc.");
    JsonNode report = index(corpus, "--append", "--force-merge", 1, "--json").ok().json();
    assertEquals("rank:desc", report.get("index_sort").asText());
    try (Directory directory = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(sort, reader.leaves().getFirst().reader().getMetaData().sort());
      assertEquals(610, reader.numDocs());
    }
  }

  @Test
  void fieldsThatAreNoneAreRefused() {
    for (String wrong : List.of("length", "size:asc", "body", ":desc", "")) {
      index(corpus, "--index-sort", wrong)
          .fails(ExitCodes.USAGE, "--index-sort " + wrong, "kind:keyword, size:long");
      assertTrue(Files.notExists(index));
    }
    index(corpus, "--field", "none", "--index-sort", "size")
        .fails(ExitCodes.USAGE, "there are no typed fields");
  }
}
