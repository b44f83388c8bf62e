/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.IndexedField;
import org.luceneoffload.search.compile.IndexedFields;
import org.luceneoffload.search.compile.ScoringStatistics;
import org.luceneoffload.search.compile.TermLookup;
import org.luceneoffload.search.compile.TermsAhead;
import org.luceneoffload.search.score.Bm25Tables;
import org.luceneoffload.search.score.FieldSimilarity;
import org.luceneoffload.util.Text;
import org.luceneoffload.wire.plan.NormTable;

/** The compilation of one query: what its parts share. For one thread. */
final class Compilation {
  final IndexSearcher searcher;
  final Bm25Tables bm25;
  final boolean anyScores; // whether any part of the query is scored
  final Readings readings;
  final TermsAhead ahead;
  final ScoringStatistics statistics;
  private final IndexedFields fields;

  Compilation(
      Bm25Tables bm25, boolean anyScores, Readings readings, Query query, Runnable meanwhile) {
    this.searcher = readings.searcher();
    this.fields = readings.fields();
    this.bm25 = bm25;
    this.anyScores = anyScores;
    this.readings = readings;
    this.ahead = new TermsAhead(searcher, fields, query, meanwhile);
    this.statistics = new ScoringStatistics(searcher, fields);
  }

  /** Returns a field of the index; null if the reader is closed. */
  IndexedField field(String name) throws IOException {
    return fields.get(searcher, name);
  }

  /** Returns a field that has positions; refuses any other. */
  IndexedField positionedField(String name) throws RefusedException, IOException {
    IndexedField field = field(name);
    if (field == null || !field.isPositioned()) {
      throw new RefusedException(Refusal.Reason.NO_POSITIONS, "field \"" + name + "\"");
    }
    return field;
  }

  /** Looks a term up in all segments. */
  TermLookup lookUp(IndexedField field, Term term) throws IOException {
    return field != null && field.isHashed()
        ? TermLookup.now(field, term, false, ahead)
        : TermLookup.now(searcher, term, false);
  }

  /** Returns the similarity of a field; refuses any but BM25. */
  BM25Similarity similarity(String field) throws RefusedException {
    return FieldSimilarity.bm25(searcher.getSimilarity(), field);
  }

  /** Returns the norm table of a term's field. */
  NormTable table(
      BM25Similarity similarity, CollectionStatistics collection, Term term, TermLookup lookup)
      throws RefusedException, IOException {
    NormTable table = bm25.known(similarity, collection);
    return table != null
        ? table
        : bm25.table(similarity, collection, statistics.ofTermOrNull(term, lookup));
  }

  /** Returns the norm table of several terms that count as one of this name. */
  NormTable table(
      BM25Similarity similarity,
      CollectionStatistics collection,
      String name,
      long docFreq,
      long totalTermFreq)
      throws RefusedException {
    NormTable table = bm25.known(similarity, collection);
    if (table != null) {
      return table;
    }
    TermStatistics one = new TermStatistics(new BytesRef(name), docFreq, totalTermFreq);
    return bm25.table(similarity, collection, one);
  }

  /** Refuses weights that are negative or overflow: bounds of scores rest on them. */
  static void checkWeight(float weight, Query query) throws RefusedException {
    if (!(weight >= 0f && Float.isFinite(weight))) {
      throw new RefusedException(
          Refusal.Reason.STATISTICS,
          "a weight is " + weight + ": that of " + QueryCompiler.nameOf(query.getClass()),
          () -> Text.of(query));
    }
  }
}
