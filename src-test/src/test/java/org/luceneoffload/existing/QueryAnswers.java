/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** Queries that plans can express, and what a searcher answers to them, to the bit. */
final class QueryAnswers {
  private QueryAnswers() {}

  static List<Query> queries(long seed, int count) {
    Random random = new Random(seed);
    List<Query> queries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      queries.add(bool(random, 1 + random.nextInt(2)));
    }
    return queries;
  }

  /** Exact phrases, alone and as clauses; the device answers them from positions. */
  static List<Query> phrases(long seed, int count) {
    Random random = new Random(seed);
    List<Query> queries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Query phrase = new PhraseQuery("body", StockIndex.word(random), StockIndex.word(random));
      BooleanQuery.Builder builder = new BooleanQuery.Builder().add(phrase, Occur.SHOULD);
      queries.add(i % 2 == 0 ? phrase : builder.add(term(random), Occur.SHOULD).build());
    }
    return queries;
  }

  private static Query bool(Random random, int depth) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    int clauses = 2 + random.nextInt(3);
    for (int i = 0; i < clauses; i++) {
      Query clause = depth > 1 && random.nextInt(4) == 0 ? bool(random, depth - 1) : term(random);
      if (random.nextInt(8) == 0) {
        clause = new BoostQuery(clause, 3 * random.nextFloat());
      }
      builder.add(clause, occur(random));
    }
    return builder.build();
  }

  private static Query term(Random random) {
    String field = StockIndex.FIELDS.get(Math.max(0, random.nextInt(8) - 3));
    return new TermQuery(new Term(field, StockIndex.word(random)));
  }

  private static Occur occur(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> Occur.MUST_NOT;
      case 1 -> Occur.FILTER;
      case 2, 3, 4 -> Occur.MUST;
      default -> Occur.SHOULD;
    };
  }

  @SuppressWarnings("deprecation") // a collector without a manager sees the docs in their order
  private static void collectAll(IndexSearcher searcher, Query query, long[] hash)
      throws IOException {
    searcher.search(query, new HashOfAll(hash));
  }

  /** The answers: best hits, count, and every hit with its score, a line for each query. */
  static List<String> of(IndexSearcher searcher, List<Query> queries) throws IOException {
    List<String> answers = new ArrayList<>();
    for (Query query : queries) {
      TopDocs top = searcher.search(query, 10);
      StringBuilder line = new StringBuilder(query.toString()).append(" ->");
      for (ScoreDoc hit : top.scoreDocs) {
        line.append(' ').append(hit.doc).append(':').append(Float.floatToRawIntBits(hit.score));
      }
      line.append(", count ").append(searcher.count(query));
      long[] all = {0};
      collectAll(searcher, query, all);
      answers.add(line.append(", all ").append(Long.toHexString(all[0])).toString());
    }
    return answers;
  }

  /** Returns the answers of stock Lucene, which knows nothing of the device. */
  static List<String> ofStock(Path index, List<Query> queries) throws IOException {
    try (Directory plain = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(plain)) {
      return of(new IndexSearcher(reader), queries);
    }
  }

  /** Hashes doc IDs and scores in order. */
  private static final class HashOfAll extends SimpleCollector {
    private final long[] hash;
    private int docBase;
    private Scorable scorer;

    HashOfAll(long[] hash) {
      this.hash = hash;
    }

    @Override
    protected void doSetNextReader(LeafReaderContext context) {
      docBase = context.docBase;
    }

    @Override
    public void setScorer(Scorable newScorer) {
      scorer = newScorer;
    }

    @Override
    public void collect(int doc) throws IOException {
      hash[0] = hash[0] * 31 + docBase + doc;
      hash[0] = hash[0] * 31 + Float.floatToRawIntBits(scorer.score());
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE;
    }
  }
}
