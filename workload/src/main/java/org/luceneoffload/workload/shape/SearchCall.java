/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.shape;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.similarities.BooleanSimilarity;
import org.apache.lucene.search.similarities.Similarity;
import org.luceneoffload.workload.DocIds;

/** A call of Lucene's own methods for a query, as applications make them. */
@FunctionalInterface
interface SearchCall {
  Object run(IndexSearcher searcher, Query query) throws IOException;

  /** Finds the 10 best hits. */
  SearchCall TOP_10 = top(10);

  /** Finds the 10 best hits and the number of all. */
  SearchCall TOP_10_COUNT = manager(10, Integer.MAX_VALUE);

  /** Finds the number of hits. */
  SearchCall COUNT = IndexSearcher::count;

  /** Finds every hit, unranked. */
  SearchCall DOCS = (searcher, query) -> searcher.search(query, DocIds.manager());

  /** Finds the k best hits. */
  static SearchCall top(int k) {
    return (searcher, query) -> searcher.search(query, k);
  }

  /** Finds the k best hits by stock's manager of collectors. */
  static SearchCall manager(int k, int threshold) {
    return (searcher, query) ->
        searcher.search(query, new TopScoreDocCollectorManager(k, null, threshold));
  }

  /** Finds the 10 best hits if every term scores 1, however often a document has it. */
  SearchCall TOP_10_OF_ONES =
      (searcher, query) -> {
        Similarity before = searcher.getSimilarity();
        searcher.setSimilarity(new BooleanSimilarity());
        try {
          return searcher.search(query, 10);
        } finally {
          searcher.setSimilarity(before);
        }
      };

  /** Finds the first k hits of an order. */
  static SearchCall sorted(int k, Sort sort) {
    return (searcher, query) -> searcher.search(query, k, sort);
  }

  /** Asks for pages of k hits, one after the other. */
  static SearchCall pages(int pages, int k) {
    return (searcher, query) -> {
      List<TopDocs> all = new ArrayList<>();
      ScoreDoc after = null;
      for (int i = 0; i < pages; i++) {
        TopDocs page = searcher.searchAfter(after, query, k);
        all.add(page);
        if (page.scoreDocs.length < k) {
          break;
        }
        after = page.scoreDocs[k - 1];
      }
      return all;
    };
  }

  /** Asks for the first n hits of each segment, whichever come first. */
  static SearchCall first(int n) {
    return (searcher, query) -> searcher.search(query, FirstDocs.manager(n));
  }
}
