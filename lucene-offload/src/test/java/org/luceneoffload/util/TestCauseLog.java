/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.CountedIndex;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.QuickRun;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** However often something goes wrong, the log is short. */
class TestCauseLog {
  private static final int QUERIES = QuickRun.times(1_000, 10_000);

  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger = Logger.getLogger(CauseLog.NAME);
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          lines.add(record.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    CauseLog.forget();
    logger.addHandler(handler);
    logger.setUseParentHandlers(false);
  }

  @AfterEach
  void stop() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
    CauseLog.forget();
  }

  @Test
  void oneLinePerCause() {
    for (int i = 0; i < 1000; i++) {
      CauseLog.warn("kind", "cause " + i % 4, "line " + i);
    }
    assertEquals(List.of("line 0", "line 1", "line 2", "line 3"), lines);
  }

  @Test
  void theCausesOfAKindAreBounded() {
    for (int i = 0; i < 1000; i++) {
      CauseLog.warn("kind", "cause " + i, "line " + i);
    }
    assertEquals(CauseLog.MAX_CAUSES, lines.size());
    assertEquals("line 9 (more of this kind: counted, not logged)", lines.getLast());
    CauseLog.warn("another kind", "cause", "line");
    assertEquals(CauseLog.MAX_CAUSES + 1, lines.size());
  }

  @Test
  void noMessageBeginsALineOfItsOwn() {
    CauseLog.warn("kind", "cause", "zz*\nWARNING: index corrupt");
    assertEquals(List.of("zz*\\u000aWARNING: index corrupt"), lines);
  }

  @Test
  void manyFailingQueries() throws Exception {
    int[] statuses = {
      OffloadWire.Status.IO_ERROR, OffloadWire.Status.NO_MEMORY, OffloadWire.Status.INTERNAL
    };
    AtomicInteger failures = new AtomicInteger();
    RamBlockDevice device =
        new RamBlockDevice(
            1 << 16,
            (unused, plan, stop) -> {
              int n = failures.getAndIncrement();
              throw new OffloadException(statuses[n % statuses.length], "failure " + n);
            });
    try (OffloadDirectory directory = OffloadDirectory.wrap(new ByteBuffersDirectory(), device)) {
      CountedIndex.write(directory);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        OffloadIndexSearcher searcher = CountedIndex.searcher(reader);
        Query query = CountedIndex.all("all", "even");
        for (int i = 0; i < QUERIES / 2; i++) {
          assertEquals(450, searcher.search(query, 1).totalHits.value());
          assertEquals(450, searcher.search(CountedIndex.phrase(), 1).totalHits.value());
        }
        assertTrue(failures.get() > 0);
        assertEquals(QUERIES / 2, directory.stats().get(Counter.QUERIES_REFUSED));
      }
    } finally {
      device.close();
    }
    assertTrue(
        lines.contains("the host answers: plans cannot express this query: PhraseQuery"),
        lines.toString());
    // A status each, the refusal of phrases, and perhaps what was done about the device.
    assertTrue(lines.size() >= 4 && lines.size() <= 8, lines.size() + " lines: " + lines);
  }
}
