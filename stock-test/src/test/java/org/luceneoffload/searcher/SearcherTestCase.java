/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.Placement;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;

/** A random index on a simulated device: three segments, deletes in two of them. */
public abstract class SearcherTestCase {
  public static final String DEVICE = "sim:capacity=256m,dram=16m,sessions=16";
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

  @TempDir public Path home;

  public final Random random = new Random(SEED);
  public final Words words = new Words(random);
  public OffloadDirectory directory;
  public DirectoryReader reader;

  /** Documents in the index. */
  public int documents() {
    return 1500;
  }

  /** More fields for documents: those of the first two segments. */
  public void add(IndexWriter writer, int count) throws IOException {
    words.add(writer, count);
  }

  /** More changes, or another index altogether. */
  public void write(IndexWriter writer) throws IOException {
    add(writer, documents() / 2);
    writer.flush();
    add(writer, documents() / 3);
    words.delete(writer, documents() / 50);
    writer.flush();
    words.add(writer, documents() / 6);
  }

  public static IndexWriterConfig config() {
    return new IndexWriterConfig(new StandardAnalyzer())
        .setCodec(new OffloadCodec())
        .setMergePolicy(NoMergePolicy.INSTANCE);
  }

  @BeforeEach
  public void open() throws IOException {
    System.out.println("seed of " + getClass().getSimpleName() + ": -Dtests.seed=" + SEED);
    directory = OffloadDirectory.open(home, DEVICE);
    try (IndexWriter writer = new IndexWriter(directory, config())) {
      write(writer);
    }
    reader = DirectoryReader.open(directory);
  }

  @AfterEach
  public void close() throws IOException {
    reader.close();
    assertEquals(0, stats().get(Counter.LEAVES_FALLEN_BACK), stats().toString());
    assertEquals(0, stats().get(Counter.IMAGES_BAD), stats().toString());
    directory.close();
  }

  public OffloadStats stats() {
    return directory.stats();
  }

  /** A search, or several. */
  @FunctionalInterface
  public interface Action {
    void run() throws IOException;
  }

  /** Runs something in which the device has to have a part. */
  public void onDevice(Action action) throws IOException {
    long before = stats().get(Counter.LEAVES_OFFLOADED);
    action.run();
    assertTrue(stats().get(Counter.LEAVES_OFFLOADED) > before, "the device was not asked");
  }

  /** Runs something in which the device can have no part. */
  public void onHost(Action action) throws IOException {
    long before = stats().get(Counter.LEAVES_OFFLOADED);
    action.run();
    assertEquals(before, stats().get(Counter.LEAVES_OFFLOADED), "the device was asked");
  }

  public static IndexSearcher stock(IndexReader reader) {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setQueryCache(null);
    return searcher;
  }

  /** A searcher of ours that asks the device whatever it expects of the host. */
  public OffloadIndexSearcher always() {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setPlacement(Placement.ALWAYS);
    searcher.setQueryCache(null);
    return searcher;
  }

  /** A searcher of ours that cuts segments into slices. */
  public static OffloadIndexSearcher sliced(IndexReader reader, ExecutorService executor) {
    OffloadIndexSearcher searcher =
        new OffloadIndexSearcher(reader, executor) {
          @Override
          protected LeafSlice[] slices(List<LeafReaderContext> leaves) {
            return slices(leaves, 200, 1, true);
          }
        };
    assertTrue(searcher.getSlices().length > 1);
    return searcher;
  }

  /**
   * Compares ways to ask a reader with stock over the same reader: every way, or one that is drawn
   * where a run takes a share.
   */
  public static void same(IndexReader reader, Query query) throws IOException {
    for (Way way : Way.drawn()) {
      IndexSearcher searcher = way.searcher(reader);
      searcher.setQueryCache(null);
      Answers.same(stock(reader), query, searcher, way.query(query));
    }
  }
}
