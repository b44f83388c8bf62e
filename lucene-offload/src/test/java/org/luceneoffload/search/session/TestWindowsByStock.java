/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TotalHitCountCollector;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

/** Windows of a segment that stock Lucene does, in any order, and what becomes of its failures. */
class TestWindowsByStock {
  private static final int DOCS = 500;

  private interface Asking {
    void of(IndexSearcher searcher, LeafReaderContext segment) throws IOException;
  }

  private static void ask(Asking asking) throws IOException {
    try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
      try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
        for (int i = 0; i < DOCS; i++) {
          Document document = new Document();
          document.add(new StringField("rest", Integer.toString(i % 3), Field.Store.NO));
          writer.addDocument(document);
        }
        writer.forceMerge(1);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        asking.of(new IndexSearcher(reader), reader.leaves().get(0));
      }
    }
  }

  private static Weight weight(IndexSearcher searcher) throws IOException {
    Query query = new TermQuery(new Term("rest", "1"));
    return searcher.createWeight(query, ScoreMode.COMPLETE_NO_SCORES, 1f);
  }

  @Test
  void windowsMayComeInAnyOrder() throws IOException {
    ask(
        (searcher, segment) -> {
          Random random = new Random(7);
          for (int round = 0; round < 20; round++) {
            StockWindows<TotalHitCountCollector> half =
                new StockWindows<>(segment, () -> weight(searcher), TotalHitCountCollector::new);
            int cut = random.nextInt(DOCS);
            half.compute(cut, DOCS);
            half.compute(0, cut / 2);
            half.compute(cut / 2, cut);
            half.end();
            assertEquals(2, half.collectors().size());
            int sum = half.collectors().stream().mapToInt(c -> c.getTotalHits()).sum();
            assertEquals((DOCS + 1) / 3, sum);
          }
        });
  }

  @Test
  void whatStockThrowsIsNoFailureOfTheDevice() throws IOException {
    ask(
        (searcher, segment) -> {
          for (Throwable thrown :
              new Throwable[] {
                new IOException("read"),
                new IllegalStateException("closed"),
                new StackOverflowError()
              }) {
            StockWindows<TotalHitCountCollector> half =
                new StockWindows<>(segment, () -> sneak(thrown), TotalHitCountCollector::new);
            assertThrows(Throwable.class, () -> half.compute(0, DOCS));
            assertSame(thrown, assertThrows(Throwable.class, half::rethrow));
            assertTrue(half.hasFailed());
          }
        });
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> Weight sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Test
  void failuresOfTheDeviceStayThose() throws IOException {
    ask(
        (searcher, segment) -> {
          StockWindows<TotalHitCountCollector> half =
              new StockWindows<>(segment, () -> weight(searcher), TotalHitCountCollector::new);
          half.compute(0, DOCS);
          assertDoesNotThrow(half::rethrow);
          assertFalse(half.hasFailed());
        });
  }
}
