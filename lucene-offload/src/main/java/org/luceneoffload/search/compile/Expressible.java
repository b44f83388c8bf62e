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

/** Which kinds of queries plans can express. Looks at classes and shapes, reads no index. */
public final class Expressible {
  private Expressible() {}

  /**
   * Returns whether plans can express queries of this kind: what else may be in the way is not
   * looked at.
   */
  public static boolean isExpressible(Query query) {
    return firstOther(query, new ClauseForms(null, null), true) == null;
  }

  /**
   * The first part of a kind that plans cannot express; null if there is none.
   *
   * @param scored whether scores are needed: some queries cannot be scored alike, but matched
   */
  static Query firstOther(Query query, ClauseForms forms, boolean scored) {
    Class<?> type = query.getClass();
    if (type == BooleanQuery.class) {
      List<BooleanClause> clauses = ((BooleanQuery) query).clauses();
      for (int i = 0; i < clauses.size(); i++) {
        BooleanClause clause = clauses.get(i);
        Query part = firstOther(clause.query(), forms, scored && clause.isScoring());
        if (part != null) {
          return part;
        }
      }
      return null;
    } else if (type == DisjunctionMaxQuery.class) {
      for (Query disjunct : (DisjunctionMaxQuery) query) {
        Query part = firstOther(disjunct, forms, scored);
        if (part != null) {
          return part;
        }
      }
      return null;
    } else if (type == BoostQuery.class) {
      return firstOther(((BoostQuery) query).getQuery(), forms, scored);
    } else if (type == ConstantScoreQuery.class) {
      return firstOther(((ConstantScoreQuery) query).getQuery(), forms, false);
    } else if (type == SynonymQuery.class) {
      return !scored || forms.takeSynonyms((SynonymQuery) query) ? null : query;
    } else if (type == CombinedFieldQuery.class) {
      return forms.takeCombined((CombinedFieldQuery) query, scored) ? null : query;
    } else if (query instanceof DeviceQuery wrapper) {
      return firstOther(wrapper.getQuery(), forms, scored);
    } else if (forms.takeNear(query)) {
      return null;
    }
    return type == TermQuery.class
            || type == MatchAllDocsQuery.class
            || type == MatchNoDocsQuery.class
            || (type == PhraseQuery.class && PhraseTerms.areExpressible((PhraseQuery) query))
            || (type == MultiPhraseQuery.class
                && PhraseTerms.areExpressible((MultiPhraseQuery) query))
            || TermUnion.isOne(query)
            || forms.takeFeature(query)
            || forms.takeFilter(query)
        ? null
        : query;
  }
}
