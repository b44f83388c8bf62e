/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.Weight;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.OffloadQuery;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.store.guard.DeviceHandle;

/** Queries that plans cannot express are not asked what they are called. */
class TestRefusedQueries {
  private final RamBlockDevice device = new RamBlockDevice(1 << 16, new ReferenceProgram());
  private final DeviceHandle handle = new DeviceHandle(device, () -> {});
  private final HandMadeImages images = new HandMadeImages(handle, OffloadOptions.DEFAULT);
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private DirectoryReader reader;
  private int told;
  private boolean silent;

  /** An application's own query: what it is called may take long, or cannot be told. */
  private final class OwnQuery extends Query {
    private final Query in = new TermQuery(new Term("body", "w1"));

    @Override
    public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost)
        throws IOException {
      return in.createWeight(searcher, scoreMode, boost);
    }

    @Override
    public void visit(QueryVisitor visitor) {
      in.visit(visitor);
    }

    @Override
    public boolean equals(Object other) {
      return sameClassAs(other);
    }

    @Override
    public int hashCode() {
      return classHash();
    }

    @Override
    public String toString(String field) {
      told++;
      if (silent) {
        throw new UnsupportedOperationException("expected");
      }
      return "own\nquery";
    }
  }

  private final Query query =
      new BooleanQuery.Builder()
          .add(new TermQuery(new Term("body", "w0")), Occur.MUST)
          .add(new OwnQuery(), Occur.MUST)
          .build();

  @BeforeEach
  void openIndex() throws IOException {
    try (IndexWriter writer =
        new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
      new RandomIndex(new Random(7)).add(writer, 200);
    }
    reader = images.open(DirectoryReader.open(directory));
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    handle.release();
  }

  private void checkAnswers() throws IOException {
    IndexSearcher stock = new IndexSearcher(reader);
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    var expected = SearcherComparison.describe(stock.search(query, 10).scoreDocs);
    assertFalse(expected.isEmpty());
    assertEquals(expected, SearcherComparison.describe(searcher.search(query, 10).scoreDocs));
    assertEquals(
        expected, SearcherComparison.describe(stock.search(new OffloadQuery(query), 10).scoreDocs));
    assertEquals(stock.count(query), searcher.count(query));
    assertTrue(handle.stats().get(Counter.QUERIES_REFUSED) > 0);
  }

  @Test
  void theyAreNotAskedWhenTheyAreSearched() throws IOException {
    for (int i = 0; i < 5; i++) {
      checkAnswers();
    }
    assertEquals(0, told);
  }

  @Test
  void theyMayNotBeAbleToTell() throws IOException {
    silent = true;
    checkAnswers();
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    PlanExplanation plan = searcher.explainPlan(query);
    assertTrue(plan.refusal().detail().contains("OwnQuery"), plan.toString());
    searcher.setStrict(true);
    UnsupportedOperationException refused =
        assertThrows(UnsupportedOperationException.class, () -> searcher.search(query, 10));
    assertTrue(refused.getMessage().contains("plans cannot express"), refused.getMessage());
  }

  @Test
  void whoAsksIsTold() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    String detail = searcher.explainPlan(query).refusal().detail();
    assertEquals("OwnQuery \"own\\u000aquery\"", detail);
    searcher.setStrict(true);
    UnsupportedOperationException refused =
        assertThrows(UnsupportedOperationException.class, () -> searcher.search(query, 10));
    assertTrue(refused.getMessage().endsWith(detail), refused.getMessage());
  }
}
