/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.util.Text;
import org.luceneoffload.wire.NormTable;

/**
 * Compiles one rewritten query. Statistics come from the searcher's own methods, called as the
 * stock weights call them, since applications override them.
 */
public final class QueryCompiler {
  private final IndexSearcher searcher;
  private final IndexedFields fields;
  private final Bm25Tables bm25;
  private final boolean anyScores;
  private final ColumnFilters filters;
  private CollectionStatistics latestCollection;

  private QueryCompiler(
      IndexSearcher searcher,
      IndexedFields fields,
      Bm25Tables bm25,
      boolean anyScores,
      ColumnFilters filters) {
    this.searcher = searcher;
    this.fields = fields;
    this.bm25 = bm25;
    this.anyScores = anyScores;
    this.filters = filters;
  }

  /**
   * Compiles a query that is already rewritten.
   *
   * @param scored whether scores are needed
   * @param boost factor of all scores
   * @throws RefusedException if a plan cannot express the query
   * @throws IOException if the terms dictionary cannot be read
   */
  public static CompiledQuery compile(
      IndexSearcher searcher,
      IndexedFields fields,
      Bm25Tables bm25,
      Query query,
      boolean scored,
      float boost)
      throws RefusedException, IOException {
    // The look at the whole tree comes first: reading terms is work that a refusal would waste.
    ColumnFilters filters = new ColumnFilters(searcher);
    checkExpressible(query, filters);
    QueryNode root =
        new QueryCompiler(searcher, fields, bm25, scored, filters).node(query, scored, boost);
    return new CompiledQuery(query, root, scored);
  }

  private static void checkExpressible(Query query, ColumnFilters filters) throws RefusedException {
    Query part = inexpressiblePart(query, filters);
    if (part != null) {
      throw new RefusedException(
          Refusal.Reason.UNSUPPORTED_QUERY, nameOf(part.getClass()), () -> Text.of(part));
    }
  }

  /**
   * Returns whether plans can express queries of this kind: what else may be in the way is not
   * looked at.
   */
  public static boolean isExpressible(Query query) {
    return inexpressiblePart(query, new ColumnFilters(null)) == null;
  }

  /** The first part of a kind that plans cannot express; null if there is none. */
  private static Query inexpressiblePart(Query query, ColumnFilters filters) {
    Class<?> type = query.getClass();
    if (type == BooleanQuery.class) {
      List<BooleanClause> clauses = ((BooleanQuery) query).clauses();
      for (int i = 0; i < clauses.size(); i++) {
        Query part = inexpressiblePart(clauses.get(i).query(), filters);
        if (part != null) {
          return part;
        }
      }
      return null;
    } else if (type == BoostQuery.class) {
      return inexpressiblePart(((BoostQuery) query).getQuery(), filters);
    } else if (type == ConstantScoreQuery.class) {
      return inexpressiblePart(((ConstantScoreQuery) query).getQuery(), filters);
    } else if (query instanceof DeviceQuery wrapper) {
      return inexpressiblePart(wrapper.getQuery(), filters);
    }
    return type == TermQuery.class
            || type == MatchAllDocsQuery.class
            || type == MatchNoDocsQuery.class
            || filters.take(query)
        ? null
        : query;
  }

  /** The simple name of a class, or of the named one that an anonymous class extends. */
  public static String nameOf(Class<?> type) {
    return type.isAnonymousClass() ? nameOf(type.getSuperclass()) : type.getSimpleName();
  }

  private QueryNode node(Query query, boolean scored, float boost)
      throws RefusedException, IOException {
    return switch (query) {
      case BooleanQuery bool -> bool(bool, scored, boost);
      case BoostQuery b -> node(b.getQuery(), scored, b.getBoost() * boost);
      case DeviceQuery wrapper -> node(wrapper.getQuery(), scored, boost);
      case ConstantScoreQuery constant -> {
        QueryNode child = node(constant.getQuery(), false, 1f);
        checkWeight(boost, constant);
        yield scored ? new QueryNode.ConstantNode(child, boost) : child;
      }
      case TermQuery term -> term(term, scored, boost);
      case MatchAllDocsQuery all -> {
        checkWeight(boost, all);
        yield new QueryNode.AllNode(scored ? boost : 0f);
      }
      case MatchNoDocsQuery none -> new QueryNode.NothingNode();
      default -> {
        checkWeight(boost, query);
        yield new QueryNode.ColumnNode(filters.of(query), scored ? boost : 0f);
      }
    };
  }

  private QueryNode bool(BooleanQuery query, boolean scored, float boost)
      throws RefusedException, IOException {
    List<BooleanClause> parts = query.clauses();
    List<QueryNode.Clause> clauses = new ArrayList<>(parts.size());
    for (int i = 0; i < parts.size(); i++) {
      BooleanClause clause = parts.get(i);
      QueryNode child =
          clause.occur() == Occur.MUST_NOT && clause.query() instanceof TermQuery term
              ? prohibited(term)
              : node(clause.query(), scored && clause.isScoring(), boost);
      clauses.add(new QueryNode.Clause(occur(clause.occur(), scored), child));
    }
    return new QueryNode.BoolNode(clauses, query.getMinimumNumberShouldMatch(), scored);
  }

  /** Stock's rewriting turns MUST into FILTER where no score is needed; not all queries saw it. */
  private static Occur occur(Occur occur, boolean scored) {
    return occur == Occur.MUST && !scored ? Occur.FILTER : occur;
  }

  private QueryNode term(TermQuery query, boolean scored, float boost)
      throws RefusedException, IOException {
    Term term = query.getTerm();
    IndexedField field = fields.get(searcher, term.field());
    TermLookup lookup = lookup(query, field, scored);
    if (!scored) {
      return new QueryNode.TermNode(term, lookup, null, 0f);
    }
    BM25Similarity similarity = Bm25Tables.similarity(searcher.getSimilarity(), term.field());
    if (lookup.docFreq() == 0) {
      return new QueryNode.NothingNode();
    }
    if (field != null && field.hasOtherNorms()) {
      throw new RefusedException(
          Refusal.Reason.NO_IMAGE,
          "a reader in front of the segments may show other norms of field \""
              + term.field()
              + "\"");
    }
    CollectionStatistics collection = collectionStatistics(term.field(), field);
    TermStatistics statistics = null;
    long docFreq = lookup.docFreq();
    if (!fields.stockTermStatistics()) {
      statistics = searcher.termStatistics(term, lookup.docFreq(), lookup.totalTermFreq());
      docFreq = statistics == null ? 0 : statistics.docFreq();
    }
    if (collection == null || docFreq == 0) {
      throw new RefusedException(
          Refusal.Reason.STATISTICS, "no statistics of a term", () -> Text.of(term));
    }
    float weight = Bm25Tables.weight(boost, collection, docFreq);
    checkWeight(weight, query);
    NormTable table = bm25.known(similarity, collection);
    if (table == null) {
      if (statistics == null) {
        statistics = searcher.termStatistics(term, lookup.docFreq(), lookup.totalTermFreq());
      }
      table = bm25.table(similarity, collection, statistics);
    }
    return new QueryNode.TermNode(term, lookup, table, weight);
  }

  /**
   * A term that excludes docs: a segment without it has none to exclude, however stock sees that.
   */
  private QueryNode prohibited(TermQuery query) throws RefusedException, IOException {
    Term term = query.getTerm();
    IndexedField field = fields.get(searcher, term.field());
    return anyScores && field != null && field.isHashed() && ownStates(query) == null
        ? new QueryNode.TermNode(term, TermLookup.lateIfPresent(field, term), null, 0f)
        : term(query, false, 1f);
  }

  /** The states that the query brings along, if they are of this reader; else null. */
  private TermStates ownStates(TermQuery query) {
    TermStates states = query.getTermStates();
    return states != null && states.wasBuiltFor(searcher.getTopReaderContext()) ? states : null;
  }

  private TermLookup lookup(TermQuery query, IndexedField field, boolean scored)
      throws IOException {
    TermStates states = ownStates(query);
    if (states != null) {
      return TermLookup.of(states);
    }
    boolean hashed = field != null && field.isHashed();
    if (anyScores && !scored) {
      // Stock looks such terms up late. A clause that is there and empty is not dropped, and that
      // may decide in which sum the scores beside it are added.
      return hashed
          ? TermLookup.late(searcher, field, query.getTerm())
          : TermLookup.late(searcher, query.getTerm());
    }
    return hashed
        ? TermLookup.now(field, query.getTerm())
        : TermLookup.now(searcher, query.getTerm());
  }

  /** Bounds of scores rest on weights that are not negative; huge boosts overflow. */
  private static void checkWeight(float weight, Query query) throws RefusedException {
    if (!(weight >= 0f && Float.isFinite(weight))) {
      throw new RefusedException(
          Refusal.Reason.STATISTICS,
          "a weight is " + weight + ": that of " + nameOf(query.getClass()),
          () -> Text.of(query));
    }
  }

  private CollectionStatistics collectionStatistics(String name, IndexedField field)
      throws IOException {
    if (field != null && field.statistics() != null) {
      return field.statistics();
    }
    CollectionStatistics statistics = latestCollection;
    if (statistics == null || !statistics.field().equals(name)) {
      statistics = searcher.collectionStatistics(name);
      latestCollection = statistics;
    }
    return statistics;
  }
}
