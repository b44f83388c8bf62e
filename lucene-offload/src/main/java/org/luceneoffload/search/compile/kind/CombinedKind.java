/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.IndexedField;
import org.luceneoffload.search.compile.IndexedFields;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.compile.ScoringStatistics;
import org.luceneoffload.search.compile.TermLookup;
import org.luceneoffload.search.score.Bm25Tables;
import org.luceneoffload.search.score.CombinedFields;
import org.luceneoffload.wire.plan.NormTable;

/** A term and a field that are made of several, as stock has it. */
final class CombinedKind extends QueryKind<CombinedFieldQuery> {
  CombinedKind() {
    super(CombinedFieldQuery.class);
  }

  @Override
  Query firstOther(CombinedFieldQuery query, Readings readings, boolean scored) {
    CombinedFields combined =
        readings.read(query, CombinedFields.class, () -> read(query, readings.fields()));
    return combined != null && (!scored || combined.isSteady()) ? null : query;
  }

  private static CombinedFields read(CombinedFieldQuery query, IndexedFields fields) {
    CombinedFields combined =
        CombinedFields.of(query, fields == null ? null : fields.latestCombined());
    if (fields != null && combined != null) {
      fields.latestCombined(combined);
    }
    return combined;
  }

  @Override
  QueryNode node(CombinedFieldQuery query, Compilation c, boolean scored, float boost)
      throws RefusedException, IOException {
    CombinedFields combined = c.readings.of(query, CombinedFields.class);
    if (!combined.haveNorms(c.searcher.getIndexReader())) {
      throw new RefusedException(
          Refusal.Reason.SIMILARITY, "not all of the combined fields have norms");
    }
    List<Term> terms = combined.terms();
    if (!scored) {
      return TermKind.anyOf(terms, c);
    }
    BM25Similarity similarity = c.similarity(ScoringStatistics.PSEUDO_FIELD);
    List<QueryNode.TermNode> nodes = new ArrayList<>(terms.size());
    long docFreq = 0;
    long totalTermFreq = 0;
    for (int i = 0; i < terms.size(); i++) {
      Term term = terms.get(i);
      IndexedField field = c.field(term.field());
      ScoringStatistics.checkNorms(term.field(), field);
      TermLookup lookup = c.lookUp(field, term);
      nodes.add(new QueryNode.TermNode(term, lookup, null, combined.weights()[i]));
      if (lookup.docFreq() > 0) {
        TermStatistics one = c.statistics.ofTerm(term, lookup);
        docFreq = Math.max(one.docFreq(), docFreq);
        double weighted = (double) combined.weights()[i] * one.totalTermFreq();
        totalTermFreq = (long) (totalTermFreq + weighted);
      }
    }
    if (docFreq == 0) {
      return new QueryNode.NothingNode();
    }
    CollectionStatistics collection = c.statistics.ofFields(combined);
    float weight = boost * Bm25Tables.idf(collection, docFreq);
    Compilation.checkWeight(weight, query);
    long occurrences = Math.max(1, totalTermFreq);
    NormTable table = c.table(similarity, collection, "pseudo_term", docFreq, occurrences);
    return new QueryNode.CombinedNode(nodes, combined, table, weight);
  }
}
