/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.report.OffloadStats.Counter;

/**
 * Words and phrases that score the same in nearly all documents, as in fields without norms: once
 * enough is counted, no later document can be a better hit, unless it scores more.
 */
class TestEqualScores extends SearcherTestCase {
  private static final int DOCS = 30_000;
  private static final int BEST = 28_000; // scores more than all others
  private static final int FEW = 5_000; // documents to be scored, of DOCS

  @Override
  void write(IndexWriter writer) throws IOException {
    FieldType type = new FieldType(TextField.TYPE_NOT_STORED);
    type.setOmitNorms(true);
    for (int i = 0; i < DOCS; i++) {
      Document document = new Document();
      // A frequency above the phrase's.
      String path = i == 5 ? "org org apache" : "org apache lucene";
      document.add(new Field("path", path, type));
      document.add(new Field("other", i == BEST ? "jar jar jar jar" : "jar jar", type));
      document.add(new TextField("even", i % 2 == 0 ? "yes" : "no", Field.Store.NO));
      writer.addDocument(document);
    }
  }

  private long scored(Query query, int hits) throws IOException {
    OffloadIndexSearcher searcher = always();
    searcher.setQueryCache(null);
    TopDocs expected = stock(reader).search(query, hits);
    int exact = stock(reader).count(query);
    long before = stats().get(Counter.DOCS_SCORED);
    onDevice(
        () -> {
          TopDocs got = searcher.search(query, hits);
          Answers.sameTop(expected, got, exact, Math.max(hits, 1000), query + ", " + hits);
        });
    return stats().get(Counter.DOCS_SCORED) - before;
  }

  @Test
  void whatCannotBeBetterIsNotScored() throws IOException {
    Query phrase = new PhraseQuery("path", "org", "apache");
    Query filtered =
        new BooleanQuery.Builder()
            .add(phrase, Occur.MUST)
            .add(new TermQuery(new Term("even", "yes")), Occur.FILTER)
            .build();
    Query two =
        new BooleanQuery.Builder()
            .add(new TermQuery(new Term("path", "apache")), Occur.MUST)
            .add(new TermQuery(new Term("path", "lucene")), Occur.MUST)
            .build();
    for (Query query : List.of(new TermQuery(new Term("path", "lucene")), phrase, filtered, two)) {
      for (int hits : new int[] {1, 10, 100, 900}) {
        long scored = scored(query, hits);
        assertTrue(scored < FEW, query + ": " + scored + " documents scored for " + hits);
      }
    }
  }

  @Test
  void whatIsBetterIsFound() throws IOException {
    for (int hits : new int[] {1, 10, 100}) {
      scored(new TermQuery(new Term("other", "jar")), hits);
      scored(new PhraseQuery("other", "jar", "jar"), hits);
      for (Occur occur : List.of(Occur.MUST, Occur.SHOULD)) {
        scored(
            new BooleanQuery.Builder()
                .add(new TermQuery(new Term("path", "org")), Occur.MUST)
                .add(new TermQuery(new Term("other", "jar")), occur)
                .build(),
            hits);
      }
    }
  }
}
