/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.report.OffloadSnapshot;
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
      OffloadSnapshot first = directory.stats().read();
      assertTrue(first.get(Counter.MEMORY_EVICTIONS) > 0);
      assertEquals(expected, FaultIndex.answers(searcher, queries));
      OffloadSnapshot again = directory.stats().read().since(first);
      assertTrue(again.get(Counter.MEMORY_LOADS) > 0);
      assertEquals(again.get(Counter.MEMORY_LOADS), again.get(Counter.MEMORY_RELOADS));
      assertEquals(
          again.get(Counter.MEMORY_LOADS) * PAGE_BYTES, again.get(Counter.MEMORY_BYTES_READ));
    }
    // What was counted does not shrink when the device is closed.
    assertTrue(directory.stats().get(Counter.MEMORY_HITS) > 0);
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
      OffloadSnapshot first = directory.stats().read();
      assertTrue(first.get(Counter.MEMORY_LOADS) > 0);
      assertEquals(answers, FaultIndex.answers(searcher, queries));
      OffloadSnapshot again = directory.stats().read().since(first);
      assertTrue(again.get(Counter.MEMORY_HITS) > 0);
      assertEquals(0, again.get(Counter.MEMORY_LOADS));
      assertEquals(0, directory.stats().get(Counter.MEMORY_EVICTIONS));
    }
  }
}
