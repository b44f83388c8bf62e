/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FilterWeight;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.Weight;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.BooleanSimilarity;
import org.apache.lucene.search.similarities.ClassicSimilarity;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.PerFieldSimilarityWrapper;
import org.apache.lucene.search.similarities.Similarity;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;

/** Searchers of applications that do a step of a search in their own way. */
class TestSearcherSubclasses extends SearcherTestCase {
  /** Notes the steps that it is asked for. */
  private static class Noting extends OffloadIndexSearcher {
    final List<String> steps = new ArrayList<>();

    Noting(IndexReader reader) {
      super(reader);
    }
  }

  private static final class OwnWeights extends Noting {
    OwnWeights(IndexReader reader) {
      super(reader);
    }

    @Override
    public Weight createWeight(Query query, ScoreMode scoreMode, float boost) throws IOException {
      steps.add("weight");
      Weight weight = super.createWeight(query, scoreMode, boost);
      return new FilterWeight(weight) {};
    }
  }

  private static final class OwnSearch extends Noting {
    OwnSearch(IndexReader reader) {
      super(reader);
    }

    @Override
    public <C extends Collector, T> T search(Query query, CollectorManager<C, T> manager)
        throws IOException {
      steps.add("search " + query);
      return super.search(query, manager);
    }
  }

  private static final class OwnPartitions extends Noting {
    OwnPartitions(IndexReader reader) {
      super(reader);
    }

    @Override
    protected void search(
        LeafReaderContextPartition[] partitions, Weight weight, Collector collector)
        throws IOException {
      steps.add("partitions");
      super.search(partitions, weight, collector);
    }
  }

  private static final class OwnLeaves extends Noting {
    OwnLeaves(IndexReader reader) {
      super(reader);
    }

    @Override
    protected void searchLeaf(
        LeafReaderContext leaf, int minDoc, int maxDoc, Weight weight, Collector collector)
        throws IOException {
      steps.add("leaf " + leaf.ord);
      super.searchLeaf(leaf, minDoc, maxDoc, weight, collector);
    }
  }

  private static final class OwnRewrite extends Noting {
    OwnRewrite(IndexReader reader) {
      super(reader);
    }

    @Override
    public Query rewrite(Query query) throws IOException {
      steps.add("rewrite");
      return super.rewrite(query);
    }
  }

  /** The overrides of an application are called, whatever is asked for. */
  @Test
  void everyStepIsTaken() throws IOException {
    Query query = Words.bool("+w0 w3 -w5");
    for (Noting searcher :
        List.of(
            new OwnWeights(reader),
            new OwnSearch(reader),
            new OwnPartitions(reader),
            new OwnLeaves(reader),
            new OwnRewrite(reader))) {
      searcher.setQueryCache(null);
      String what = searcher.getClass().getSimpleName();
      searcher.search(query, 10);
      assertTrue(searcher.steps.size() > 0, what);
      int steps = searcher.steps.size();
      searcher.count(query);
      // Counting makes a weight and searches with it, past what takes queries.
      assertTrue(searcher instanceof OwnSearch || searcher.steps.size() > steps, what);
      onDevice(() -> Answers.same(stock(reader), query, searcher, query));
      Query random = words.query();
      Answers.same(stock(reader), random, searcher, random);
    }
    OwnSearch own = new OwnSearch(reader);
    own.search(query, 10);
    assertEquals(List.of("search " + query), own.steps);
  }

  /** A searcher that hides what it finds in one segment. */
  @Test
  void ownLeavesDecideWhatIsFound() throws IOException {
    class Stock extends IndexSearcher {
      Stock() {
        super(reader);
      }

      @Override
      protected void searchLeaf(
          LeafReaderContext leaf, int minDoc, int maxDoc, Weight weight, Collector collector)
          throws IOException {
        if (leaf.ord != 0) {
          super.searchLeaf(leaf, minDoc, maxDoc, weight, collector);
        }
      }
    }
    class Ours extends OffloadIndexSearcher {
      Ours() {
        super(reader);
      }

      @Override
      protected void searchLeaf(
          LeafReaderContext leaf, int minDoc, int maxDoc, Weight weight, Collector collector)
          throws IOException {
        if (leaf.ord != 0) {
          super.searchLeaf(leaf, minDoc, maxDoc, weight, collector);
        }
      }
    }
    for (int i = 0; i < 8; i++) {
      Query query = words.query();
      Answers.same(new Stock(), query, new Ours(), query);
      Answers.same(new Stock(), query, new Stock(), Way.WRAPPED_QUERY.query(query));
    }
  }

  /** Statistics of a larger whole, for scores of a part. */
  @Test
  void ownStatistics() throws IOException {
    class Stock extends IndexSearcher {
      Stock() {
        super(reader);
      }

      @Override
      public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq) {
        return new TermStatistics(term.bytes(), docFreq * 2L, totalTermFreq * 3);
      }

      @Override
      public CollectionStatistics collectionStatistics(String field) throws IOException {
        return scaled(super.collectionStatistics(field));
      }
    }
    class Ours extends OffloadIndexSearcher {
      Ours() {
        super(reader);
      }

      @Override
      public TermStatistics termStatistics(Term term, int docFreq, long totalTermFreq) {
        return new TermStatistics(term.bytes(), docFreq * 2L, totalTermFreq * 3);
      }

      @Override
      public CollectionStatistics collectionStatistics(String field) throws IOException {
        return scaled(super.collectionStatistics(field));
      }
    }
    onDevice(
        () -> {
          for (int i = 0; i < 8; i++) {
            Query query = words.query();
            Answers.same(new Stock(), query, new Ours(), query);
          }
        });
    Query query = Words.bool("w1 w2");
    assertNotEquals(
        Answers.hits(stock(reader).search(query, 3)), Answers.hits(new Ours().search(query, 3)));
  }

  private static CollectionStatistics scaled(CollectionStatistics own) {
    return own == null
        ? null
        : new CollectionStatistics(
            own.field(),
            own.maxDoc() * 3,
            own.docCount() * 3,
            own.sumTotalTermFreq() * 4,
            own.sumDocFreq() * 3);
  }

  private static final class PerField extends PerFieldSimilarityWrapper {
    private final Similarity body;
    private final Similarity title;

    PerField(Similarity body, Similarity title) {
      this.body = body;
      this.title = title;
    }

    @Override
    public Similarity get(String field) {
      return field.equals("title") ? title : body;
    }
  }

  /** Set after the searcher was made and used, of every kind. */
  @Test
  void similarities() throws IOException {
    List<Similarity> similarities =
        List.of(
            new BM25Similarity(0.7f, 0.3f),
            new BM25Similarity(0f, 0.75f),
            new BM25Similarity(1.2f, 0f),
            new BM25Similarity(1e30f, 1f),
            new ClassicSimilarity(),
            new BooleanSimilarity(),
            new LMDirichletSimilarity(),
            new PerField(new BM25Similarity(2f, 0.1f), new BM25Similarity()),
            new PerField(new BM25Similarity(), new ClassicSimilarity()),
            new Odd());
    for (Way way : Way.values()) {
      IndexSearcher stock = stock(reader);
      IndexSearcher searcher = way.searcher(reader);
      for (Similarity similarity : similarities) {
        stock.setSimilarity(similarity);
        searcher.setSimilarity(similarity);
        for (int i = 0; i < 2; i++) {
          Query query = words.query();
          Answers.same(stock, query, searcher, way.query(query));
        }
      }
    }
  }

  /** Scores by a rule of its own, by norms and frequency. */
  private static final class Odd extends Similarity {
    @Override
    public SimScorer scorer(float boost, CollectionStatistics collection, TermStatistics... terms) {
      return new SimScorer() {
        @Override
        public float score(float freq, long norm) {
          return boost * (1 + Math.min(freq, 3)) / (1 + (norm & 7));
        }
      };
    }
  }

  /** One leaf at a time, as applications with their own slices and merging do. */
  @Test
  void mergedByTheApplication() throws IOException {
    for (int i = 0; i < 6; i++) {
      Query query = words.query();
      for (Way way : Way.values()) {
        TopDocs[] parts = new TopDocs[reader.leaves().size()];
        for (LeafReaderContext leaf : reader.leaves()) {
          List<String> expected = Answers.hits(stock(leaf.reader()).search(query, 4));
          parts[leaf.ord] = way.searcher(leaf.reader()).search(way.query(query), 4);
          assertEquals(expected, Answers.hits(parts[leaf.ord]));
          for (ScoreDoc hit : parts[leaf.ord].scoreDocs) {
            assertEquals(-1, hit.shardIndex);
            hit.doc += leaf.docBase; // merging takes equal hits of one doc for a mistake
          }
        }
        assertTrue(TopDocs.merge(10, parts).scoreDocs.length <= 10);
      }
    }
  }
}
