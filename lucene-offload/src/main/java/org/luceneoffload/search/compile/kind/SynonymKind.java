/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.IndexedField;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.compile.TermLookup;
import org.luceneoffload.search.score.Bm25Tables;
import org.luceneoffload.search.score.SynonymFactors;
import org.luceneoffload.wire.plan.NormTable;

/** Terms of a field that count as one, if their factors are known and no sum depends on order. */
final class SynonymKind extends QueryKind<SynonymQuery> {
  SynonymKind() {
    super(SynonymQuery.class);
  }

  @Override
  Query firstOther(SynonymQuery query, Readings readings, boolean scored) {
    return !scored
            || readings.read(query, float[].class, () -> SynonymFactors.steady(query)) != null
        ? null
        : query;
  }

  @Override
  QueryNode node(SynonymQuery query, Compilation c, boolean scored, float boost)
      throws RefusedException, IOException {
    List<Term> terms = query.getTerms();
    if (!scored) {
      return TermKind.anyOf(terms, c);
    }
    BM25Similarity similarity = c.similarity(query.getField());
    IndexedField field = c.field(query.getField());
    float[] factors = c.readings.of(query, float[].class);
    List<QueryNode.TermNode> nodes = new ArrayList<>(terms.size());
    long docFreq = 0;
    long totalTermFreq = 0;
    for (int i = 0; i < factors.length; i++) {
      Term term = terms.get(i);
      TermLookup lookup = c.lookUp(field, term);
      nodes.add(new QueryNode.TermNode(term, lookup, null, factors[i]));
      if (lookup.docFreq() > 0) {
        TermStatistics one = c.statistics.ofTerm(term, lookup);
        docFreq = Math.max(docFreq, one.docFreq());
        totalTermFreq += one.totalTermFreq();
      }
    }
    if (docFreq == 0) {
      return new QueryNode.SynonymNode(nodes, null, 0f);
    }
    CollectionStatistics collection = c.statistics.ofField(query.getField(), field, terms.get(0));
    float weight = boost * Bm25Tables.idf(collection, docFreq);
    Compilation.checkWeight(weight, query);
    NormTable table = c.table(similarity, collection, "synonyms", docFreq, totalTermFreq);
    return new QueryNode.SynonymNode(nodes, table, weight);
  }
}
