/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;
import org.luceneoffload.nvme.tcp.CsdDeviceProvider;
import org.luceneoffload.nvme.tcp.CsdTarget;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.sim.StagingDevice;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** The plans of several segments in one exchange: some fail, or the connection goes meanwhile. */
class TestStagedPlans {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final int SEGMENTS = 5;

  /** Rounds of queries until something happens that happens by chance, mostly in the first. */
  private static final int TRIES = 50;

  private static final OffloadOptions PATIENT =
      OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofMinutes(1));

  @TempDir Path folder;
  private final List<Query> queries = FaultIndex.queries(SEED).subList(0, 12);

  /** Something done with an index of several segments. */
  @FunctionalInterface
  private interface Action {
    void run(OffloadDirectory directory, DirectoryReader reader, List<String> stock)
        throws Exception;
  }

  /** With time enough for each call. */
  private void withIndex(Device device, Action action) throws Exception {
    withIndex(device, PATIENT, action);
  }

  private void withIndex(Device device, OffloadOptions options, Action action) throws Exception {
    System.out.println("seed of TestStagedPlans: -Dtests.seed=" + SEED);
    Path path = folder.resolve("index");
    IndexWriterConfig config =
        new IndexWriterConfig().setCodec(new OffloadCodec()).setMergePolicy(NoMergePolicy.INSTANCE);
    try (OffloadDirectory patient = OffloadDirectory.wrap(FSDirectory.open(path), device, PATIENT);
        IndexWriter writer = new IndexWriter(patient, config)) {
      for (int i = 0; i < SEGMENTS; i++) {
        FaultIndex.add(writer, SEED + i, 700);
        writer.commit();
      }
    }
    try (OffloadDirectory directory =
        OffloadDirectory.wrap(FSDirectory.open(path), device, options)) {
      List<String> stock;
      try (FSDirectory alone = FSDirectory.open(path);
          DirectoryReader reader = DirectoryReader.open(alone)) {
        stock = FaultIndex.answers(new IndexSearcher(reader), queries);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        action.run(directory, reader, stock);
      }
    }
  }

  @Test
  void somePlansFailAndTheHostAnswersTheirSegments() throws Exception {
    Random random = new Random(SEED);
    AtomicInteger failed = new AtomicInteger();
    StagingDevice device =
        StagingDevice.onSimulator(
            folder,
            () -> {
              boolean fails = random.nextInt(4) == 0;
              failed.addAndGet(fails ? 1 : 0);
              return fails ? StagingDevice.refusal() : null;
            });
    withIndex(
        device,
        (directory, reader, stock) -> {
          for (int i = 0; i < TRIES && failed.get() == 0; i++) {
            assertEquals(stock, FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
          }
          assertTrue(failed.get() > 0 && device.staged.get() > failed.get());
          assertEquals(failed.get(), directory.stats().get(Counter.PLANS_FAILED));
          assertEquals(failed.get(), directory.stats().get(Counter.LEAVES_FALLEN_BACK));
          assertTrue(directory.stats().get(Counter.LEAVES_OFFLOADED) > 0);
        });
  }

  @Test
  void aPlanThatFailsIsAnErrorInStrictMode() throws Exception {
    AtomicInteger plans = new AtomicInteger();
    StagingDevice device =
        StagingDevice.onSimulator(
            folder, () -> plans.incrementAndGet() == 2 ? StagingDevice.refusal() : null);
    withIndex(
        device,
        (directory, reader, stock) -> {
          OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
          searcher.setStrict(true);
          OffloadException failure =
              assertThrows(OffloadException.class, () -> FaultIndex.answers(searcher, queries));
          assertTrue(failure.getMessage().contains("refused by the test"), failure.getMessage());
        });
  }

  /** A segment's plan brings no hits that those of the segments before it have outdone. */
  @Test
  void plansKnowTheHitsOfThoseBeforeThem() throws Exception {
    StagingDevice device = StagingDevice.onSimulator(folder, () -> null);
    withIndex(
        device,
        (directory, reader, stock) -> {
          long before = directory.stats().get(Counter.BYTES_FROM_DEVICE);
          assertEquals(stock, FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
          long knowing = directory.stats().get(Counter.BYTES_FROM_DEVICE) - before;
          device.series = false;
          assertEquals(stock, FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
          long alone = directory.stats().get(Counter.BYTES_FROM_DEVICE) - before - knowing;
          assertTrue(knowing < alone, knowing + " bytes of pages, " + alone + " without series");
          assertEquals(0, directory.stats().get(Counter.PLANS_FAILED));
        });
  }

  /** All plans of a query leave in one write, and what comes back of them may end at any byte. */
  @Test
  void theConnectionIsCutInTheMiddleOfTheAnswers() throws Exception {
    Random random = new Random(SEED);
    try (CsdTarget node = new CsdTarget(folder, "--capacity", "1G", "--dram", "32M");
        CuttingRelay relay = new CuttingRelay(node.port())) {
      String name = "127.0.0.1:" + relay.port() + ",claim=empty,timeout=60000";
      withIndex(
          new CsdDeviceProvider().openForWriting(name, folder),
          OffloadOptions.DEFAULT, // the breaker, which a cut may open, waits as long
          (directory, reader, stock) -> {
            OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
            assertEquals(stock, FaultIndex.answers(searcher, queries));
            assertTrue(
                relay.mostCommands() > 2, relay.mostCommands() + " commands at once at most");
            for (int round = 0; round < 8; round++) {
              long before = directory.stats().get(Counter.PLANS_FAILED);
              int bytes = round == 0 ? 0 : random.nextInt(900);
              relay.cutAfter(bytes);
              long end = System.nanoTime() + 60_000_000_000L;
              while (directory.stats().get(Counter.PLANS_FAILED) == before) {
                if (relay.hasCut()) { // what was no plan, such as the connecting of a queue
                  relay.cutAfter(bytes);
                }
                assertEquals(stock, FaultIndex.answers(searcher, queries));
                assertTrue(System.nanoTime() < end, "the cut was not noticed");
              }
              long offloaded = directory.stats().get(Counter.LEAVES_OFFLOADED);
              while (directory.stats().get(Counter.LEAVES_OFFLOADED) == offloaded) {
                assertEquals(stock, FaultIndex.answers(searcher, queries));
                assertTrue(System.nanoTime() < end, "the node is not used again");
                Thread.sleep(10);
              }
            }
          });
    }
  }

  /**
   * An exchange that ends early has answered the plans before, and the others are run once more.
   */
  @Test
  void plansThatAnExchangeDidNotComeToAreRunInTheirTurn() throws Exception {
    Random random = new Random(SEED);
    AtomicInteger ended = new AtomicInteger();
    StagingDevice device = StagingDevice.onSimulator(folder, () -> null);
    device.ends =
        () -> {
          boolean ends = random.nextInt(5) == 0;
          ended.addAndGet(ends ? 1 : 0);
          int status =
              random.nextBoolean() ? OffloadWire.Status.IO_ERROR : OffloadWire.Status.NO_SESSION;
          return ends ? new OffloadException(status, "the connection is lost") : null;
        };
    withIndex(
        device,
        (directory, reader, stock) -> {
          OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
          searcher.setStrict(true);
          for (int i = 0; i < TRIES && ended.get() == 0; i++) {
            assertEquals(stock, FaultIndex.answers(searcher, queries));
          }
          assertTrue(ended.get() > 0 && device.staged.get() > 0);
          assertTrue(directory.stats().get(Counter.PLANS_FAILED) >= ended.get());
          assertEquals(0, directory.stats().get(Counter.LEAVES_FALLEN_BACK));
        });
  }

  /** One that took too long is not waited for again. */
  @Test
  void plansOfAnExchangeThatTookTooLongAreTheHosts() throws Exception {
    StagingDevice device = StagingDevice.onSimulator(folder, () -> null);
    withIndex(
        device,
        (directory, reader, stock) -> {
          device.ends = () -> new OffloadException(OffloadWire.Status.TIMED_OUT, "no answer");
          assertEquals(stock, FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
          assertTrue(directory.stats().get(Counter.LEAVES_FALLEN_BACK) > 0);
          assertEquals(0, directory.stats().get(Counter.PLANS_EXECUTED));
        });
  }

  /** Pages that came whole before the connection is cut are kept. */
  @Test
  void onlyWhatDidNotComeIsAskedForAgain() throws Exception {
    try (CsdTarget node = new CsdTarget(folder, "--capacity", "1G", "--dram", "32M");
        CuttingRelay relay = new CuttingRelay(node.port())) {
      String name = "127.0.0.1:" + relay.port() + ",claim=empty,timeout=60000";
      withIndex(
          new CsdDeviceProvider().openForWriting(name, folder),
          (directory, reader, stock) -> {
            OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
            searcher.setQueryCache(null);
            Query query =
                new BooleanQuery.Builder()
                    .add(new TermQuery(new Term("body", "w0")), Occur.MUST)
                    .add(new TermQuery(new Term("body", "w1")), Occur.MUST)
                    .build();
            int count = searcher.count(query);
            long sent = directory.stats().get(Counter.BYTES_TO_DEVICE);
            long received = relay.fromNode();
            assertEquals(count, searcher.count(query));
            long asked = directory.stats().get(Counter.BYTES_TO_DEVICE) - sent;
            relay.cutAfter((int) (relay.fromNode() - received) - 1);
            assertEquals(count, searcher.count(query));
            long again = directory.stats().get(Counter.BYTES_TO_DEVICE) - sent - 2 * asked;
            assertTrue(again > 0 && again < asked / 2, again + " bytes of " + asked + " again");
            assertEquals(1, directory.stats().get(Counter.PLANS_FAILED));
            assertEquals(0, directory.stats().get(Counter.LEAVES_FALLEN_BACK));
          });
    }
  }
}
