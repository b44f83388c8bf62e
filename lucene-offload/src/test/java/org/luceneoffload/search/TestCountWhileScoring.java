/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHitCountCollectorManager;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.OffloadOptions;
import org.luceneoffload.OffloadStats.Counter;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.store.DeviceHandle;

/**
 * A collector that counts asks the weight for the count of a segment before another one's scores
 * are added: the sums must be in the same order as without.
 */
class TestCountWhileScoring {
  private static final int DOCS = 400;

  private final Random random = new Random(3);
  private final RamBlockDevice device = new RamBlockDevice(1 << 20, new ReferenceProgram());
  private final DeviceHandle handle = new DeviceHandle(device, () -> {});
  private final HandMadeImages images = new HandMadeImages(handle, OffloadOptions.DEFAULT);

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

  private static List<String> search(IndexSearcher searcher, Query query) throws IOException {
    Object[] all =
        searcher.search(
            query,
            new MultiCollectorManager(
                new TopScoreDocCollectorManager(DOCS, null, Integer.MAX_VALUE),
                new TotalHitCountCollectorManager(searcher.getSlices())));
    List<String> lines = new ArrayList<>();
    for (ScoreDoc hit : ((TopDocs) all[0]).scoreDocs) {
      lines.add(hit.doc + " " + Integer.toHexString(Float.floatToRawIntBits(hit.score)));
    }
    lines.add("count " + all[1]);
    return lines;
  }

  @Test
  void scoresAreAddedAsIfNothingWereCounted() throws IOException {
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
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
      try (DirectoryReader reader = images.open(DirectoryReader.open(directory))) {
        IndexSearcher stock = new IndexSearcher(reader);
        OffloadIndexSearcher offload = new OffloadIndexSearcher(reader);
        stock.setQueryCache(null);
        offload.setQueryCache(null);
        for (String text :
            List.of(
                "+body:common1 +body:common3 body:rare",
                "+body:common1 +body:common3 body:common1",
                "+body:rare +body:common3 +body:common1 body:common4")) {
          Query query = oneAtLeast(text, "#body:common2");
          assertEquals(search(stock, query), search(offload, query), text);
        }
        assertTrue(handle.stats().get(Counter.LEAVES_OFFLOADED) > 0);
      }
    } finally {
      handle.release();
    }
  }
}
