/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;

/** Which phrases of frequent words are left to stock, as long as nobody wants the device. */
class TestPhraseLead extends SearcherTestCase {
  private static final int DOCS = 20_000;

  /** In half of the documents "of the", in some "the rare". */
  @Override
  void write(IndexWriter writer) throws IOException {
    for (int i = 0; i < DOCS; i++) {
      Document document = new Document();
      String text = i % 100 == 0 ? "the rare of" : i % 2 == 0 ? "of the" : "of a of the end";
      document.add(new TextField("body", text, Field.Store.NO));
      writer.addDocument(document);
    }
  }

  private static Query phrase(String... words) {
    return new PhraseQuery("body", words);
  }

  private IndexSearcher searcher() {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setQueryCache(null);
    return searcher;
  }

  @Test
  void countedByStock() throws IOException {
    for (Query query : List.of(phrase("of", "the"), new ConstantScoreQuery(phrase("of", "the")))) {
      int expected = stock(reader).count(query);
      onHost(() -> assertEquals(expected, searcher().count(query)));
      onDevice(() -> assertEquals(expected, always().count(query)));
    }
  }

  @Test
  void othersStayOnTheDevice() throws IOException {
    Query frequent = phrase("of", "the");
    onDevice(
        () -> Answers.same(stock(reader), phrase("the", "rare"), always(), phrase("the", "rare")));
    onDevice(() -> searcher().search(frequent, 10));
    onDevice(() -> searcher().count(phrase("the", "rare")));
    onDevice(() -> searcher().count(phrase("of", "the", "end")));
    Query filtered =
        new BooleanQuery.Builder()
            .add(frequent, Occur.FILTER)
            .add(phrase("the", "end"), Occur.MUST)
            .build();
    onDevice(() -> assertEquals(stock(reader).count(filtered), searcher().count(filtered)));
  }
}
