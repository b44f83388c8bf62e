/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.QueryTimeout;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LRUQueryCache;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCache;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.TestQueryCompiler;
import org.luceneoffload.wire.OffloadWire;

/**
 * The promise of every device: stock Lucene's answers, to the bit. A subclass brings the device.
 */
public abstract class SearchContractTest {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

  /** Where a device may keep its store. */
  @TempDir public Path home;

  private final Random random = new Random(SEED);
  private final RandomIndex documents = new RandomIndex(random);
  private final RandomQueries queries = new RandomQueries(random, documents);
  private Device device;
  private OffloadDirectory directory;

  /** A new device with an empty store of at least 8 MiB. */
  protected abstract Device newDevice(Path storeHome) throws IOException;

  /** Options of the directory over it. */
  protected OffloadOptions options() {
    return OffloadOptions.DEFAULT;
  }

  /** Documents in the largest index of these tests. */
  protected int manyDocuments() {
    return 2000;
  }

  /** Wraps the device. */
  @BeforeEach
  public void open() throws IOException {
    System.out.println("seed of " + getClass().getSimpleName() + ": -Dtests.seed=" + SEED);
    device = newDevice(home);
    directory = OffloadDirectory.wrap(new ByteBuffersDirectory(), device, options());
  }

  /** Closes everything. */
  @AfterEach
  public void close() throws IOException {
    directory.close();
    device.close();
  }

  private IndexWriterConfig config() {
    return new IndexWriterConfig(new StandardAnalyzer()).setCodec(new OffloadCodec());
  }

  private void check(IndexReader reader, OffloadIndexSearcher offload, int rounds)
      throws IOException {
    SearcherComparison comparison =
        new SearcherComparison(new IndexSearcher(reader), offload, random);
    for (int i = 0; i < rounds; i++) {
      comparison.check(queries.expressible());
      if (i % 4 == 0) {
        comparison.check(queries.mixed());
      }
    }
  }

  private void checkNoTrouble() {
    OffloadStats stats = directory.stats();
    assertEquals(0, stats.get(Counter.LEAVES_FALLEN_BACK), stats.toString());
    assertEquals(0, stats.get(Counter.IMAGES_BAD), stats.toString());
    assertTrue(stats.get(Counter.LEAVES_OFFLOADED) > 20, stats.toString());
  }

  /** One segment out of a merge. */
  @Test
  public void mergedSegment() throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config())) {
      for (int i = 0; i < 4; i++) {
        documents.add(writer, manyDocuments() / 4);
        writer.commit();
      }
      documents.delete(writer, manyDocuments() / 40);
      writer.forceMerge(1);
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(1, reader.leaves().size());
      check(reader, new OffloadIndexSearcher(reader), 40);
    }
    checkNoTrouble();
  }

  /** Several segments, compound and not, with deletes, in readers of a writer. */
  @Test
  public void nearRealTimeSegmentsWithDeletes() throws IOException {
    IndexWriterConfig config =
        config().setMergePolicy(NoMergePolicy.INSTANCE).setUseCompoundFile(random.nextBoolean());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      DirectoryReader reader = DirectoryReader.open(writer);
      for (int round = 0; round < 4; round++) {
        documents.add(writer, 150);
        if (round > 0) {
          documents.delete(writer, 30);
        }
        DirectoryReader next = DirectoryReader.openIfChanged(reader);
        reader.close();
        reader = next;
        check(reader, new OffloadIndexSearcher(reader), 8);
      }
      reader.close();
    }
    checkNoTrouble();
  }

  /** Slices on several threads, with segments cut into partitions. */
  @Test
  public void executorAndPartitions() throws IOException {
    ExecutorService executor = Executors.newFixedThreadPool(3);
    IndexWriterConfig config = config().setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < 5; i++) {
        documents.add(writer, 200);
        writer.flush();
      }
      documents.delete(writer, 40);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        check(reader, new OffloadIndexSearcher(reader, executor), 10);
        check(reader, new PartitionedSearcher(reader, executor), 15);
        check(reader, new Backwards(reader), 15);
      }
    } finally {
      executor.shutdown();
    }
    checkNoTrouble();
  }

  /** A slice for each segment, the last segment first: earlier hits win ties all the same. */
  private static final class Backwards extends OffloadIndexSearcher {
    Backwards(IndexReader reader) {
      super(reader, Runnable::run);
    }

    @Override
    protected LeafSlice[] slices(List<LeafReaderContext> leaves) {
      LeafSlice[] slices = new LeafSlice[leaves.size()];
      for (int i = 0; i < slices.length; i++) {
        LeafReaderContext leaf = leaves.get(slices.length - 1 - i);
        slices[i] = new LeafSlice(List.of(LeafReaderContextPartition.createForEntireSegment(leaf)));
      }
      return slices;
    }
  }

  /** Docs in another order than they came in. */
  @Test
  public void sortedIndex() throws IOException {
    Sort sort = new Sort(new SortField("number", SortField.Type.LONG));
    try (IndexWriter writer = new IndexWriter(directory, config().setIndexSort(sort))) {
      documents.add(writer, 400);
      writer.flush();
      documents.add(writer, 100);
      documents.delete(writer, 20);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        check(reader, new OffloadIndexSearcher(reader), 12);
      }
    }
    checkNoTrouble();
  }

  /** A cache that takes everything at once, over readers that share segments but not deletes. */
  @Test
  public void queryCache() throws IOException {
    QueryCache cache = new LRUQueryCache(1000, 1 << 24, context -> true, Float.MAX_VALUE);
    QueryCachingPolicy always =
        new QueryCachingPolicy() {
          @Override
          public void onUse(Query query) {}

          @Override
          public boolean shouldCache(Query query) {
            return true;
          }
        };
    try (IndexWriter writer =
        new IndexWriter(directory, config().setMergePolicy(NoMergePolicy.INSTANCE))) {
      documents.add(writer, 500);
      for (int round = 0; round < 3; round++) {
        documents.delete(writer, 30);
        try (DirectoryReader reader = DirectoryReader.open(writer)) {
          OffloadIndexSearcher offload = new OffloadIndexSearcher(reader);
          offload.setQueryCache(cache);
          offload.setQueryCachingPolicy(always);
          IndexSearcher stock = new IndexSearcher(reader);
          stock.setQueryCache(null);
          SearcherComparison comparison = new SearcherComparison(stock, offload, random);
          for (int i = 0; i < 5; i++) {
            comparison.check(queries.expressible());
            comparison.check(queries.mixed());
            comparison.check(new ConstantScoreQuery(queries.mixed()));
          }
        }
      }
    }
    checkNoTrouble();
  }

  /** A collector that has had enough of a segment goes on with the next. */
  @Test
  public void collectionThatEndsEarly() throws IOException {
    try (IndexWriter writer =
        new IndexWriter(directory, config().setMergePolicy(NoMergePolicy.INSTANCE))) {
      for (int i = 0; i < 3; i++) {
        documents.add(writer, 100);
        writer.flush();
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        Query query = TestQueryCompiler.parse("w0 w1");
        for (ScoreMode mode : List.of(ScoreMode.COMPLETE, ScoreMode.COMPLETE_NO_SCORES)) {
          var expected =
              new IndexSearcher(reader)
                  .search(query, new SearcherComparison.AllHits(mode, false, 7));
          assertEquals(3 * 7, expected.size());
          var got =
              new OffloadIndexSearcher(reader)
                  .search(query, new SearcherComparison.AllHits(mode, false, 7));
          assertEquals(expected, got);
        }
      }
    }
  }

  /** A reader over an offloaded index and a stock one: both answer together. */
  @Test
  public void besideAStockIndex() throws IOException {
    try (Directory stock = new ByteBuffersDirectory()) {
      for (Directory target : List.of(directory, stock)) {
        IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
        if (target == directory) {
          config.setCodec(new OffloadCodec());
        }
        try (IndexWriter writer = new IndexWriter(target, config)) {
          documents.add(writer, 300);
        }
      }
      try (MultiReader reader =
          new MultiReader(DirectoryReader.open(stock), DirectoryReader.open(directory))) {
        check(reader, new OffloadIndexSearcher(reader), 15);
      }
    }
    assertTrue(directory.stats().get(Counter.LEAVES_ON_HOST) > 0);
    checkNoTrouble();
  }

  /** Queries that stock refuses are refused; those that match nothing match nothing. */
  @Test
  public void argumentsAndEmptyIndexes() throws IOException {
    Query query = TestQueryCompiler.parse("w0 w1");
    try (IndexWriter writer = new IndexWriter(directory, config())) {
      writer.commit();
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
        assertEquals(0, searcher.search(query, 10).totalHits.value());
        assertEquals(0, searcher.count(query));
      }
      documents.add(writer, 30);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
        searcher.setStrict(true);
        assertThrows(IllegalArgumentException.class, () -> searcher.search(query, 0));
        assertThrows(IllegalArgumentException.class, () -> searcher.search(query, -1));
        assertThrows(IllegalArgumentException.class, () -> searcher.topDocs(query, 1, -1));
        ScoreDoc beyond = new ScoreDoc(30, 1f);
        assertThrows(IllegalArgumentException.class, () -> searcher.searchAfter(beyond, query, 10));
        assertEquals(30, searcher.search(MatchAllDocsQuery.INSTANCE, 100).scoreDocs.length);
        TopDocs all = searcher.search(query, Integer.MAX_VALUE);
        assertEquals(searcher.count(query), all.scoreDocs.length);
      }
    }
  }

  /** Without any device: the host answers, or in strict mode nobody. */
  @Test
  public void withoutDevice() throws IOException {
    try (Directory stock = new ByteBuffersDirectory()) {
      try (IndexWriter writer = new IndexWriter(stock, new IndexWriterConfig())) {
        documents.add(writer, 100);
      }
      try (DirectoryReader reader = DirectoryReader.open(stock)) {
        OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
        check(reader, searcher, 3);
        Query query = TestQueryCompiler.parse("w0 w1");
        assertEquals(Refusal.Reason.NO_DEVICE, searcher.explainPlan(query).refusal().reason());
        searcher.setStrict(true);
        assertThrows(UnsupportedOperationException.class, () -> searcher.search(query, 10));
        assertThrows(UnsupportedOperationException.class, () -> searcher.count(query));
      }
    }
  }

  /** A timeout ends searches and is reported; one that does not fire changes nothing. */
  @Test
  public void timeouts() throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config())) {
      documents.add(writer, 500);
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher patient = new OffloadIndexSearcher(reader);
      patient.setTimeout(() -> false);
      check(reader, patient, 6);
      assertFalse(patient.timedOut());

      Query query = TestQueryCompiler.parse("w0 w1");
      OffloadIndexSearcher impatient = new OffloadIndexSearcher(reader);
      impatient.setTimeout(() -> true);
      assertEquals(0, impatient.search(query, 10).scoreDocs.length);
      assertTrue(impatient.timedOut());

      OffloadIndexSearcher streaming = new OffloadIndexSearcher(reader);
      AtomicInteger calls = new AtomicInteger();
      QueryTimeout soon = () -> calls.incrementAndGet() > 2;
      streaming.setTimeout(soon);
      var all = new SearcherComparison.AllHits(ScoreMode.COMPLETE, false);
      List<String> some = streaming.search(query, all);
      assertTrue(some.size() < streaming.getIndexReader().maxDoc());
      assertTrue(streaming.timedOut());
    }
  }

  /** What a norm table is made of takes less than the table, where bytes are dear. */
  @Test
  public void plansHaveShortTablesIfTheDeviceTakesThem() throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config())) {
      documents.add(writer, 1000);
      writer.forceMerge(1);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
        OffloadStats stats = directory.stats();
        long before = stats.get(Counter.BYTES_TO_DEVICE);
        searcher.search(TestQueryCompiler.parse("+w0 +w1"), 10);
        long bytes = stats.get(Counter.BYTES_TO_DEVICE) - before;
        boolean whole = bytes > OffloadWire.NORM_TABLE_BYTES;
        boolean shortened = device.info().shortTables();
        assertEquals(!shortened, whole, bytes + " bytes, short tables: " + shortened);
      }
    }
  }

  /** Live docs go to the device once for each reader, and so do not cost every query. */
  @Test
  public void liveDocsAreSentOnce() throws IOException {
    try (IndexWriter writer =
        new IndexWriter(directory, config().setMergePolicy(NoMergePolicy.INSTANCE))) {
      documents.add(writer, 20_000);
      writer.flush();
      documents.delete(writer, 100);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
        Query query = TestQueryCompiler.parse("+w0 +w1");
        OffloadStats stats = directory.stats();
        int bitmap = 20_000 / 8;
        searcher.search(query, 10);
        long first = stats.get(Counter.BYTES_TO_DEVICE);
        assertTrue(first > bitmap, "bytes " + first);
        searcher.search(query, 10);
        new OffloadIndexSearcher(reader).count(query);
        long more = stats.get(Counter.BYTES_TO_DEVICE) - first;
        assertTrue(more < bitmap, "bytes " + more);
        assertTrue(stats.get(Counter.LIST_BYTES) > stats.get(Counter.BYTES_FROM_DEVICE));
      }
    }
    assertEquals(0, directory.stats().get(Counter.LEAVES_FALLEN_BACK));
  }
}
