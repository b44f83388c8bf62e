/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoubleField;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The short way to rewrite queries with filters ends where Lucene's way ends. */
class TestFilteredRewrite {
  private final Random random = new Random(11);
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private DirectoryReader reader;
  private IndexSearcher stock;

  @BeforeEach
  void open() throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      for (int i = 0; i < 100; i++) {
        Document document = new Document();
        document.add(new LongField("n", i, Field.Store.NO));
        document.add(new DoubleField("d", i / 10.0, Field.Store.NO));
        document.add(new NumericDocValuesField("plain", i));
        writer.addDocument(document);
      }
    }
    reader = DirectoryReader.open(directory);
    stock = new IndexSearcher(reader);
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    directory.close();
  }

  private TermQuery term() {
    return new TermQuery(new Term("f", "w" + random.nextInt(9)));
  }

  /** Of every kind, also such as match all or nothing. */
  private Query filter() {
    int lo = random.nextInt(140) - 20;
    int hi = lo + random.nextInt(140) - 10;
    return switch (random.nextInt(12)) {
      case 0 -> LongField.newRangeQuery("n", lo, hi);
      case 1 -> DoubleField.newRangeQuery("d", lo / 10.0, hi / 10.0);
      case 2 -> NumericDocValuesField.newSlowRangeQuery("plain", lo, hi);
      case 3 -> KeywordField.newExactQuery("f", new BytesRef("w" + random.nextInt(9)));
      case 4 -> term();
      case 5 -> LongField.newSetQuery("n", lo, hi, 7);
      case 6 -> SortedNumericDocValuesField.newSlowSetQuery("n", lo, hi);
      case 7 -> LongField.newRangeQuery("n", Long.MIN_VALUE, Long.MAX_VALUE);
      case 8 -> new FieldExistsQuery("n");
      case 9 -> MatchAllDocsQuery.INSTANCE;
      case 10 ->
          new IndexOrDocValuesQuery(
              LongPoint.newRangeQuery("n", 3, 40),
              SortedNumericDocValuesField.newSlowRangeQuery("n", 3, 40));
      default -> LongField.newRangeQuery("n", 20, 60);
    };
  }

  private Query text() {
    List<Occur> occurs =
        switch (random.nextInt(5)) {
          case 0 -> List.of(Occur.MUST);
          case 1 -> List.of(Occur.SHOULD);
          case 2 -> List.of(Occur.MUST, Occur.MUST_NOT, Occur.FILTER);
          case 3 -> List.of(Occur.SHOULD, Occur.MUST_NOT);
          default -> List.of(Occur.values());
        };
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = random.nextInt(4) + 1; i >= 0; i--) {
      builder.add(term(), occurs.get(random.nextInt(occurs.size())));
    }
    return builder.setMinimumNumberShouldMatch(Math.max(0, random.nextInt(6) - 3)).build();
  }

  private Query filtered() {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    int filters = 1 + random.nextInt(3);
    int at = random.nextInt(2) * random.nextInt(filters + 1);
    for (int i = 0; i <= filters; i++) {
      if (i == at) {
        builder.add(text(), Occur.MUST);
      }
      if (i < filters) {
        builder.add(filter(), random.nextInt(20) == 0 ? Occur.MUST_NOT : Occur.FILTER);
      }
    }
    return builder.build();
  }

  private boolean sameAsStock(Query query) throws IOException {
    Query rewritten = FilteredRewrite.rewrite(stock, query);
    if (rewritten == null) {
      return false;
    }
    Query expected = stock.rewrite(query);
    assertEquals(expected, rewritten, query.toString());
    // Equal queries may have their clauses in another order: sums of scores would differ.
    assertEquals(expected.toString(), rewritten.toString(), query.toString());
    assertEquals(expected == query, rewritten == query, query.toString());
    return true;
  }

  @Test
  void rewritesRandomQueriesAsStock() throws IOException {
    int scored = 0;
    int unscored = 0;
    int left = 0;
    for (int i = 0; i < 30_000; i++) {
      Query query = filtered();
      if (sameAsStock(query)) {
        scored++;
      } else {
        left++;
      }
      unscored += sameAsStock(new ConstantScoreQuery(query)) ? 1 : 0;
    }
    String counts = scored + " " + unscored + " " + left;
    assertTrue(scored > 3000 && unscored > 2000 && left > 3000, counts);
  }

  private static BooleanQuery two(Occur occur) {
    return new BooleanQuery.Builder()
        .add(new TermQuery(new Term("f", "a")), occur)
        .add(new TermQuery(new Term("f", "b")), occur)
        .build();
  }

  private static Query with(Query text, Query filter) {
    return new BooleanQuery.Builder().add(text, Occur.MUST).add(filter, Occur.FILTER).build();
  }

  @Test
  void takesWhatApplicationsSend() throws IOException {
    Query range = LongField.newRangeQuery("n", 20, 60);
    for (Occur occur : List.of(Occur.MUST, Occur.SHOULD)) {
      for (Query filter : List.of(range, KeywordField.newExactQuery("k", "v"))) {
        assertTrue(sameAsStock(with(two(occur), filter)));
        assertTrue(sameAsStock(new ConstantScoreQuery(with(two(occur), filter))));
      }
    }
  }

  @Test
  void leavesOtherQueriesToStock() throws IOException {
    Query range = LongField.newRangeQuery("n", 20, 60);
    Query term = new TermQuery(new Term("f", "a"));
    assertNull(FilteredRewrite.rewrite(stock, term));
    assertNull(FilteredRewrite.rewrite(stock, two(Occur.MUST)));
    assertNull(FilteredRewrite.rewrite(stock, with(term, range)));
    assertNull(FilteredRewrite.rewrite(stock, with(two(Occur.MUST), term)));
    assertNull(FilteredRewrite.rewrite(stock, with(two(Occur.MUST), new BoostQuery(range, 2f))));
    assertNull(FilteredRewrite.rewrite(stock, with(two(Occur.MUST), two(Occur.SHOULD))));
    Query all = LongField.newRangeQuery("n", -5, 1000);
    assertNull(FilteredRewrite.rewrite(stock, with(two(Occur.MUST), all)));
    Query nested = new IndexOrDocValuesQuery(two(Occur.MUST), range);
    assertNull(FilteredRewrite.rewrite(stock, with(two(Occur.MUST), nested)));
    assertNotNull(FilteredRewrite.rewrite(stock, with(two(Occur.MUST), range)));
    int before = IndexSearcher.getMaxClauseCount();
    try {
      IndexSearcher.setMaxClauseCount(9);
      assertNull(FilteredRewrite.rewrite(stock, with(two(Occur.MUST), range)));
    } finally {
      IndexSearcher.setMaxClauseCount(before);
    }
  }
}
