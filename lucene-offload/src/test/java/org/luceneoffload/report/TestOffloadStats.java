/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.CountedIndex;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.FaultyProgram;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.device.TallyProgram;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.wire.OffloadWire;

/** Every counter against the number that it must have. */
class TestOffloadStats {
  private static final int SEGMENTS = CountedIndex.SEGMENTS;

  private final TallyProgram tally = new TallyProgram(new ReferenceProgram());
  private final FaultyProgram program = new FaultyProgram(tally);
  private final RamBlockDevice device = new RamBlockDevice(1 << 16, program);
  private final Directory memory = new ByteBuffersDirectory();

  /** Outlives the offload directory over it. */
  private final Directory plain =
      new FilterDirectory(memory) {
        @Override
        public void close() {}
      };

  private OffloadDirectory directory;
  private OffloadStats stats;

  @BeforeEach
  void open() throws IOException {
    directory = OffloadDirectory.wrap(plain, device);
    stats = directory.stats();
  }

  @AfterEach
  void close() throws IOException {
    directory.close();
    memory.close();
    device.close();
  }

  /** Returns the counters that are not zero. */
  private static Map<Counter, Long> counted(OffloadStats.Snapshot work) {
    Map<Counter, Long> counted = new EnumMap<>(Counter.class);
    work.counters()
        .forEach(
            (counter, value) -> {
              if (value != 0) {
                counted.put(counter, value);
              }
            });
    return counted;
  }

  /** Returns what one plan a segment adds to the counters, as the device saw it. */
  private Map<Counter, Long> tallied(long listBytes) {
    Map<Counter, Long> expected = new EnumMap<>(Counter.class);
    expected.put(Counter.QUERIES_COMPILED, 1L);
    expected.put(Counter.LEAVES_OFFLOADED, (long) SEGMENTS);
    expected.put(Counter.LIST_BYTES, listBytes);
    expected.put(Counter.PLANS_EXECUTED, tally.plans);
    expected.put(Counter.BYTES_TO_DEVICE, tally.planBytes);
    expected.put(Counter.BYTES_FROM_DEVICE, tally.resultBytes);
    expected.put(Counter.PAGES_READ, tally.pagesRead);
    expected.put(Counter.PAGES_SKIPPED, tally.pagesSkipped);
    expected.put(Counter.BLOCKS_DECODED, tally.blocksDecoded);
    expected.put(Counter.BLOCKS_SKIPPED, tally.blocksSkipped);
    expected.put(Counter.POSTINGS_DECODED, tally.postingsDecoded);
    expected.put(Counter.DOCS_SCORED, tally.docsScored);
    return expected;
  }

  private static long listBytes(OffloadIndexSearcher searcher, Query query) throws IOException {
    return searcher.explainPlan(query).leaves().stream()
        .mapToLong(PlanExplanation.Leaf::listBytes)
        .sum();
  }

  @Test
  void everyCounterIsDescribed() throws IOException {
    String text = Files.readString(Path.of("..", "docs", "OBSERVING.md"));
    for (Counter counter : Counter.values()) {
      assertTrue(text.contains("`" + counter + "`"), counter + " is missing in OBSERVING.md");
    }
  }

  @Test
  void imagesAreCounted() throws IOException {
    CountedIndex.write(directory);
    assertEquals(SEGMENTS, stats.get(Counter.IMAGES_WRITTEN));
    long bytes = 0;
    for (String name : directory.listAll()) {
      bytes += name.endsWith(".odp") ? directory.fileLength(name) : 0;
    }
    assertTrue(bytes > 0);
    assertEquals(bytes, stats.get(Counter.IMAGE_BYTES_WRITTEN));
    OffloadStats.Snapshot written = stats.read();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(SEGMENTS, reader.leaves().size());
    }
    assertEquals(
        Map.of(Counter.IMAGES_OPENED, (long) SEGMENTS), counted(stats.read().since(written)));

    RamBlockDevice other = new RamBlockDevice(1 << 16);
    try (OffloadDirectory elsewhere = OffloadDirectory.wrap(plain, other);
        DirectoryReader reader = DirectoryReader.open(elsewhere)) {
      assertEquals(SEGMENTS, reader.leaves().size());
      assertEquals(
          Map.of(Counter.IMAGES_MISSING, (long) SEGMENTS), counted(elsewhere.stats().read()));
    }
  }

  @Test
  void anImageThatIsNotWrittenIsCounted() throws IOException {
    device.failWritesAfter(0); // it cannot be made a volume
    CountedIndex.write(directory);
    assertEquals(SEGMENTS, stats.get(Counter.IMAGES_UNWRITTEN));
    assertEquals(0, stats.get(Counter.IMAGES_WRITTEN));
    assertEquals(0, stats.get(Counter.IMAGES_DROPPED));
    assertEquals(
        Map.of("no posting image written: IO_ERROR: injected write failure", (long) SEGMENTS),
        stats.troubles());
    device.heal();
    CountedIndex.write(directory);
    assertEquals(SEGMENTS, stats.get(Counter.IMAGES_WRITTEN));
  }

  @Test
  void anImageThatIsGivenUpIsCounted() throws IOException {
    assertNull(directory.whyNoImages());
    device.failWritesAfter(0);
    CountedIndex.write(directory);
    assertEquals(SEGMENTS, stats.get(Counter.IMAGES_DROPPED));
    assertEquals(0, stats.get(Counter.IMAGES_WRITTEN));
    assertEquals(
        SEGMENTS,
        stats.troubles().entrySet().stream()
            .filter(trouble -> trouble.getKey().contains("given up"))
            .mapToLong(Map.Entry::getValue)
            .sum());
    device.heal();
  }

  @Test
  void queriesAreCounted() throws IOException {
    CountedIndex.write(directory);
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher searcher = CountedIndex.searcher(reader);
      Query query = CountedIndex.all("third", "even");
      OffloadStats.Snapshot before = stats.read();
      assertEquals(SEGMENTS * CountedIndex.DOCS / 6, searcher.search(query, 10).totalHits.value());
      assertEquals(SEGMENTS, tally.plans);
      OffloadStats.Snapshot work = stats.read().since(before);
      long listBytes = listBytes(searcher, query);
      assertTrue(listBytes >= SEGMENTS * 4096L, "" + listBytes);
      assertEquals(tallied(listBytes), counted(work));
      assertEquals(Map.of(), work.refusals());
      assertEquals(Map.of(), work.fallbacks());
      assertEquals(Map.of(), work.troubles());

      // The same by way of a count, which scores nothing but sends as many plans.
      before = stats.read();
      assertEquals(SEGMENTS * CountedIndex.DOCS / 6, searcher.count(query));
      work = stats.read().since(before);
      assertEquals(1, work.get(Counter.QUERIES_COMPILED));
      assertEquals(SEGMENTS, work.get(Counter.LEAVES_OFFLOADED));
      assertEquals(SEGMENTS, work.get(Counter.PLANS_EXECUTED));
    }
  }

  /** A way that the host does not know changes no answer, and is counted by its number. */
  @Test
  void waysAreCounted() throws IOException {
    CountedIndex.write(directory);
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher searcher = CountedIndex.searcher(reader);
      Query query = CountedIndex.all("third", "even");
      int[] ways = {OffloadWire.Way.UNSAID, OffloadWire.Way.AND, OffloadWire.Way.AND, 14};
      for (int way : ways) {
        tally.way = way;
        TopDocs top = searcher.search(query, 10);
        assertEquals(SEGMENTS * CountedIndex.DOCS / 6, top.totalHits.value());
        assertEquals(TotalHits.Relation.EQUAL_TO, top.totalHits.relation());
      }
      long pages = SEGMENTS;
      assertEquals(Map.of("and", 2 * pages, "way 14", pages), stats.ways());
      assertEquals(Map.of(), stats.read().since(stats.read()).ways());
    }
  }

  @Test
  void liveDocsAreCountedOnce() throws IOException {
    CountedIndex.write(directory);
    CountedIndex.deleteOne(directory, 1);
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher searcher = CountedIndex.searcher(reader);
      OffloadStats.Snapshot before = stats.read();
      searcher.search(CountedIndex.all("all", "odd"), 10);
      long words = (CountedIndex.DOCS + 63) / 64;
      assertEquals(
          tally.planBytes + words * Long.BYTES,
          stats.read().since(before).get(Counter.BYTES_TO_DEVICE));
      before = stats.read();
      long bytes = tally.planBytes;
      searcher.search(CountedIndex.all("all", "odd"), 10);
      assertEquals(
          tally.planBytes - bytes, stats.read().since(before).get(Counter.BYTES_TO_DEVICE));
    }
  }

  @Test
  void refusalsAreCountedByReason() throws IOException {
    CountedIndex.write(directory);
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher searcher = CountedIndex.searcher(reader);
      OffloadStats.Snapshot before = stats.read();
      searcher.search(CountedIndex.phrase(), 10);
      searcher.search(CountedIndex.phrase(), 10);
      OffloadStats.Snapshot work = stats.read().since(before);
      assertEquals(Map.of(Counter.QUERIES_REFUSED, 2L), counted(work));
      assertEquals(Map.of("plans cannot express this query", 2L), work.refusals());
      assertEquals(Map.of("plans cannot express this query", 2L), stats.reasons());

      searcher.setPlacement(Placement.NEVER);
      before = stats.read();
      searcher.search(CountedIndex.all("all", "even"), 10);
      assertEquals(Map.of(), counted(stats.read().since(before)));
    }
  }

  @Test
  void fallbacksAreCountedByCause() throws IOException {
    CountedIndex.write(directory);
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher searcher = CountedIndex.searcher(reader);
      OffloadStats.Snapshot before = stats.read();
      program.failAfter(1, FaultyProgram.Fault.STATUS);
      assertEquals(
          SEGMENTS * CountedIndex.DOCS / 2,
          searcher.search(CountedIndex.all("all", "even"), 10).totalHits.value());
      program.heal();
      OffloadStats.Snapshot work = stats.read().since(before);
      assertEquals(1, work.get(Counter.LEAVES_OFFLOADED));
      assertEquals(1, work.get(Counter.PLANS_EXECUTED));
      assertEquals(SEGMENTS - 1, work.get(Counter.LEAVES_FALLEN_BACK));
      assertEquals(program.faults(), work.get(Counter.PLANS_FAILED));
      assertEquals(Map.of("IO_ERROR", SEGMENTS - 1L), work.fallbacks());
      assertEquals(SEGMENTS - 1L, stats.reasons().get("device failed: IO_ERROR"));
    }
  }

  @Test
  void theCountersAreFoundFromEverywhere() throws IOException {
    CountedIndex.write(directory);
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      assertSame(stats, new OffloadIndexSearcher(reader).offloadStats());
      assertSame(stats, OffloadStats.ofOpenDevices().get(device.name()));
    }
    directory.close();
    assertFalse(OffloadStats.ofOpenDevices().containsValue(stats));
  }

  @Test
  void reasonsAreBounded() {
    OffloadStats many = new OffloadStats();
    IntStream.range(0, 5000).forEach(i -> many.countReason("reason " + i));
    assertEquals(1001, many.troubles().size());
    assertEquals(4000, many.troubles().get("other"));
    assertEquals(5000, many.troubles().values().stream().mapToLong(Long::longValue).sum());
  }

  @Test
  void nothingIsLostBetweenThreads() {
    OffloadStats shared = new OffloadStats();
    Map<Thread, OffloadStats.Share> shares = new ConcurrentHashMap<>();
    IntStream.range(0, 200_000)
        .parallel()
        .forEach(
            i -> {
              shared.increment(Counter.QUERIES_REFUSED);
              shared.countRefusal("r" + i % 3);
              shares
                  .computeIfAbsent(Thread.currentThread(), unused -> shared.share())
                  .add(Counter.PAGES_READ, 2);
            });
    assertEquals(400_000, shared.get(Counter.PAGES_READ));
    shares.values().forEach(shared::retire);
    assertEquals(400_000, shared.get(Counter.PAGES_READ));
    assertEquals(200_000, shared.get(Counter.QUERIES_REFUSED));
    assertEquals(Map.of("r0", 66_667L, "r1", 66_667L, "r2", 66_666L), shared.refusals());
  }
}
