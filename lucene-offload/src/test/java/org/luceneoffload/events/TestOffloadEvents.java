/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.events;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.CountedIndex;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.device.FaultyProgram;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;

/** Records, and reads back what was recorded. */
class TestOffloadEvents {
  private static final String PREFIX = "org.luceneoffload.";
  private static final List<String> ALL =
      List.of(
          "PlanRun",
          "Refusal",
          "Fallback",
          "ImageWritten",
          "ImageOpened",
          "ImageUnusable",
          "DeviceOpened",
          "DeviceClosed",
          "CircuitBreaker",
          "Counters",
          "ReasonCount");

  private final FaultyProgram program = new FaultyProgram(new ReferenceProgram());
  private final RamBlockDevice device = new RamBlockDevice(1 << 16, program);
  private final Directory memory = new ByteBuffersDirectory();
  private OffloadStats.Snapshot counted;

  @TempDir Path folder;

  private interface Work {
    void run() throws IOException;
  }

  /** Records everything; gives the events of our device by name, those of a kind in their order. */
  private Map<String, List<RecordedEvent>> record(Work work) throws IOException {
    Path file = folder.resolve("events.jfr");
    try (Recording recording = new Recording()) {
      ALL.forEach(name -> recording.enable(PREFIX + name).withoutThreshold());
      recording.enable(PREFIX + "Counters").with("period", "endChunk");
      recording.enable(PREFIX + "ReasonCount").with("period", "endChunk");
      recording.start();
      work.run();
      recording.stop(); // the end of the chunk
      recording.dump(file);
    }
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().startsWith(PREFIX))
        .filter(event -> event.getString("device").equals(device.name()))
        .collect(
            Collectors.groupingBy(
                event -> event.getEventType().getName().substring(PREFIX.length())));
  }

  private static <T> long count(List<T> events, Predicate<T> wanted) {
    return events.stream().filter(wanted).count();
  }

  private void search() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(memory, device)) {
      CountedIndex.write(directory);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        OffloadIndexSearcher searcher = CountedIndex.searcher(reader);
        searcher.search(CountedIndex.all("third", "even"), 10);
        searcher.count(CountedIndex.all("third", "even"));
        searcher.search(CountedIndex.phrase(), 10);
        program.failAfter(0, FaultyProgram.Fault.STATUS);
        searcher.search(CountedIndex.all("all", "odd"), 10);
        program.heal();
      }
      counted = directory.stats().read();
      OffloadEvents.circuitBreaker(device, true, "for this test");
    }
  }

  @Test
  void everythingIsTold() throws IOException {
    assertTrue(OffloadEvents.available());
    Map<String, List<RecordedEvent>> events = record(this::search);
    int segments = CountedIndex.SEGMENTS;

    List<RecordedEvent> runs = events.get("PlanRun");
    List<RecordedEvent> good =
        runs.stream().filter(event -> event.getString("status").equals("OK")).toList();
    assertEquals(counted.get(Counter.PLANS_EXECUTED), good.size());
    assertEquals(counted.get(Counter.PLANS_FAILED), runs.size() - good.size());
    assertEquals(segments, count(good, event -> event.getString("mode").equals("TOP_K")));
    assertEquals(segments, count(good, event -> event.getString("mode").equals("COUNT")));
    assertEquals(
        counted.get(Counter.BYTES_FROM_DEVICE),
        good.stream().mapToLong(event -> event.getInt("resultBytes")).sum());
    assertEquals(
        counted.get(Counter.PAGES_READ),
        good.stream().mapToLong(event -> event.getLong("pagesRead")).sum());
    for (RecordedEvent run : good) {
      assertTrue(run.getInt("planBytes") > 0);
      assertEquals(CountedIndex.DOCS / 6, run.getLong("matches"));
      assertTrue(run.getDuration().toNanos() > 0);
      assertTrue(run.getString("images").endsWith(".odp"), run.getString("images"));
      assertFalse(run.getBoolean("more"));
    }
    assertEquals(
        segments, runs.stream().map(event -> event.getString("images")).distinct().count());

    RecordedEvent refusal = events.get("Refusal").getFirst();
    assertEquals(1, events.get("Refusal").size());
    assertTrue(refusal.getBoolean("wholeQuery"));
    assertEquals("plans cannot express this query", refusal.getString("reason"));

    List<RecordedEvent> fallbacks = events.get("Fallback");
    assertEquals(counted.get(Counter.LEAVES_FALLEN_BACK), fallbacks.size());
    assertEquals(segments, count(fallbacks, event -> event.getString("cause").equals("IO_ERROR")));

    assertEquals(segments, events.get("ImageWritten").size());
    assertEquals(segments, events.get("ImageOpened").size());
    assertEquals(
        counted.get(Counter.IMAGE_BYTES_WRITTEN),
        events.get("ImageWritten").stream().mapToLong(event -> event.getLong("bytes")).sum());
    assertEquals(1, events.get("DeviceOpened").size());
    assertEquals(1, events.get("DeviceClosed").size());
    assertTrue(events.get("CircuitBreaker").getFirst().getBoolean("open"));
  }

  @Test
  void aLostImageIsTold() throws IOException {
    Map<String, List<RecordedEvent>> events =
        record(
            () -> {
              try (OffloadDirectory directory = OffloadDirectory.wrap(memory, device)) {
                device.failWritesAfter(0); // it cannot even be made a volume
                CountedIndex.write(directory);
                device.heal();
                assertNull(directory.whyNoImages());
                device.failWritesAfter(0);
                CountedIndex.write(directory);
                device.heal();
                DirectoryReader.open(directory).close();
              }
            });
    List<RecordedEvent> lost = events.get("ImageUnusable");
    int segments = CountedIndex.SEGMENTS;
    assertEquals(segments, count(lost, event -> event.getString("trouble").equals("UNWRITTEN")));
    assertEquals(segments, count(lost, event -> event.getString("trouble").equals("DROPPED")));
    assertEquals(2 * segments, count(lost, event -> event.getString("trouble").equals("MISSING")));
    assertFalse(events.containsKey("ImageWritten"));
  }

  @Test
  void countersAreToldPeriodically() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(memory, device)) {
      CountedIndex.write(directory);
      Map<String, List<RecordedEvent>> events =
          record(
              () -> {
                try (DirectoryReader reader = DirectoryReader.open(directory)) {
                  OffloadIndexSearcher searcher = CountedIndex.searcher(reader);
                  searcher.search(CountedIndex.all("all", "even"), 10);
                  searcher.search(CountedIndex.phrase(), 10);
                }
              });
      RecordedEvent last = events.get("Counters").getLast();
      for (Counter counter : Counter.values()) {
        assertEquals(
            directory.stats().get(counter),
            last.getLong(CounterEvents.fieldName(counter)),
            counter.name());
      }
      RecordedEvent reason = events.get("ReasonCount").getLast();
      assertEquals("REFUSAL", reason.getString("kind"));
      assertEquals("plans cannot express this query", reason.getString("reason"));
      assertEquals(1, reason.getLong("count"));
    }
  }

  @Test
  void shortRunsAreNotToldUnlessWanted() throws IOException {
    Path file = folder.resolve("default.jfr");
    try (Recording recording = new Recording()) {
      recording.start();
      search();
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
    assertEquals(
        0,
        count(
            events,
            event ->
                event.getEventType().getName().equals(PREFIX + "PlanRun")
                    && event.getDuration().toMillis() < 10));
    assertTrue(
        count(events, event -> event.getEventType().getName().equals(PREFIX + "Refusal")) > 0);
  }
}
