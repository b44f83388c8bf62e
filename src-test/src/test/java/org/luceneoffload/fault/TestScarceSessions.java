/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.HangingDevice;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.sim.SimDeviceProvider;

/**
 * Many more threads than the device has sessions, and little device memory: every answer is right,
 * whoever waits gets a session or the host, memory stays. {@code -Dfaults.threads=2000}.
 */
class TestScarceSessions {
  private static final int THREADS = Processes.times("faults.threads", 200, 2_000);
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

  @TempDir Path folder;
  private final List<Query> queries = FaultIndex.queries(SEED).subList(0, 6);
  private List<String> expected;

  @BeforeEach
  void write() throws Exception {
    System.out.println("seed of TestScarceSessions: -Dtests.seed=" + SEED);
    FaultIndex.write(folder, SEED);
    expected = FaultIndex.stockAnswers(folder, queries);
  }

  private void searchFrom(ExecutorService threads, String what, OffloadDirectory directory)
      throws Exception {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      assertEquals(expected, FaultIndex.answers(searcher, queries));
      long before = directory.stats().get(Counter.LEAVES_OFFLOADED);
      long megabytes = Processes.residentMegabytes();
      List<Future<List<String>>> answers = new ArrayList<>();
      try (threads) {
        for (int i = 0; i < THREADS; i++) {
          answers.add(threads.submit(() -> FaultIndex.answers(searcher, queries)));
        }
        for (Future<List<String>> answer : answers) {
          assertEquals(expected, answer.get());
        }
      }
      System.out.println(
          what
              + ": "
              + (directory.stats().get(Counter.LEAVES_OFFLOADED) - before)
              + " segments on the device, "
              + directory.stats().get(Counter.LEAVES_FALLEN_BACK)
              + " fell back, resident "
              + megabytes
              + " to "
              + Processes.residentMegabytes()
              + " MB");
      assertTrue(directory.stats().get(Counter.LEAVES_OFFLOADED) > before);
    }
  }

  @Test
  void ofThePlatform() throws Exception {
    for (int sessions : new int[] {4, 64}) {
      String device = "sim:capacity=1g,dram=256k,sessions=" + sessions;
      try (OffloadDirectory directory = OffloadDirectory.open(folder, device)) {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        searchFrom(threads, THREADS + " threads, " + sessions + " sessions", directory);
      }
    }
  }

  @Test
  void virtual() throws Exception {
    String device = "sim:capacity=1g,dram=256k,sessions=4";
    try (OffloadDirectory directory = OffloadDirectory.open(folder, device)) {
      ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
      searchFrom(threads, THREADS + " virtual threads, 4 sessions", directory);
    }
  }

  /** The device is called on threads of its own, of which there are fewer. */
  @Test
  void overADeviceThatMayHang() throws Exception {
    OffloadOptions options = OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofSeconds(20));
    try (FSDirectory plain = FSDirectory.open(folder);
        HangingDevice device =
            new HangingDevice(
                new SimDeviceProvider()
                    .openForWriting("capacity=1g,dram=256k,sessions=4", folder))) {
      try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device, options)) {
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        searchFrom(threads, THREADS + " virtual threads, guarded", directory);
      }
    }
  }
}
