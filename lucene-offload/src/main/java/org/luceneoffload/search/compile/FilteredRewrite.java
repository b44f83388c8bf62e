/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/**
 * Rewrites a text query with filters beside it, the form in which applications send most queries:
 * one MUST clause that {@link FlatRewrite} knows, and FILTER clauses of terms or doc values. It
 * ends where {@link IndexSearcher#rewrite(Query)} ends, which goes over all clauses up to four
 * times and hashes each of them several times a turn.
 */
public final class FilteredRewrite {
  private static final int MAX_CLAUSES = 16;

  /** A filter that has an index side and a doc-values side counts more than once. */
  private static final int MAX_LEAVES = 4;

  private final IndexSearcher searcher;
  private final List<Query> filters = new ArrayList<>(4);
  private boolean filtersChanged;
  private BooleanQuery text;
  private int filtersBeforeText;

  private FilteredRewrite(IndexSearcher searcher) {
    this.searcher = searcher;
  }

  /**
   * Returns the rewritten form of a query, or of a {@link ConstantScoreQuery} around one.
   *
   * @param searcher the searcher that rewrites it
   * @return null if the query is of another kind, so that stock has to rewrite it
   */
  public static Query rewrite(IndexSearcher searcher, Query query) throws IOException {
    boolean scored = query.getClass() == BooleanQuery.class;
    if (!scored && query.getClass() != ConstantScoreQuery.class) {
      return null;
    }
    Query inner = scored ? query : ((ConstantScoreQuery) query).getQuery();
    if (inner.getClass() != BooleanQuery.class) {
      return null;
    }
    FilteredRewrite rewrite = new FilteredRewrite(searcher);
    if (!rewrite.takes((BooleanQuery) inner)) {
      return null;
    }
    return scored ? rewrite.scored((BooleanQuery) inner) : rewrite.unscored();
  }

  /** Returns whether a query is of this form, and takes it apart. */
  private boolean takes(BooleanQuery query) throws IOException {
    List<BooleanClause> clauses = query.clauses();
    int size = clauses.size();
    if (size < 2 || size > MAX_CLAUSES || query.getMinimumNumberShouldMatch() != 0) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      BooleanClause clause = clauses.get(i);
      Class<?> type = clause.query().getClass();
      if (clause.occur() == Occur.MUST && type == BooleanQuery.class && text == null) {
        text = (BooleanQuery) clause.query();
        filtersBeforeText = filters.size();
      } else if (clause.occur() != Occur.FILTER) {
        return false;
      } else {
        filters.add(clause.query());
      }
    }
    // The limit may have come down since the query was built: the error is for stock to raise.
    return text != null
        && FlatRewrite.isFlat(text)
        && MAX_LEAVES * size + text.clauses().size() <= IndexSearcher.getMaxClauseCount()
        && rewriteFilters();
  }

  /** Returns whether all filters are of the kinds that are known here, and all clauses differ. */
  private boolean rewriteFilters() throws IOException {
    for (int i = 0; i < filters.size(); i++) {
      Query filter = filters.get(i);
      if (filter.getClass() == ConstantScoreQuery.class) {
        filter = ((ConstantScoreQuery) filter).getQuery();
        filtersChanged = true;
        filters.set(i, filter);
      }
      if (filter.getClass() == TermQuery.class) {
        if (isInText((TermQuery) filter)) {
          return false;
        }
      } else if (!NumberQueries.asksForNumbers(filter) || filter.rewrite(searcher) != filter) {
        return false;
      }
      for (int j = 0; j < i; j++) {
        if (filter.equals(filters.get(j))) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isInText(TermQuery filter) {
    List<BooleanClause> clauses = text.clauses();
    for (int i = 0; i < clauses.size(); i++) {
      if (((TermQuery) clauses.get(i).query()).getTerm().equals(filter.getTerm())) {
        return true;
      }
    }
    return false;
  }

  private Query scored(BooleanQuery query) {
    if (!FlatRewrite.has(text, Occur.SHOULD)) {
      return inPlaceOfText(false).build();
    }
    if (isDisjunction()) {
      return filtersThenText();
    }
    return filtersChanged ? around(Occur.MUST) : query;
  }

  private Query unscored() {
    if (!FlatRewrite.has(text, Occur.SHOULD)) {
      return new ConstantScoreQuery(inPlaceOfText(true).build());
    }
    if (!isDisjunction()) {
      return null; // clauses may go that make no difference without scores
    }
    // Stock inlines the text only in the first turn, which is over once a filter has changed.
    return new ConstantScoreQuery(filtersChanged ? around(Occur.FILTER) : filtersThenText());
  }

  private boolean isDisjunction() {
    return !FlatRewrite.has(text, Occur.MUST)
        && !FlatRewrite.has(text, Occur.FILTER)
        && !FlatRewrite.has(text, Occur.MUST_NOT);
  }

  /** Returns the clauses of the text where it stood. */
  private BooleanQuery.Builder inPlaceOfText(boolean unscored) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    addFilters(builder, 0, filtersBeforeText);
    List<BooleanClause> clauses = text.clauses();
    for (int i = 0; i < clauses.size(); i++) {
      BooleanClause clause = clauses.get(i);
      if (unscored && clause.occur() == Occur.MUST) {
        builder.add(clause.query(), Occur.FILTER);
      } else {
        builder.add(clause);
      }
    }
    return addFilters(builder, filtersBeforeText, filters.size());
  }

  private Query filtersThenText() {
    BooleanQuery.Builder builder =
        addFilters(new BooleanQuery.Builder(), 0, filters.size())
            .setMinimumNumberShouldMatch(Math.max(1, text.getMinimumNumberShouldMatch()));
    List<BooleanClause> clauses = text.clauses();
    for (int i = 0; i < clauses.size(); i++) {
      builder.add(clauses.get(i));
    }
    return builder.build();
  }

  /** Returns the text as the clause that it is. */
  private Query around(Occur occur) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    addFilters(builder, 0, filtersBeforeText).add(text, occur);
    return addFilters(builder, filtersBeforeText, filters.size()).build();
  }

  private BooleanQuery.Builder addFilters(BooleanQuery.Builder builder, int from, int to) {
    for (int i = from; i < to; i++) {
      builder.add(filters.get(i), Occur.FILTER);
    }
    return builder;
  }
}
