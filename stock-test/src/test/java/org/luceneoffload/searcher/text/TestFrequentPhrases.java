/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

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
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;

/** Phrases of words that are in nearly all documents, some of them very often. */
class TestFrequentPhrases extends SearcherTestCase {
  private static final int DOCS = 1_000;

  @Override
  public void write(IndexWriter writer) throws IOException {
    for (int i = 0; i < DOCS; i++) {
      Document document = new Document();
      String often = "of the of a ".repeat(i % 40);
      String text = i % 100 == 0 ? "the rare of" : i % 2 == 0 ? "of the" : often + "the end";
      document.add(new TextField("body", text, Field.Store.NO));
      writer.addDocument(document);
    }
  }

  private static Query phrase(String... words) {
    return new PhraseQuery("body", words);
  }

  @Test
  void onTheDevice() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setQueryCache(null);
    Query frequent = phrase("of", "the");
    Query filtered =
        new BooleanQuery.Builder()
            .add(frequent, Occur.FILTER)
            .add(phrase("the", "end"), Occur.MUST)
            .build();
    for (Query query :
        List.of(
            frequent,
            new ConstantScoreQuery(frequent),
            phrase("the", "of", "a"),
            phrase("a", "the", "end"),
            phrase("the", "rare"),
            filtered)) {
      onDevice(() -> Answers.same(stock(reader), query, searcher, query));
      int expected = stock(reader).count(query);
      onDevice(() -> assertEquals(expected, searcher.count(query)));
    }
  }
}
