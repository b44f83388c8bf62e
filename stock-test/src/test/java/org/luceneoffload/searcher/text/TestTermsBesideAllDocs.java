/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Collection;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.junit.jupiter.api.Test;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;
import org.luceneoffload.searcher.Words;

/** Queries in which every doc scores a constant, and those with some term more. */
class TestTermsBesideAllDocs extends SearcherTestCase {
  @Override
  public int documents() {
    return 9000;
  }

  private static BooleanQuery query(Occur all, float boost, String words) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    Query every = MatchAllDocsQuery.INSTANCE;
    builder.add(boost == 1 ? every : new BoostQuery(every, boost), all);
    Words.bool(words).forEach(builder::add);
    return builder.build();
  }

  @Test
  void sameAsStock() throws IOException {
    onDevice(
        () -> {
          for (Occur all : new Occur[] {Occur.SHOULD, Occur.MUST}) {
            for (float boost : new float[] {1, 0, 0.1f, 1e6f}) {
              same(reader, query(all, boost, words.word() + " " + words.word()));
            }
            same(reader, query(all, 1, "w70"));
            same(reader, query(all, 1, "w40 w60 -w1"));
            same(reader, query(all, 2, "w79 #w2"));
            same(reader, query(all, 1, "w50 w51 w52 w53 w54 w55 w56 w57 w58"));
          }
        });
  }

  /** Pages: first the docs with the term, then the others. */
  @Test
  void pages() throws IOException {
    for (Occur all : new Occur[] {Occur.SHOULD, Occur.MUST}) {
      Query query = query(all, 1, "w60");
      for (Way way : Way.values()) {
        IndexSearcher searcher = way.searcher(reader);
        ScoreDoc after = null;
        int seen = 0;
        while (seen < 2000) {
          ScoreDoc[] expected = stock(reader).searchAfter(after, query, 100).scoreDocs;
          ScoreDoc[] got = searcher.searchAfter(after, way.query(query), 100).scoreDocs;
          assertEquals(expected.length, got.length);
          for (int i = 0; i < got.length; i++) {
            assertEquals(expected[i].doc, got[i].doc, way + " hit " + (seen + i));
            assertEquals(Answers.bits(expected[i].score), Answers.bits(got[i].score));
          }
          seen += got.length;
          after = got[got.length - 1];
        }
      }
    }
  }

  /** Wants one doc of each segment. */
  private static final class FirstDoc extends SimpleCollector {
    static CollectorManager<FirstDoc, Void> manager() {
      return new CollectorManager<>() {
        @Override
        public FirstDoc newCollector() {
          return new FirstDoc();
        }

        @Override
        public Void reduce(Collection<FirstDoc> collectors) {
          return null;
        }
      };
    }

    @Override
    public void collect(int doc) {
      throw new CollectionTerminatedException();
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE_NO_SCORES;
    }
  }

  /** A collector that has enough after one doc costs a small page of docs. */
  @Test
  void firstDocOfMany() throws IOException {
    IndexSearcher searcher = Way.OWN_SEARCHER.searcher(reader);
    long before = stats().get(Counter.BYTES_FROM_DEVICE);
    onDevice(() -> searcher.search(Words.term("w0"), FirstDoc.manager()));
    long bytes = stats().get(Counter.BYTES_FROM_DEVICE) - before;
    assertTrue(bytes < reader.leaves().size() * 1024L, bytes + " bytes");
  }
}
