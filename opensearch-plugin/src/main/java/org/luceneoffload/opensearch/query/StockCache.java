/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import java.io.IOException;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryCache;
import org.apache.lucene.search.QueryCachingPolicy;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.search.Weight;
import org.luceneoffload.search.compile.FlatRewrite;
import org.opensearch.search.internal.ContextIndexSearcher;

/**
 * The query cache as stock would have left it. The device needs no cache; but where OpenSearch
 * counts in slices, its responses tell whether the cache had the query. So what a search would have
 * told the caching policy is told to it, and the matches that stock would have kept are kept. For
 * one search.
 */
final class StockCache {
  private final ContextIndexSearcher searcher;
  private final QueryCache cache;
  private final QueryCachingPolicy policy;
  private final Query query;
  private final InVain inVain;
  private final List<Query> toKeep = new ArrayList<>();
  private Query rewritten;
  private Weight counter;

  /**
   * Takes a search.
   *
   * @param searcher with the cache
   * @param query rewritten
   * @param inVain what the node knows of earlier searches
   */
  StockCache(ContextIndexSearcher searcher, Query query, InVain inVain) {
    this.searcher = searcher;
    this.cache = searcher.getQueryCache();
    this.policy = searcher.getQueryCachingPolicy();
    this.query = query;
    this.inVain = inVain;
  }

  /** Keeps what the policy says, which was told of this search already. */
  private record Told(QueryCachingPolicy policy) implements QueryCachingPolicy {
    @Override
    public void onUse(Query used) {}

    @Override
    public boolean shouldCache(Query used) throws IOException {
      return policy.shouldCache(used);
    }
  }

  /** Notes that the query was searched for with scores: clauses without them were used. */
  void scored() throws IOException {
    if (cache != null && clauses(query, true)) {
      keep(query, ScoreMode.TOP_SCORES, List.of(searcher.getLeafContexts()), Integer.MAX_VALUE);
    }
  }

  /** Notes that all matches were searched for, without scores. */
  void unscored() throws IOException {
    unscored(List.of(searcher.getLeafContexts()), Integer.MAX_VALUE);
  }

  /**
   * Notes that matches were searched for, without scores.
   *
   * @param slices segments in turn, of each slice of the search
   * @param limit matches after which a slice needs no further segment, but for those whose number
   *     is known
   */
  void unscored(List<List<LeafReaderContext>> slices, int limit) throws IOException {
    if (cache != null && used(rewritten())) {
      keep(rewritten(), ScoreMode.COMPLETE_NO_SCORES, slices, limit);
    }
  }

  /**
   * Has the cache keep what is to be kept, as stock comes to it: it leaves out a filter that is
   * long beside what leads. Nothing that is in the cache is searched for.
   */
  private void keep(
      Query root, ScoreMode scoreMode, List<List<LeafReaderContext>> slices, int limit)
      throws IOException {
    // A search that stops early says nothing of the segments that it did not come to.
    boolean whole = limit == Integer.MAX_VALUE;
    if (whole && inVain.isKnown(searcher, root, scoreMode)) {
      return;
    }
    PartSearcher told = new PartSearcher(searcher);
    told.setQueryCache(cache);
    told.setQueryCachingPolicy(new Told(policy));
    Weight weight = told.createWeight(root, scoreMode, 1f);
    for (List<LeafReaderContext> slice : slices) {
      long seen = 0;
      for (int i = 0; i < slice.size() && seen < limit; i++) {
        if (whole) {
          search(weight, slice.get(i));
        } else if (weight.count(slice.get(i)) < 0) {
          search(weight, slice.get(i));
          seen += Math.max(0, weight.count(slice.get(i)));
        }
      }
    }
    if (whole && isAllToKeep()) {
      inVain.note(searcher, root, scoreMode);
    }
  }

  /** Returns whether the cache has kept nothing of what it was to keep. */
  private boolean isAllToKeep() throws IOException {
    for (Query key : toKeep) {
      if (!isToKeep(key)) {
        return false;
      }
    }
    return true;
  }

  private boolean isToKeep(Query key) throws IOException {
    for (LeafReaderContext leaf : searcher.getLeafContexts()) {
      if (CacheProbe.isToKeep(cache, key, leaf)) {
        return true;
      }
    }
    return false;
  }

  /** Goes as far as to the first match. */
  private static void search(Weight weight, LeafReaderContext leaf) throws IOException {
    ScorerSupplier matches = weight.scorerSupplier(leaf);
    if (matches != null) {
      matches.setTopLevelScoringClause();
      matches.bulkScorer();
    }
  }

  /** The number of matches in a segment, if stock has no need to look for them; else -1. */
  int count(LeafReaderContext leaf) throws IOException {
    if (counter == null) {
      Weight stock = rewritten().createWeight(searcher, ScoreMode.COMPLETE_NO_SCORES, 1f);
      counter = cache == null ? stock : cache.doCache(stock, new Told(policy));
    }
    return counter.count(leaf);
  }

  /** The number of matches in all segments, if the cache has them; else null. */
  Integer count() throws IOException {
    if (cache == null) {
      return null;
    }
    int all = 0;
    for (LeafReaderContext leaf : searcher.getLeafContexts()) {
      int count = CacheProbe.count(cache, rewritten(), leaf);
      if (count < 0) {
        return null;
      }
      all = Math.addExact(all, count);
    }
    return all;
  }

  private Query rewritten() throws IOException {
    if (rewritten == null) {
      rewritten = unscored(searcher, query);
    }
    return rewritten;
  }

  /** The query as stock searches for it where scores are not needed. */
  static Query unscored(IndexSearcher searcher, Query query) throws IOException {
    Query constant = new ConstantScoreQuery(query);
    Query flat = FlatRewrite.rewrite(constant);
    return unwrapped(flat != null ? flat : searcher.rewrite(constant));
  }

  /** A query without what only gives other scores. */
  static Query unwrapped(Query query) {
    Query at = query;
    while (true) {
      if (at instanceof ConstantScoreQuery constant) {
        at = constant.getQuery();
      } else if (at instanceof BoostQuery boost) {
        at = boost.getQuery();
      } else {
        return at;
      }
    }
  }

  /**
   * What the cache knows a query by. Some queries are in Lucene only to make a weight of another
   * one; their classes are not public.
   */
  private Query key(Query query) throws IOException {
    return Modifier.isPublic(query.getClass().getModifiers())
        ? query
        : query.createWeight(searcher, ScoreMode.COMPLETE_NO_SCORES, 1f).getQuery();
  }

  /** Notes the uses of a query without scores; returns whether there is something to keep. */
  private boolean used(Query used) throws IOException {
    Query key = key(used);
    policy.onUse(key);
    if (policy.shouldCache(key)) {
      boolean keep = isToKeep(key);
      if (keep) {
        toKeep.add(key);
      }
      return keep;
    }
    return clauses(used, false);
  }

  /** Notes the uses of what a query consists of; returns whether there is something to keep. */
  private boolean clauses(Query of, boolean scores) throws IOException {
    boolean keep = false;
    switch (of) {
      case BooleanQuery bool -> {
        for (BooleanClause clause : bool) {
          keep |= clause(clause.query(), scores && clause.isScoring());
        }
      }
      case DisjunctionMaxQuery max -> {
        for (Query disjunct : max) {
          keep |= clause(disjunct, scores);
        }
      }
      case BoostQuery boost -> keep = clauses(boost.getQuery(), scores);
      case ConstantScoreQuery constant -> keep = used(unwrapped(constant));
      default -> {}
    }
    return keep;
  }

  private boolean clause(Query clause, boolean scores) throws IOException {
    return scores ? clauses(clause, true) : used(unwrapped(clause));
  }
}
