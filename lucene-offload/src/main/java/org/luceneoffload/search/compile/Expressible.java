/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.util.List;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermQuery;
import org.luceneoffload.search.score.CombinedFields;
import org.luceneoffload.search.score.FeatureFunction;
import org.luceneoffload.search.score.SynonymFactors;
import org.luceneoffload.search.spans.SpanForms;

/** Which kinds of queries plans can express. Looks at classes and shapes, reads no index. */
public final class Expressible {
  private Expressible() {}

  /**
   * Returns whether plans can express queries of this kind: what else may be in the way is not
   * looked at.
   */
  public static boolean isExpressible(Query query) {
    return firstOther(query, new ColumnFilters(null)) == null;
  }

  /** The first part of a kind that plans cannot express; null if there is none. */
  static Query firstOther(Query query, ColumnFilters filters) {
    Class<?> type = query.getClass();
    if (type == BooleanQuery.class) {
      List<BooleanClause> clauses = ((BooleanQuery) query).clauses();
      for (int i = 0; i < clauses.size(); i++) {
        Query part = firstOther(clauses.get(i).query(), filters);
        if (part != null) {
          return part;
        }
      }
      return null;
    } else if (type == DisjunctionMaxQuery.class) {
      for (Query disjunct : (DisjunctionMaxQuery) query) {
        Query part = firstOther(disjunct, filters);
        if (part != null) {
          return part;
        }
      }
      return null;
    } else if (type == BoostQuery.class) {
      return firstOther(((BoostQuery) query).getQuery(), filters);
    } else if (type == ConstantScoreQuery.class) {
      return firstOther(((ConstantScoreQuery) query).getQuery(), filters);
    } else if (type == SynonymQuery.class) {
      return SynonymFactors.areSteady((SynonymQuery) query) ? null : query;
    } else if (type == CombinedFieldQuery.class) {
      return CombinedFields.areSteady((CombinedFieldQuery) query) ? null : query;
    } else if (query instanceof DeviceQuery wrapper) {
      return firstOther(wrapper.getQuery(), filters);
    } else if (SpanForms.exact(query) != null || SpanForms.near(query) != null) {
      return null;
    }
    return type == TermQuery.class
            || type == MatchAllDocsQuery.class
            || type == MatchNoDocsQuery.class
            || (type == PhraseQuery.class && PhraseTerms.areExpressible((PhraseQuery) query))
            || (type == MultiPhraseQuery.class
                && PhraseTerms.areExpressible((MultiPhraseQuery) query))
            || TermUnion.isOne(query)
            || FeatureFunction.of(query) != null
            || filters.take(query)
        ? null
        : query;
  }
}
