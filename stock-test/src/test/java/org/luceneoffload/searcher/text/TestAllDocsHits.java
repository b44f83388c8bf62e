/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.searcher.SearcherTestCase;

/** Where all docs match, the first live ones are the best, and nothing is searched. */
class TestAllDocsHits extends SearcherTestCase {
  private static final List<Query> QUERIES =
      List.of(
          MatchAllDocsQuery.INSTANCE,
          new BoostQuery(MatchAllDocsQuery.INSTANCE, 2.5f),
          new BoostQuery(new ConstantScoreQuery(MatchAllDocsQuery.INSTANCE), 0.3f));

  private void same(OffloadIndexSearcher searcher, Query query, ScoreDoc after, int k, int count)
      throws IOException {
    TopDocs expected =
        stock(reader).search(query, new TopScoreDocCollectorManager(k, after, count));
    TopDocs got = searcher.search(query, new TopScoreDocCollectorManager(k, after, count));
    String what = query + " after " + after + ", " + k + " hits, count " + count;
    assertEquals(expected.totalHits, got.totalHits, what);
    assertEquals(expected.scoreDocs.length, got.scoreDocs.length, what);
    for (int i = 0; i < got.scoreDocs.length; i++) {
      assertEquals(expected.scoreDocs[i].doc, got.scoreDocs[i].doc, what);
      assertEquals(expected.scoreDocs[i].score, got.scoreDocs[i].score, what);
      assertEquals(expected.scoreDocs[i].shardIndex, got.scoreDocs[i].shardIndex, what);
    }
  }

  private void same(OffloadIndexSearcher searcher) throws IOException {
    int docs = reader.maxDoc();
    for (Query query : QUERIES) {
      for (int k : new int[] {1, 10, docs / 2, docs}) {
        for (int count : new int[] {0, 10, reader.numDocs() - 1, docs, Integer.MAX_VALUE}) {
          same(searcher, query, null, k, count);
          for (float score : new float[] {0.3f, 1f, 2.5f, 7f}) {
            same(searcher, query, new ScoreDoc(random.nextInt(docs), score), k, count);
          }
        }
      }
    }
  }

  @Test
  void sameHitsAsStock() throws IOException {
    onHost(() -> same(new OffloadIndexSearcher(reader)));
  }

  @Test
  void sameHitsInSlices() throws IOException {
    try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
      same(sliced(reader, executor));
    }
  }

  @Test
  void noMoreHitsThanLiveDocs() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    TopDocs all = searcher.search(MatchAllDocsQuery.INSTANCE, 2 * reader.maxDoc());
    assertEquals(reader.numDocs(), all.scoreDocs.length);
  }
}
