/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.OffloadStats.Counter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * How long do the ten best hits take, on the device and on stock Lucene? One thread, warm, queries
 * of three words in turn. The set-up fails if an answer differs or did not come from the device.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xmx2g", "--add-modules=jdk.incubator.vector"})
@Threads(1)
public class SearchBenchmark {
  private static final int QUERIES = 64;
  private static final int K = 10;

  /** Documents of the index. */
  @Param("200000")
  public int documents;

  /** Seed of text and queries. */
  @Param("42")
  public long seed;

  /** Three words, all required (AND), all optional (OR), or two required and one forbidden. */
  @Param({"AND", "OR", "NOT"})
  public String shape;

  /** Who answers. */
  @Param({"lucene", "offload"})
  public String engine;

  private GeneratedIndex index;
  private IndexSearcher searcher;
  private final Query[] queries = new Query[QUERIES];
  private int next;

  /** Builds index and queries, and compares all answers. */
  @Setup(Level.Trial)
  public void setUp() throws IOException {
    index = new GeneratedIndex(documents, seed);
    Random random = new Random(seed + 1);
    for (int i = 0; i < QUERIES; i++) {
      queries[i] = query(random);
    }
    IndexSearcher stock = new IndexSearcher(index.reader());
    IndexSearcher offload = new OffloadIndexSearcher(index.reader());
    // No cache: each query is to be answered, not remembered.
    stock.setQueryCache(null);
    offload.setQueryCache(null);
    for (Query query : queries) {
      compare(query, stock.search(query, K), offload.search(query, K));
    }
    if (index.stats().get(Counter.LEAVES_OFFLOADED) < QUERIES) {
      throw new IllegalStateException("not every query ran on the device: " + index.stats());
    }
    searcher = engine.equals("offload") ? offload : stock;
  }

  private Query query(Random random) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 0; i < 3; i++) {
      // From words in nearly every document to words in one of a few thousand.
      String word = "w" + (int) Math.exp(random.nextDouble() * Math.log(2000));
      Occur occur =
          switch (shape) {
            case "AND" -> Occur.MUST;
            case "OR" -> Occur.SHOULD;
            case "NOT" -> i < 2 ? Occur.MUST : Occur.MUST_NOT;
            default -> throw new IllegalArgumentException("unknown shape " + shape);
          };
      builder.add(new TermQuery(new Term("body", word)), occur);
    }
    return builder.build();
  }

  private static void compare(Query query, TopDocs stock, TopDocs offload) {
    boolean same = stock.scoreDocs.length == offload.scoreDocs.length;
    for (int i = 0; same && i < stock.scoreDocs.length; i++) {
      ScoreDoc a = stock.scoreDocs[i];
      ScoreDoc b = offload.scoreDocs[i];
      same = a.doc == b.doc && Float.floatToIntBits(a.score) == Float.floatToIntBits(b.score);
    }
    if (!same) {
      throw new IllegalStateException("the device answers differently: " + query);
    }
  }

  /** Closes the index. */
  @TearDown(Level.Trial)
  public void tearDown() throws IOException {
    index.close();
  }

  /** The ten best hits of the next query. */
  @Benchmark
  public TopDocs topTen() throws IOException {
    Query query = queries[next];
    next = (next + 1) % QUERIES;
    return searcher.search(query, K);
  }
}
