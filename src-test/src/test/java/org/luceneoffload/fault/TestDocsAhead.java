/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
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

/** All matches of a device that is far away: their pages are asked for together. */
class TestDocsAhead {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

  /** Segments that a collector has to take to their end before it is trusted to do so. */
  private static final int TRUSTED = 8;

  @TempDir Path folder;

  /** Takes all docs, and their scores or not. */
  private static class AllDocs extends SimpleCollector {
    private final boolean scored;
    final List<String> docs = new ArrayList<>();
    private Scorable scorable;
    private int base;

    AllDocs(boolean scored) {
      this.scored = scored;
    }

    @Override
    protected void doSetNextReader(LeafReaderContext context) {
      base = context.docBase;
    }

    @Override
    public void setScorer(Scorable scorer) {
      scorable = scorer;
    }

    @Override
    public void collect(int doc) throws IOException {
      int bits = scored ? Float.floatToRawIntBits(scorable.score()) : 0;
      docs.add((base + doc) + ":" + bits);
    }

    @Override
    public ScoreMode scoreMode() {
      return scored ? ScoreMode.COMPLETE : ScoreMode.COMPLETE_NO_SCORES;
    }
  }

  /** Has enough after some docs, and says so by an exception. */
  private static final class FewDocs extends AllDocs {
    FewDocs() {
      super(false);
    }

    @Override
    public void collect(int doc) throws IOException {
      if (docs.size() == 1_000) {
        throw new IOException("enough");
      }
      super.collect(doc);
    }
  }

  /** Collects with collectors from a supplier, one for each slice. */
  private static List<String> all(IndexSearcher searcher, Query query, Supplier<AllDocs> collectors)
      throws IOException {
    return searcher.search(
        query,
        new CollectorManager<AllDocs, List<String>>() {
          @Override
          public AllDocs newCollector() {
            return collectors.get();
          }

          @Override
          public List<String> reduce(Collection<AllDocs> taken) {
            return taken.stream().flatMap(collector -> collector.docs.stream()).toList();
          }
        });
  }

  private static List<String> all(IndexSearcher searcher, Query query, boolean scored)
      throws IOException {
    return all(searcher, query, () -> new AllDocs(scored));
  }

  /** Something done with an index. */
  @FunctionalInterface
  private interface Action {
    void run(OffloadDirectory directory, DirectoryReader reader, IndexSearcher stock)
        throws Exception;
  }

  /** Every doc has "every"; of the words "late" and "some", all are at the end, or anywhere. */
  private void withIndex(Device device, int docs, int segments, Action action) throws Exception {
    withIndex(device, OffloadOptions.DEFAULT, docs, segments, action);
  }

  private void withIndex(
      Device device, OffloadOptions options, int docs, int segments, Action action)
      throws Exception {
    System.out.println("seed of TestDocsAhead: -Dtests.seed=" + SEED);
    Random random = new Random(SEED);
    Path path = folder.resolve("index");
    try (FSDirectory plain = FSDirectory.open(path);
        OffloadDirectory directory = OffloadDirectory.wrap(plain, device, options)) {
      IndexWriterConfig config =
          new IndexWriterConfig()
              .setCodec(new OffloadCodec())
              .setMaxBufferedDocs(2 * docs)
              .setRAMBufferSizeMB(256)
              .setMergePolicy(NoMergePolicy.INSTANCE);
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int segment = 0; segment < segments; segment++) {
          for (int i = 0; i < docs; i++) {
            Document document = new Document();
            document.add(new StringField("body", "every", Field.Store.NO));
            if (i >= docs - docs / 6) {
              document.add(new StringField("body", "late", Field.Store.NO));
            }
            if (random.nextInt(3) == 0) {
              document.add(new StringField("body", "some", Field.Store.NO));
            }
            document.add(new StringField("id", Integer.toString(i % 1000), Field.Store.NO));
            writer.addDocument(document);
          }
          writer.commit();
        }
        writer.deleteDocuments(new Term("id", "17"), new Term("id", "444"));
        writer.commit();
      }
      try (FSDirectory alone = FSDirectory.open(path);
          DirectoryReader stock = DirectoryReader.open(alone);
          DirectoryReader reader = DirectoryReader.open(directory)) {
        action.run(directory, reader, new IndexSearcher(stock));
      }
    }
  }

  private static Query term(String word) {
    return new TermQuery(new Term("body", word));
  }

  private static List<Query> queries() {
    Query both =
        new BooleanQuery.Builder()
            .add(term("late"), Occur.SHOULD)
            .add(term("some"), Occur.SHOULD)
            .build();
    return List.of(term("every"), term("late"), term("some"), both);
  }

  private static void compareAll(IndexSearcher stock, IndexSearcher searcher) throws IOException {
    for (Query query : queries()) {
      for (boolean scored : new boolean[] {false, true}) {
        assertEquals(all(stock, query, scored), all(searcher, query, scored), query.toString());
      }
    }
  }

  private static OffloadIndexSearcher uncached(DirectoryReader reader, boolean strict) {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setQueryCache(null);
    searcher.setStrict(strict);
    return searcher;
  }

  private StagingDevice simulator(Supplier<OffloadException> failures) throws IOException {
    StagingDevice device = StagingDevice.onSimulator(folder, failures);
    device.most = 16;
    device.resultBytes = 4096;
    return device;
  }

  @Test
  void aSegmentTakesOneExchange() throws Exception {
    StagingDevice device = simulator(() -> null);
    withIndex(
        device,
        3_000,
        3,
        (directory, reader, stock) -> {
          OffloadIndexSearcher searcher = uncached(reader, true);
          for (int i = 0; i <= TRUSTED / 3; i++) {
            compareAll(stock, searcher);
          }
          long before = device.exchanges.get();
          assertEquals(all(stock, term("every"), false), all(searcher, term("every"), false));
          assertEquals(3, device.exchanges.get() - before, "exchanges for three segments");
          assertEquals(0, directory.stats().get(Counter.PLANS_FAILED));
        });
  }

  /** Where more match than was to be expected, the rest of a window is asked for in its turn. */
  @Test
  void windowsThatHaveTooManyMatchesLeaveGaps() throws Exception {
    StagingDevice device = simulator(() -> null);
    device.resultBytes = 512;
    withIndex(
        device,
        4_000,
        2,
        (directory, reader, stock) -> {
          OffloadIndexSearcher searcher = uncached(reader, true);
          for (int i = 0; i <= TRUSTED / 2; i++) {
            compareAll(stock, searcher);
          }
          assertTrue(device.staged.get() > 0);
          assertEquals(0, directory.stats().get(Counter.PLANS_FAILED));
        });
  }

  @Test
  void whatFailsIsTheHosts() throws Exception {
    Random random = new Random(SEED);
    AtomicInteger failed = new AtomicInteger();
    StagingDevice device =
        simulator(
            () -> {
              boolean fails = failed.get() == 0 || random.nextInt(12) == 0; // the first surely
              failed.addAndGet(fails ? 1 : 0);
              return fails ? StagingDevice.refusal() : null;
            });
    device.ends =
        () ->
            failed.get() > 0 && random.nextInt(20) == 0
                ? new OffloadException(OffloadWire.Status.IO_ERROR, "the connection is lost")
                : null;
    withIndex(
        device,
        3_000,
        3,
        (directory, reader, stock) -> {
          OffloadIndexSearcher searcher = uncached(reader, false);
          for (int i = 0; i < TRUSTED; i++) {
            compareAll(stock, searcher);
          }
          assertTrue(failed.get() > 0 && directory.stats().get(Counter.LEAVES_FALLEN_BACK) > 0);
        });
  }

  /** A collector that throws has its exception, and what was asked for ahead is forgotten. */
  @Test
  void aCollectorEndsAStream() throws Exception {
    StagingDevice device = simulator(() -> null);
    withIndex(
        device,
        3_000,
        1,
        (directory, reader, stock) -> {
          OffloadIndexSearcher searcher = uncached(reader, false);
          for (int i = 0; i <= TRUSTED; i++) {
            compareAll(stock, searcher);
          }
          IOException failure =
              assertThrows(IOException.class, () -> all(searcher, term("every"), FewDocs::new));
          assertEquals("enough", failure.getMessage());
          compareAll(stock, searcher);
        });
  }

  /** Docs that are more than a page of a node has room for come in one exchange with it. */
  @Test
  void aNodeSendsAllPagesAtOnce() throws Exception {
    try (CsdTarget node = new CsdTarget(folder, "--capacity", "1G", "--dram", "32M");
        CuttingRelay relay = new CuttingRelay(node.port())) {
      String name = "127.0.0.1:" + relay.port() + ",claim=empty,timeout=60000";
      withIndex(
          new CsdDeviceProvider().openForWriting(name, folder),
          OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofMinutes(1)),
          150_000,
          1,
          (directory, reader, stock) -> {
            OffloadIndexSearcher searcher = uncached(reader, true);
            for (int i = 0; i <= TRUSTED; i++) {
              all(searcher, term("late"), i % 2 == 0);
            }
            for (boolean scored : new boolean[] {false, true}) {
              List<String> expected = all(stock, term("every"), scored);
              int before = relay.exchanges();
              assertEquals(expected, all(searcher, term("every"), scored));
              assertEquals(1, relay.exchanges() - before, "exchanges");
            }
            assertTrue(relay.mostCommands() >= 10, relay.mostCommands() + " commands at once");
            compareAll(stock, searcher);
            assertEquals(0, directory.stats().get(Counter.PLANS_FAILED));
          });
    }
  }
}
