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
import org.apache.lucene.search.TermQuery;
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
  private final QueryCachingPolicy told;
  private int looks;
  private Query rewritten;
  private Weight counter;
  private Weight keeper;
  private Boolean keepsClauses;
  private Weight clauseKeeper;

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
    this.told = new Told(policy);
    this.query = query;
    this.inVain = inVain;
  }

  /**
   * Says how many of OpenSearch's aggregators would look whether the query matches all of a
   * segment, before it is searched.
   */
  void lookedAt(int aggregators) {
    looks = cache != null && hasUses(query) ? aggregators : 0;
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
    note(query, ScoreMode.TOP_SCORES, List.of(searcher.getLeafContexts()), Integer.MAX_VALUE);
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
    if (cache != null) {
      note(rewritten(), ScoreMode.COMPLETE_NO_SCORES, slices, limit);
    }
  }

  /**
   * Notes that a segment is searched by a weight without scores, which the cache knows of, and has
   * not. A weight is one use of its clauses; only what it searches is kept.
   *
   * @param of what the weight is of, the same in each call
   */
  synchronized void unscoredClauses(Query of, LeafReaderContext leaf) throws IOException {
    if (keepsClauses == null) {
      keepsClauses = cache != null && clauses(of, false, policy);
    }
    ScoreMode scoreMode = ScoreMode.TOP_DOCS; // not that of searches that keep the query, too
    if (keepsClauses && !inVain.isKnown(leaf.reader(), of, scoreMode)) {
      if (clauseKeeper == null) {
        clauseKeeper = of.createWeight(keeping(), scoreMode, 1f); // not of the searcher: not cached
      }
      search(clauseKeeper, leaf);
      if (isAllToKeep(List.of(leaf))) {
        inVain.note(leaf.reader(), of, scoreMode);
      }
    }
  }

  private void note(
      Query root, ScoreMode scoreMode, List<List<LeafReaderContext>> slices, int limit)
      throws IOException {
    if (cache == null) {
      return;
    } else if (looks == 0) {
      if (uses(root, scoreMode, policy)) {
        keep(root, scoreMode, slices, limit);
      }
      return;
    }
    boolean inVainBefore = inVain.isKnown(searcher.getIndexReader(), root, scoreMode);
    QueryCachingPolicy first = policy;
    boolean whole = !inVainBefore; // a query may be to keep from one of the segments on
    for (List<LeafReaderContext> slice : slices) {
      for (LeafReaderContext leaf : slice) {
        for (int i = 0; i < looks; i++) {
          look(leaf);
        }
        boolean keep = uses(root, scoreMode, first);
        whole &= keep;
        if (keep && !inVainBefore) {
          search(keeper(root, scoreMode), leaf);
        }
        first = told; // a search is one use, however many segments it goes through
      }
    }
    if (whole) {
      noteInVain(root, scoreMode);
    }
  }

  /** What an aggregator does: the clauses whose matches it counts are used. */
  private void look(LeafReaderContext leaf) throws IOException {
    query.rewrite(searcher).createWeight(searcher, ScoreMode.COMPLETE_NO_SCORES, 1f).count(leaf);
  }

  private boolean uses(Query root, ScoreMode scoreMode, QueryCachingPolicy by) throws IOException {
    return scoreMode.needsScores() ? clauses(root, true, by) : used(root, by);
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
    if (whole && inVain.isKnown(searcher.getIndexReader(), root, scoreMode)) {
      return;
    }
    Weight weight = keeper(root, scoreMode);
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
    if (whole) {
      noteInVain(root, scoreMode);
    }
  }

  private void noteInVain(Query root, ScoreMode scoreMode) throws IOException {
    if (isAllToKeep(searcher.getLeafContexts())) {
      inVain.note(searcher.getIndexReader(), root, scoreMode);
    }
  }

  private Weight keeper(Query root, ScoreMode scoreMode) throws IOException {
    if (keeper == null) {
      keeper = keeping().createWeight(root, scoreMode, 1f);
    }
    return keeper;
  }

  /** A searcher by whose searches the cache keeps what it would by stock's. */
  private PartSearcher keeping() {
    PartSearcher keeping = new PartSearcher(searcher);
    keeping.setQueryCache(cache);
    keeping.setQueryCachingPolicy(told);
    return keeping;
  }

  /** Returns whether the cache has kept nothing of what it was to keep. */
  private boolean isAllToKeep(List<LeafReaderContext> leaves) throws IOException {
    for (Query key : toKeep) {
      if (!isToKeep(key, leaves)) {
        return false;
      }
    }
    return true;
  }

  private boolean isToKeep(Query key, List<LeafReaderContext> leaves) throws IOException {
    for (LeafReaderContext leaf : leaves) {
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
      IndexSearcher by = cache == null ? searcher : keeping();
      counter = by.createWeight(rewritten(), ScoreMode.COMPLETE_NO_SCORES, 1f);
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

  /** Returns whether a weight of the query may use anything that the policy counts. */
  private static boolean hasUses(Query query) {
    return switch (query) {
      case TermQuery one -> false;
      case BooleanQuery bool ->
          bool.clauses().stream().anyMatch(clause -> !(clause.query() instanceof TermQuery));
      default -> true;
    };
  }

  /** Notes the uses of a query without scores; returns whether there is something to keep. */
  private boolean used(Query used, QueryCachingPolicy by) throws IOException {
    Query key = key(used);
    by.onUse(key);
    boolean keep = policy.shouldCache(key) && isToKeep(key, searcher.getLeafContexts());
    if (keep) {
      toKeep.add(key);
    }
    boolean consists = used instanceof BooleanQuery || used instanceof DisjunctionMaxQuery;
    return keep | (consists && !isCached(key) && clauses(used, false, by));
  }

  /** Returns whether no segment is searched for what a query consists of: the cache has them. */
  private boolean isCached(Query key) throws IOException {
    for (LeafReaderContext leaf : searcher.getLeafContexts()) {
      if (!CacheProbe.isCached(cache, key, leaf)) {
        return false;
      }
    }
    return true;
  }

  /** Notes the uses of what a query consists of; returns whether there is something to keep. */
  private boolean clauses(Query of, boolean scores, QueryCachingPolicy by) throws IOException {
    boolean keep = false;
    switch (of) {
      case BooleanQuery bool -> {
        for (BooleanClause clause : bool) {
          keep |= clause(clause.query(), scores && clause.isScoring(), by);
        }
      }
      case DisjunctionMaxQuery max -> {
        for (Query disjunct : max) {
          keep |= clause(disjunct, scores, by);
        }
      }
      case BoostQuery boost -> keep = clauses(boost.getQuery(), scores, by);
      case ConstantScoreQuery constant -> keep = used(unwrapped(constant), by);
      default -> {}
    }
    return keep;
  }

  private boolean clause(Query clause, boolean scores, QueryCachingPolicy by) throws IOException {
    return scores ? clauses(clause, true, by) : used(unwrapped(clause), by);
  }
}
