/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.luceneoffload.search.score.CombinedFields;
import org.luceneoffload.search.score.FeatureFunction;
import org.luceneoffload.search.score.SynonymFactors;
import org.luceneoffload.search.spans.NearTerms;
import org.luceneoffload.search.spans.SpanForms;

/**
 * What the clauses of one query stand for that do not say it in so many words. Each clause is taken
 * apart once: a set may have thousands of values, and to read a text takes as long as to look up
 * several terms. For one thread.
 */
final class ClauseForms {
  private final IndexSearcher searcher;
  private final IndexedFields fields;
  private Map<Query, Object> found = Map.of();

  /**
   * Nothing is known yet.
   *
   * @param searcher the searcher that column filters are for; null if none will be asked for
   * @param fields of the searcher; null if nothing is to be kept for the next query
   */
  ClauseForms(IndexSearcher searcher, IndexedFields fields) {
    this.searcher = searcher;
    this.fields = fields;
  }

  private boolean take(Query clause, Supplier<?> form) {
    if (found.containsKey(clause)) {
      return true;
    }
    Object taken = form.get();
    if (taken == null) {
      return false;
    }
    if (found.isEmpty()) {
      found = new IdentityHashMap<>(4);
    }
    found.put(clause, taken);
    return true;
  }

  /** The form of a clause that was taken before; null if that is of another type. */
  private <T> T of(Query clause, Class<T> type) {
    Object form = found.get(clause);
    return type.isInstance(form) ? type.cast(form) : null;
  }

  /** Returns whether a clause stands for a filter. */
  boolean takeFilter(Query clause) {
    return take(clause, () -> ColumnQueries.filter(searcher, clause));
  }

  /** The filter that a clause stands for which was taken before. */
  ColumnFilter filter(Query clause) {
    return of(clause, ColumnFilter.class);
  }

  /** Returns whether the factors of synonyms are known, and the order of sums is no matter. */
  boolean takeSynonyms(SynonymQuery clause) {
    return take(clause, () -> SynonymFactors.steady(clause));
  }

  /** The factors of synonyms that were taken before, in the order of the terms. */
  float[] synonyms(SynonymQuery clause) {
    return of(clause, float[].class);
  }

  /**
   * Returns whether the weights of fields are known, and the order of sums is no matter.
   *
   * @param scored whether there are sums at all
   */
  boolean takeCombined(CombinedFieldQuery clause, boolean scored) {
    boolean known =
        take(
            clause,
            () -> {
              CombinedFields like = fields == null ? null : fields.latestCombined();
              CombinedFields combined = CombinedFields.of(clause, like);
              if (fields != null && combined != null) {
                fields.latestCombined(combined);
              }
              return combined;
            });
    return known && (!scored || combined(clause).isSteady());
  }

  /** The fields of a clause that was taken before. */
  CombinedFields combined(CombinedFieldQuery clause) {
    return of(clause, CombinedFields.class);
  }

  /** Returns whether a clause stands for a term, a phrase or terms near each other. */
  boolean takeNear(Query clause) {
    return SpanForms.isOne(clause)
        && take(
            clause,
            () -> {
              Query exact = SpanForms.exact(clause);
              return exact != null ? exact : SpanForms.near(clause);
            });
  }

  /** The term or phrase that a clause which was taken before stands for; null if there is none. */
  Query exact(Query clause) {
    return of(clause, Query.class);
  }

  /** The terms near each other that a clause which was taken before stands for; null if none. */
  NearTerms near(Query clause) {
    return of(clause, NearTerms.class);
  }

  /** Returns whether a clause stands for a feature. */
  boolean takeFeature(Query clause) {
    return take(clause, () -> FeatureFunction.of(clause));
  }

  /** The function of a feature that was taken before; null if the clause is of another kind. */
  FeatureFunction feature(Query clause) {
    return of(clause, FeatureFunction.class);
  }
}
