/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.store.guard.DeviceHandle;

/** The short way to rewrite ends where Lucene's way ends. */
class TestFlatRewrite {
  private static final IndexSearcher STOCK;

  static {
    try {
      STOCK = new IndexSearcher(new MultiReader());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Zero to five clauses of few terms, so that duplicates, lone clauses and none all occur. */
  private static Query randomFlat(Random random) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    int clauses = random.nextInt(6);
    int kinds = 1 + random.nextInt(Occur.values().length);
    int terms = 2 + random.nextInt(20);
    for (int i = 0; i < clauses; i++) {
      Term term = new Term("f" + random.nextInt(2), "w" + random.nextInt(terms));
      builder.add(new TermQuery(term), Occur.values()[random.nextInt(kinds)]);
    }
    builder.setMinimumNumberShouldMatch(random.nextInt(3) == 0 ? random.nextInt(4) : 0);
    return builder.build();
  }

  private static void assertAsStock(Query query, Query rewritten) throws IOException {
    Query expected = STOCK.rewrite(query);
    assertEquals(expected, rewritten);
    // Equal queries may have their clauses in another order: sums of scores would differ.
    assertEquals(expected.toString(), rewritten.toString());
    assertEquals(expected == query, rewritten == query, query.toString());
  }

  @Test
  void rewritesRandomFlatQueriesAsStock() throws IOException {
    Random random = new Random(7);
    int scored = 0;
    int unscored = 0;
    int counted = 0;
    int left = 0;
    for (int i = 0; i < 20_000; i++) {
      Query query = randomFlat(random);
      Query rewritten = FlatRewrite.rewrite(query);
      if (rewritten != null) {
        scored++;
        assertAsStock(query, rewritten);
      } else {
        left++;
      }
      Query constant = new ConstantScoreQuery(query);
      Query rewrittenConstant = FlatRewrite.rewrite(constant);
      if (rewrittenConstant != null) {
        unscored++;
        assertAsStock(constant, rewrittenConstant);
      }
      if (FlatRewrite.countsAsItIs(query)) {
        counted++;
        assertNotNull(rewrittenConstant, query.toString());
        int kept =
            ((BooleanQuery) ((ConstantScoreQuery) rewrittenConstant).getQuery()).clauses().size();
        assertEquals(((BooleanQuery) query).clauses().size(), kept, query.toString());
      }
    }
    String counts = scored + " " + unscored + " " + counted + " " + left;
    assertTrue(scored > 1000 && unscored > 1000 && counted > 1000 && left > 1000, counts);
  }

  private static BooleanQuery required(int clauses) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 0; i < clauses; i++) {
      builder.add(new TermQuery(new Term("f", "w" + i)), Occur.MUST);
    }
    return builder.build();
  }

  @Test
  void leavesOtherQueriesToStock() {
    Query term = new TermQuery(new Term("f", "w"));
    Query subclass = new TermQuery(new Term("f", "v")) {};
    BooleanQuery two = required(2);
    assertNull(FlatRewrite.rewrite(term));
    assertNull(FlatRewrite.rewrite(new ConstantScoreQuery(term)));
    assertNull(FlatRewrite.rewrite(new BoostQuery(two, 2f)));
    assertNull(FlatRewrite.rewrite(and(two, term)));
    assertNull(FlatRewrite.rewrite(and(subclass, term)));
    assertNull(FlatRewrite.rewrite(required(17)));
    assertSame(two, FlatRewrite.rewrite(two));
  }

  private static Query and(Query one, Query other) {
    return new BooleanQuery.Builder().add(one, Occur.MUST).add(other, Occur.MUST).build();
  }

  @Test
  void leavesTooManyClausesToStock() throws IOException {
    BooleanQuery query = required(5);
    int before = IndexSearcher.getMaxClauseCount();
    try (OneDoc index = new OneDoc()) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(index.reader);
      assertNotNull(searcher.offloadStats());
      IndexSearcher.setMaxClauseCount(3);
      assertNull(FlatRewrite.rewrite(query));
      assertFalse(FlatRewrite.countsAsItIs(query));
      assertThrows(IndexSearcher.TooManyClauses.class, () -> searcher.count(query));
      assertThrows(IndexSearcher.TooManyClauses.class, () -> searcher.search(query, 10));
    } finally {
      IndexSearcher.setMaxClauseCount(before);
    }
  }

  @Test
  void asksAnOverriddenRewrite() throws IOException {
    try (OneDoc index = new OneDoc()) {
      List<Query> seen = new ArrayList<>();
      OffloadIndexSearcher searcher =
          new OffloadIndexSearcher(index.reader) {
            @Override
            public Query rewrite(Query original) throws IOException {
              seen.add(original);
              return super.rewrite(original);
            }
          };
      BooleanQuery query = required(2);
      assertEquals(1, searcher.count(query));
      assertEquals(List.of(new ConstantScoreQuery(query)), seen);
      assertEquals(1, searcher.search(query, 1).totalHits.value());
      assertEquals(List.of(new ConstantScoreQuery(query), query), seen);
    }
  }

  /** An index of one doc with an image. */
  private static final class OneDoc implements AutoCloseable {
    private final DeviceHandle handle =
        new DeviceHandle(new RamBlockDevice(1 << 12, new ReferenceProgram()), () -> {});
    final DirectoryReader reader;

    OneDoc() throws IOException {
      ByteBuffersDirectory directory = new ByteBuffersDirectory();
      try (IndexWriter writer =
          new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
        Document document = new Document();
        document.add(new TextField("f", "w0 w1 w2", Field.Store.NO));
        writer.addDocument(document);
      }
      HandMadeImages images = new HandMadeImages(handle, OffloadOptions.DEFAULT);
      reader = images.open(DirectoryReader.open(directory));
    }

    @Override
    public void close() throws IOException {
      reader.close();
      handle.release();
    }
  }
}
