/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.aggregate.AggregationResults.HistogramCounts;
import org.luceneoffload.aggregate.AggregationResults.LongStats;
import org.luceneoffload.aggregate.AggregationResults.TermCounts;

/** Both sides of the kind AGGREGATE over small indexes, without a device. */
class TestBenchAggregates {
  @TempDir private Path temp;

  /** Queries of one index, run on both sides. */
  private static final class Asked implements AutoCloseable {
    final DirectoryReader reader;
    final BenchQueries queries;
    final BenchSides sides;

    Asked(Directory directory, Path file) throws IOException {
      reader = DirectoryReader.open(directory);
      queries = BenchQueries.read(file, reader);
      sides = new BenchSides(reader);
    }

    Object stock(int query) throws IOException {
      return sides.run(BenchKind.AGGREGATE, queries.get(BenchKind.AGGREGATE, query), true);
    }

    void compareAll() throws IOException {
      for (int i = 0; i < queries.size(); i++) {
        BenchTask task = queries.get(BenchKind.AGGREGATE, i);
        Object expected = sides.run(BenchKind.AGGREGATE, task, true);
        Object actual = sides.run(BenchKind.AGGREGATE, task, false);
        assertTrue(BenchKind.same(expected, actual), () -> task + ": " + expected + " " + actual);
      }
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }

  /** Indexes lines, so many in each segment, and deletes the document with the ID 3. */
  private static void index(Directory directory, List<String> lines, String fields, int perSegment)
      throws IOException {
    TypedFields typed = fields.isEmpty() ? TypedFields.NONE : parse(fields);
    IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
    config.setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < lines.size(); i++) {
        byte[] line = lines.get(i).getBytes(StandardCharsets.UTF_8);
        writer.addDocument(CorpusLine.parse(line, "line " + i, typed).document());
        if (i % perSegment == perSegment - 1) {
          writer.commit();
        }
      }
      writer.deleteDocuments(new Term("id", "3"));
      writer.setLiveCommitData(typed.toCommit().entrySet());
    }
  }

  private static TypedFields parse(String fields) {
    return TypedFields.parse(List.of(fields.split(",")));
  }

  private Asked ask(Directory directory, String... queries) throws IOException {
    return new Asked(directory, Files.write(temp.resolve("q.txt"), List.of(queries)));
  }

  @Test
  void numbersAreThoseOfTheMatches() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      String values =
          i % 5 == 0 ? "" : String.format(Locale.ROOT, "\"n\":%d,\"k\":\"k%d\",", 100 * i, i % 3);
      lines.add(
          String.format(
              Locale.ROOT, "{\"id\":%d,%s\"body\":\"%s\"}", i, values, i < 15 ? "w" : "v"));
    }
    try (Directory directory = new ByteBuffersDirectory()) {
      index(directory, lines, "k:keyword,n:long", 6);
      try (Asked asked = ask(directory, "w", "w", "w")) {
        assertEquals(4, asked.reader.leaves().size());
        // 1, 2, 4, 6 to 9, 11 to 14 have values; 0, 5 and 10 have none; 3 is deleted.
        long sum = 100 * (1 + 2 + 4 + 6 + 7 + 8 + 9 + 11 + 12 + 13 + 14);
        assertEquals(new LongStats(11, 3, 11, sum, 100, 1400), asked.stock(0));
        TermCounts terms = (TermCounts) asked.stock(1);
        assertEquals(3, terms.distinct());
        assertEquals(
            List.of("k1 4", "k2 4", "k0 3"),
            terms.top().stream().map(t -> t.term().utf8ToString() + " " + t.count()).toList());
        HistogramCounts histogram = (HistogramCounts) asked.stock(2);
        // From 100 to 1900 the width is 20: each value has a bucket of its own.
        assertEquals(11, histogram.buckets().size());
        assertEquals(new HistogramCounts.Bucket(5, 1), histogram.buckets().getFirst());
        assertEquals("stats n", asked.queries.get(BenchKind.AGGREGATE, 0).aggregate().name());
        asked.compareAll();
      }
    }
  }

  @Test
  void severalValuesAndExtremesAreTheSameOnBothSides() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      long n = i == 7 ? Long.MIN_VALUE : i == 9 ? Long.MAX_VALUE : i * 1_000_003L % 977 - 400;
      lines.add(
          String.format(
              Locale.ROOT,
              "{\"id\":%d,\"n\":[%d,%d,%d],\"k\":[\"k%d\",\"x%d\"],\"body\":\"w%d w\"}",
              i,
              n,
              n,
              n / 3,
              i % 30,
              i % 7,
              i % 4));
    }
    try (Directory directory = new ByteBuffersDirectory()) {
      index(directory, lines, "n:long,k:keyword", 25);
      try (Asked asked = ask(directory, "w", "w", "w", "w0", "w1", "w2", "+w -w3", "w w1", "w3")) {
        asked.compareAll();
        assertEquals(177, ((LongStats) asked.stock(0)).values());
        assertEquals(10, ((TermCounts) asked.stock(1)).top().size());
        assertEquals(
            List.of("aggregate histogram n 3", "aggregate stats n 3", "aggregate terms k 3"),
            asked.queries.byClass(BenchKind.AGGREGATE, asked.reader).stream()
                .collect(
                    Collectors.groupingBy(
                        g -> g.by() + " " + g.name(),
                        TreeMap::new,
                        Collectors.summingInt(g -> g.queries().length)))
                .entrySet()
                .stream()
                .map(e -> e.getKey() + " " + e.getValue())
                .toList());
      }
    }
  }

  @Test
  void kindsNeedFields() throws IOException {
    List<String> lines = List.of("{\"id\":1,\"k\":\"a\",\"body\":\"w\"}");
    try (Directory none = new ByteBuffersDirectory();
        Directory keywords = new ByteBuffersDirectory();
        Directory empty = new ByteBuffersDirectory()) {
      index(none, lines, "", 10);
      index(keywords, lines, "k:keyword", 10);
      index(empty, lines, "n:long", 10);
      try (Asked asked = ask(none, "w")) {
        assertEquals(
            List.of(BenchKind.TOP_10, BenchKind.TOP_10_COUNT, BenchKind.COUNT, BenchKind.DOCS),
            asked.queries.kinds());
      }
      try (Asked asked = ask(keywords, "w", "w")) {
        assertTrue(asked.queries.kinds().contains(BenchKind.AGGREGATE));
        assertFalse(asked.queries.kinds().contains(BenchKind.SORTED_TOP_10));
        assertEquals("terms k", asked.queries.get(BenchKind.AGGREGATE, 1).aggregate().name());
        asked.compareAll();
      }
      try (Asked asked = ask(empty, "w", "w")) { // the field has no value
        asked.compareAll();
        assertEquals(0, ((HistogramCounts) asked.stock(1)).docs());
      }
    }
  }
}
