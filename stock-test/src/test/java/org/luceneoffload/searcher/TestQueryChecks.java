/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.tests.search.AssertingIndexSearcher;
import org.apache.lucene.tests.search.CheckHits;
import org.apache.lucene.tests.search.QueryUtils;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.OffloadQuery;
import org.luceneoffload.report.OffloadStats.Counter;

/** Lucene's own checks for queries, on ours. */
public class TestQueryChecks extends LuceneTestCase {
  private OffloadDirectory directory;
  private DirectoryReader reader;
  private Words words;

  @Override
  public void setUp() throws Exception {
    super.setUp();
    Path home = createTempDir();
    words = new Words(new Random(random().nextLong()));
    directory = OffloadDirectory.open(home, SearcherTestCase.DEVICE);
    try (IndexWriter writer = new IndexWriter(directory, SearcherTestCase.config())) {
      words.add(writer, 150);
      writer.flush();
      // No deletes: these checks compare collected docs with those of scorers, which have them all.
      words.add(writer, 60);
    }
    reader = DirectoryReader.open(directory);
  }

  @Override
  public void tearDown() throws Exception {
    assertEquals(0, directory.stats().get(Counter.LEAVES_FALLEN_BACK));
    reader.close();
    directory.close();
    super.tearDown();
  }

  private static <S extends IndexSearcher> S bm25(S searcher) {
    searcher.setSimilarity(new BM25Similarity());
    return searcher;
  }

  private Query phrased() {
    return new BooleanQuery.Builder()
        .add(new PhraseQuery(70_000, "body", "w0", "w1"), Occur.SHOULD)
        .add(words.query(), Occur.SHOULD)
        .build();
  }

  public void testWrappedQueries() throws IOException {
    for (int i = 0; i < 5; i++) {
      for (Query query :
          new Query[] {
            words.query(),
            phrased(),
            new BoostQuery(words.query(), 1.5f),
            new ConstantScoreQuery(words.query())
          }) {
        QueryUtils.check(random(), new OffloadQuery(query), bm25(new IndexSearcher(reader)));
        QueryUtils.check(random(), query, bm25(new OffloadIndexSearcher(reader)));
      }
    }
    assertTrue(directory.stats().get(Counter.LEAVES_OFFLOADED) > 0);
  }

  public void testUnderAnAssertingSearcher() throws IOException {
    // Ten, and more while none of those drawn was the device's.
    for (int i = 0; i < 10 || (i < 500 && offloaded() == 0); i++) {
      Query query = i % 3 == 0 ? phrased() : words.query();
      IndexSearcher searcher = bm25(new AssertingIndexSearcher(random(), reader));
      Answers.same(bm25(new IndexSearcher(reader)), query, searcher, new OffloadQuery(query));
      Query clause =
          new BooleanQuery.Builder()
              .add(new OffloadQuery(query), Occur.MUST)
              .add(new PhraseQuery(70_000, "body", "w0", "w2"), Occur.SHOULD)
              .build();
      QueryUtils.check(random(), clause, searcher);
    }
    assertTrue(directory.stats().get(Counter.LEAVES_OFFLOADED) > 0);
  }

  private long offloaded() {
    return directory.stats().get(Counter.LEAVES_OFFLOADED);
  }

  public void testExplanations() throws IOException {
    for (int i = 0; i < 5; i++) {
      Query query = new OffloadQuery(words.query());
      CheckHits.checkExplanations(query, "body", bm25(new IndexSearcher(reader)), true);
      CheckHits.checkMatches(query, bm25(new IndexSearcher(reader)));
    }
  }

  public void testHashAndEquals() {
    Query query = words.query();
    QueryUtils.check(new OffloadQuery(query));
    QueryUtils.checkEqual(new OffloadQuery(query), new OffloadQuery(query));
    QueryUtils.checkUnequal(new OffloadQuery(query), query);
  }
}
