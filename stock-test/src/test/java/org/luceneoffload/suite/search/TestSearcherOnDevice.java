/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite.search;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.analysis.MockAnalyzer;
import org.apache.lucene.tests.index.RandomIndexWriter;
import org.apache.lucene.tests.search.CheckHits;
import org.apache.lucene.tests.search.QueryUtils;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.NamedThreadFactory;
import org.junit.ClassRule;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.search.SameAnswers;
import org.luceneoffload.suite.Sampling;
import org.luceneoffload.suite.SuiteDevice;

/**
 * Lucene's {@link QueryUtils} and {@link CheckHits} over random queries, on indexes of {@link
 * RandomIndexWriter}, with our searcher under BM25.
 */
public class TestSearcherOnDevice extends LuceneTestCase {
  /** The device. */
  @ClassRule public static final SuiteDevice DEVICE = SuiteDevice.withSearches();

  private static final int WORDS = 80;

  private Directory directory;
  private IndexReader reader;
  private IndexSearcher stock;
  private OffloadIndexSearcher ours;

  @Override
  public void setUp() throws Exception {
    super.setUp();
    directory = newDirectory();
    // The framework's own checks take every doc to be live.
    index(atLeast(600), getTestName().startsWith("testAnswers"));
    stock = new IndexSearcher(reader);
    ours = new OffloadIndexSearcher(reader);
    setUp(stock);
    setUp(ours);
  }

  private static void setUp(IndexSearcher searcher) {
    searcher.setSimilarity(new BM25Similarity());
    searcher.setQueryCache(null);
  }

  private void index(int docs, boolean deletes) throws Exception {
    IndexWriterConfig config = newIndexWriterConfig(new MockAnalyzer(random()));
    try (RandomIndexWriter writer = new RandomIndexWriter(random(), directory, config)) {
      for (int id = 0; id < docs; id++) {
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(id), Field.Store.NO));
        StringBuilder text = new StringBuilder();
        for (int w = random().nextInt(40); w > 0; w--) {
          text.append(word().text()).append(' ');
        }
        document.add(new TextField("text", text.toString(), Field.Store.NO));
        writer.addDocument(document);
        if (deletes && random().nextInt(12) == 0) {
          Term victim = new Term("id", Integer.toString(random().nextInt(id + 1)));
          writer.deleteDocuments(victim);
        }
      }
      reader = writer.getReader();
    }
  }

  private static Term word() {
    double skew = random().nextDouble();
    return new Term("text", "w" + (int) (skew * skew * WORDS));
  }

  @Override
  public void tearDown() throws Exception {
    reader.close();
    directory.close();
    super.tearDown();
  }

  private Query next() {
    QueryShapes shapes = new QueryShapes(random(), TestSearcherOnDevice::word);
    Occur[] kinds = {Occur.MUST, Occur.SHOULD};
    return random().nextInt(3) == 0
        ? shapes.flat(kinds[random().nextInt(2)], 1 + random().nextInt(8))
        : shapes.any();
  }

  private static int rounds(int quick) {
    return Sampling.LONG ? atLeast(20 * quick) : quick;
  }

  /** Score bits, order and counts are stock's. */
  public void testAnswers() throws Exception {
    for (int i = rounds(150); i > 0; i--) {
      SameAnswers.check(stock, ours, next(), 1 + random().nextInt(30));
    }
    for (int i = rounds(10); i > 0; i--) {
      SameAnswers.check(stock, ours, next(), reader.maxDoc());
    }
  }

  /** With an executor, a slice a task. */
  public void testAnswersOfManyThreads() throws Exception {
    ExecutorService threads =
        Executors.newFixedThreadPool(3, new NamedThreadFactory("TestSearcherOnDevice"));
    try {
      OffloadIndexSearcher parallel = new OffloadIndexSearcher(reader, threads);
      setUp(parallel);
      for (int i = rounds(60); i > 0; i--) {
        SameAnswers.check(stock, parallel, next(), 1 + random().nextInt(30));
      }
    } finally {
      threads.shutdown();
      assertTrue(threads.awaitTermination(120, java.util.concurrent.TimeUnit.SECONDS));
    }
  }

  /** Iterating, skipping, bulk scoring, counting, explaining, matching: all agree. */
  public void testQueryUtils() throws Exception {
    for (int i = rounds(2); i > 0; i--) {
      QueryUtils.check(random(), next(), ours);
    }
  }

  /**
   * Skipping by score leaves out no hit that counts. The check expects iterators with and without
   * skipping to stop at the same docs, which stock's do not always where several clauses must
   * match: what stock fails, too, tells nothing.
   */
  public void testTopScores() throws Exception {
    int passed = 0;
    int all = rounds(5);
    // More of them if stock has failed most, which tell nothing.
    for (int i = 0; i < all || (passed <= all / 2 && i < 10 * all); i++) {
      Query query = next();
      long seed = random().nextLong();
      try {
        CheckHits.checkTopScores(new Random(seed), query, ours);
        passed++;
      } catch (AssertionError e) {
        if (passesTopScores(seed, query)) {
          throw e;
        }
      }
    }
    assertTrue(passed + " of " + all, passed > all / 2);
  }

  private boolean passesTopScores(long seed, Query query) throws IOException {
    try {
      CheckHits.checkTopScores(new Random(seed), query, stock);
      return true;
    } catch (AssertionError e) {
      return false;
    }
  }

  /** Hits and explanations. */
  public void testCheckHits() throws Exception {
    for (int i = rounds(10); i > 0; i--) {
      Query query = next();
      int k = 1 + random().nextInt(50);
      CheckHits.checkEqual(
          query, stock.search(query, k).scoreDocs, ours.search(query, k).scoreDocs);
      CheckHits.checkExplanations(query, "text", ours, false);
      CheckHits.checkMatches(query, ours);
    }
  }
}
