/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiCollectorManager;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHitCountCollectorManager;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.search.compile.TestQueryCompiler;
import org.luceneoffload.store.guard.DeviceHandle;

/**
 * Where a term without scores is missing from a segment, stock may learn so before it scores; it
 * then drops the clause, may require others instead, and adds the scores up in another order.
 */
class TestOrderOfSums {
  private static final int DOCS = 400;

  private static final List<Query> QUERIES =
      Stream.of(
              "+body:common1 +body:common3 body:rare",
              "+body:common1 +body:common3 body:common1",
              "+body:rare +body:common3 +body:common1 body:common4")
          .map(clauses -> oneAtLeast(clauses, "#body:common2"))
          .toList();

  private final Random random = new Random(3);
  private final RamBlockDevice device = new RamBlockDevice(1 << 20, new ReferenceProgram());
  private final DeviceHandle handle = new DeviceHandle(device, () -> {});
  private final HandMadeImages images = new HandMadeImages(handle, OffloadOptions.DEFAULT);
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private DirectoryReader reader;

  /** A document of up to six occurrences of each word. */
  private Document document(String... words) {
    StringBuilder text = new StringBuilder();
    for (String word : words) {
      text.append((" " + word).repeat(random.nextInt(7)));
    }
    Document document = new Document();
    document.add(new TextField("body", text + " end", Field.Store.NO));
    return document;
  }

  private static Query oneAtLeast(String clauses, String optional) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder().setMinimumNumberShouldMatch(1);
    ((BooleanQuery) TestQueryCompiler.parse(clauses)).clauses().forEach(builder::add);
    return builder.add(TestQueryCompiler.parse(optional), Occur.SHOULD).build();
  }

  private static List<String> searchAndCount(IndexSearcher searcher, Query query)
      throws IOException {
    Object[] all =
        searcher.search(
            query,
            new MultiCollectorManager(
                new TopScoreDocCollectorManager(DOCS, null, Integer.MAX_VALUE),
                new TotalHitCountCollectorManager(searcher.getSlices())));
    List<String> lines = SearcherComparison.describe(((TopDocs) all[0]).scoreDocs);
    lines.add("count " + all[1]);
    return lines;
  }

  @BeforeEach
  void makeIndex() throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      // The first segment lacks "common2"; its dictionary has words before and after.
      for (int i = 0; i < DOCS / 2; i++) {
        writer.addDocument(document("common1", "common3", "rare", "common4"));
      }
      writer.flush();
      for (int i = 0; i < DOCS / 2; i++) {
        writer.addDocument(document("common1", "common2", "common3", "rare"));
      }
    }
    reader = images.open(DirectoryReader.open(directory));
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    handle.release();
  }

  private static <S extends IndexSearcher> S withoutCache(S searcher) {
    searcher.setQueryCache(null);
    return searcher;
  }

  /** A collector that counts asks the weight for the count of a segment before others score. */
  @Test
  void countingWhileScoringChangesNothing() throws IOException {
    IndexSearcher stock = withoutCache(new IndexSearcher(reader));
    OffloadIndexSearcher offload = withoutCache(new OffloadIndexSearcher(reader));
    for (Query query : QUERIES) {
      assertEquals(searchAndCount(stock, query), searchAndCount(offload, query), query::toString);
    }
    assertTrue(handle.stats().get(Counter.LEAVES_OFFLOADED) > 0);
  }

  /** Stock learns it in the first part of a segment that is cut; the device never does. */
  @Test
  void cutSegmentsScoreOnTheDeviceAsStockScoresThemWhole() throws IOException {
    IndexSearcher whole = withoutCache(new IndexSearcher(reader));
    OffloadIndexSearcher cut = withoutCache(new PartitionedSearcher(reader, Runnable::run));
    boolean stockDiffers = false;
    for (Query query : QUERIES) {
      List<String> expected = SearcherComparison.describe(whole.search(query, DOCS).scoreDocs);
      cut.setPlacement(Placement.ALWAYS);
      assertEquals(
          expected,
          SearcherComparison.describe(cut.search(query, DOCS).scoreDocs),
          query::toString);
      cut.setPlacement(Placement.NEVER); // stock, then
      stockDiffers |=
          !expected.equals(SearcherComparison.describe(cut.search(query, DOCS).scoreDocs));
    }
    assertTrue(stockDiffers, "stock scores parts as it scores the whole: nothing was shown");
    assertTrue(handle.stats().get(Counter.LEAVES_OFFLOADED) > 0);
  }
}
