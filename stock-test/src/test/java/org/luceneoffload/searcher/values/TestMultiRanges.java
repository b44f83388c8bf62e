/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.values;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.sandbox.search.DocValuesMultiRangeQuery.SortedNumericStabbingBuilder;
import org.apache.lucene.sandbox.search.DocValuesMultiRangeQuery.SortedSetStabbingBuilder;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.searcher.SearcherTestCase;

/** The sandbox's queries for several ranges of doc values run on the device. */
class TestMultiRanges extends SearcherTestCase {
  @Override
  public void write(IndexWriter writer) throws IOException {
    for (int segment = 0; segment < 3; segment++) {
      for (int i = 0; i < documents() / 3; i++) {
        Document document = new Document();
        String text = random.nextInt(30) == 0 ? "rare w1" : "w" + random.nextInt(3);
        document.add(new TextField("body", text, Field.Store.NO));
        document.add(new NumericDocValuesField("number", random.nextInt(4000) - 2000));
        if (segment < 2) {
          document.add(new SortedDocValuesField("word", keyword()));
        }
        for (int n = random.nextInt(4); n > 0; n--) {
          document.add(new LongField("longs", random.nextLong(), Field.Store.NO));
          document.add(new KeywordField("keys", keyword(), Field.Store.NO));
        }
        writer.addDocument(document);
      }
      writer.flush();
    }
    writer.deleteDocuments(new Term("body", "rare"));
  }

  /** Keywords with bytes of all kinds. */
  private BytesRef keyword() {
    byte[] bytes = new byte[1 + random.nextInt(2)];
    random.nextBytes(bytes);
    return new BytesRef(bytes);
  }

  private Query numbers(String field, int ranges, long width) {
    SortedNumericStabbingBuilder builder = new SortedNumericStabbingBuilder(field);
    for (int i = 0; i < ranges; i++) {
      long from = field.equals("number") ? random.nextInt(5000) - 2500 : random.nextLong();
      long to = from + (random.nextBoolean() ? 0 : random.nextLong(width));
      builder.add(Math.min(from, to), Math.max(from, to));
    }
    return builder.build();
  }

  private Query keywords(String field, int ranges) {
    SortedSetStabbingBuilder builder = new SortedSetStabbingBuilder(field);
    for (int i = 0; i < ranges; i++) {
      BytesRef from = keyword();
      if (random.nextBoolean()) {
        builder.add(from);
      } else {
        BytesRef to = BytesRef.deepCopyOf(from);
        to.bytes[0] += (byte) random.nextInt(3);
        builder.add(from, to);
      }
    }
    return builder.build();
  }

  private static List<Query> queries(Query ranges) {
    Query text = new TermQuery(new Term("body", "w1"));
    return List.of(
        ranges,
        new BooleanQuery.Builder().add(text, Occur.MUST).add(ranges, Occur.FILTER).build(),
        new BooleanQuery.Builder().add(text, Occur.SHOULD).add(ranges, Occur.SHOULD).build(),
        new BooleanQuery.Builder().add(text, Occur.MUST).add(ranges, Occur.MUST_NOT).build());
  }

  @Test
  void rangesSayWhatStockSays() throws IOException {
    for (int count : new int[] {2, 3, 9, 60, 300}) {
      List<Query> all = new ArrayList<>();
      all.add(numbers("number", count, 100));
      all.add(numbers("longs", count, Long.MAX_VALUE));
      all.add(keywords("word", count));
      all.add(keywords("keys", count));
      for (Query ranges : all) {
        for (Query query : queries(ranges)) {
          same(reader, query);
        }
      }
    }
  }

  @Test
  void rangesRunOnTheDevice() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    List<Query> all =
        List.of(
            new SortedNumericStabbingBuilder("number").add(-900, -50).add(7, 7).add(8, 900).build(),
            numbers("longs", 40, Long.MAX_VALUE),
            keywords("word", 40),
            keywords("keys", 40));
    for (Query ranges : all) {
      onDevice(() -> assertEquals(stock(reader).count(ranges), searcher.count(ranges)));
    }
  }
}
