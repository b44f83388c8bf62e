/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;

/** Device memory that holds a part of the index: pages leave it and come back. */
class TestSmallMemory {
  private static final int PAGE_BYTES = 4096;

  @TempDir Path folder;

  @Test
  void whatItDoesIsCounted() throws Exception {
    FaultIndex.write(folder, 5);
    List<Query> queries = FaultIndex.queries(6);
    List<String> expected = FaultIndex.stockAnswers(folder, queries);
    OffloadOptions strict = OffloadOptions.DEFAULT.withStrict(true);
    OffloadDirectory directory =
        OffloadDirectory.open(folder, "sim:capacity=1g,dram=64k,readonly=true", strict);
    try (directory;
        DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      assertEquals(expected, FaultIndex.answers(searcher, queries));
      OffloadStats.Snapshot first = directory.stats().read();
      assertTrue(first.get(Counter.MEMORY_EVICTIONS) > 0);
      assertEquals(expected, FaultIndex.answers(searcher, queries));
      OffloadStats.Snapshot again = directory.stats().read().since(first);
      assertTrue(again.get(Counter.MEMORY_LOADS) > 0);
      assertEquals(again.get(Counter.MEMORY_LOADS), again.get(Counter.MEMORY_RELOADS));
      assertEquals(
          again.get(Counter.MEMORY_LOADS) * PAGE_BYTES, again.get(Counter.MEMORY_BYTES_READ));
    }
    // What was counted does not shrink when the device is closed.
    assertTrue(directory.stats().get(Counter.MEMORY_HITS) > 0);
  }

  /** Pages that are read past the system's cache give the same answers. */
  @Test
  void directReads() throws Exception {
    FaultIndex.write(folder, 5);
    List<Query> queries = FaultIndex.queries(6);
    List<String> expected = FaultIndex.stockAnswers(folder, queries);
    OffloadOptions strict = OffloadOptions.DEFAULT.withStrict(true);
    for (String memory : List.of("64k", "8m")) {
      String device = "sim:capacity=1g,direct=true,readonly=true,dram=" + memory;
      try (OffloadDirectory directory = OffloadDirectory.open(folder, device, strict);
          DirectoryReader reader = DirectoryReader.open(directory)) {
        OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
        assertEquals(expected, FaultIndex.answers(searcher, queries));
        assertEquals(expected, FaultIndex.answers(searcher, queries));
        OffloadStats.Snapshot seen = directory.stats().read();
        assertEquals(canReadDirectly(), seen.get(Counter.READS_AHEAD) > 0);
        assertEquals(canReadDirectly(), seen.get(Counter.MEMORY_READ_AHEAD) > 0);
        assertEquals(canReadDirectly(), seen.get(Counter.READS_DEEPEST) > 0);
      }
    }
  }

  /** Whether the file system has direct reads; the JVM's option for them is none of its API. */
  private boolean canReadDirectly() throws ReflectiveOperationException {
    Class<?> options = Class.forName("com.sun.nio.file.ExtendedOpenOption");
    OpenOption direct = (OpenOption) options.getField("DIRECT").get(null);
    try (FileChannel file =
        FileChannel.open(folder.resolve(FaultIndex.STORE), StandardOpenOption.READ, direct)) {
      return file.isOpen();
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  @Test
  void enoughMemoryIsFilledOnce() throws Exception {
    FaultIndex.write(folder, 5);
    List<Query> queries = FaultIndex.queries(6);
    try (OffloadDirectory directory =
            OffloadDirectory.open(folder, "sim:capacity=1g,dram=8m,readonly=true");
        DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      List<String> answers = FaultIndex.answers(searcher, queries);
      OffloadStats.Snapshot first = directory.stats().read();
      assertTrue(first.get(Counter.MEMORY_LOADS) > 0);
      assertEquals(answers, FaultIndex.answers(searcher, queries));
      OffloadStats.Snapshot again = directory.stats().read().since(first);
      assertTrue(again.get(Counter.MEMORY_HITS) > 0);
      assertEquals(0, again.get(Counter.MEMORY_LOADS));
      assertEquals(0, directory.stats().get(Counter.MEMORY_EVICTIONS));
    }
  }
}
