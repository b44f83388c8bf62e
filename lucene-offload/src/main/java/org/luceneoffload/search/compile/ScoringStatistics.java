/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.IOException;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermStatistics;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.score.CombinedFields;
import org.luceneoffload.util.Text;

/**
 * The statistics of terms and fields that the scores of one query depend on. They come from the
 * searcher's own methods, called as the stock weights call them, since applications override them.
 */
public final class ScoringStatistics {
  /** Under this name stock asks for the similarity of several fields as one. */
  public static final String PSEUDO_FIELD = "pseudo_field";

  private final IndexSearcher searcher;
  private final IndexedFields fields;
  private CollectionStatistics latest; // several terms of a query are mostly of one field

  /** Makes the statistics of one query. */
  public ScoringStatistics(IndexSearcher searcher, IndexedFields fields) {
    this.searcher = searcher;
    this.fields = fields;
  }

  /** Returns the statistics of a term; null if the searcher has none. */
  public TermStatistics ofTermOrNull(Term term, TermLookup lookup) throws IOException {
    return searcher.termStatistics(term, lookup.docFreq(), lookup.totalTermFreq());
  }

  /** Returns the statistics of a term that is in some document. */
  public TermStatistics ofTerm(Term term, TermLookup lookup) throws RefusedException, IOException {
    TermStatistics statistics = ofTermOrNull(term, lookup);
    check(statistics != null, term);
    return statistics;
  }

  /** Returns how many documents with a term the searcher counts. */
  public long docFreq(Term term, TermLookup lookup) throws RefusedException, IOException {
    long docFreq = lookup.docFreq();
    if (!fields.stockTermStatistics()) {
      TermStatistics statistics = ofTermOrNull(term, lookup);
      docFreq = statistics == null ? 0 : statistics.docFreq();
    }
    check(docFreq > 0, term);
    return docFreq;
  }

  /** Returns the statistics of a field whose norms are the segments' own. */
  public CollectionStatistics ofField(String name, IndexedField field, Term term)
      throws RefusedException, IOException {
    checkNorms(name, field);
    CollectionStatistics collection = ofFieldOrNull(name, field);
    check(collection != null, term);
    return collection;
  }

  /**
   * Returns the sums of the weighted lengths of all fields, and the greatest of their other
   * numbers.
   */
  public CollectionStatistics ofFields(CombinedFields combined) throws IOException {
    long maxDoc = 0;
    long docCount = 0;
    long sumTotalTermFreq = 0;
    long sumDocFreq = 0;
    for (int i = 0; i < combined.weights().length; i++) {
      String name = combined.terms().get(i).field();
      CollectionStatistics one = ofFieldOrNull(name, fields.get(searcher, name));
      if (one != null) {
        maxDoc = Math.max(one.maxDoc(), maxDoc);
        docCount = Math.max(one.docCount(), docCount);
        sumDocFreq = Math.max(one.sumDocFreq(), sumDocFreq);
        double weighted = (double) combined.weights()[i] * one.sumTotalTermFreq();
        sumTotalTermFreq = (long) (sumTotalTermFreq + weighted);
      }
    }
    return new CollectionStatistics(PSEUDO_FIELD, maxDoc, docCount, sumTotalTermFreq, sumDocFreq);
  }

  private CollectionStatistics ofFieldOrNull(String name, IndexedField field) throws IOException {
    if (field != null && field.statistics() != null) {
      return field.statistics();
    }
    CollectionStatistics statistics = latest;
    if (statistics == null || !statistics.field().equals(name)) {
      statistics = searcher.collectionStatistics(name);
      latest = statistics;
    }
    return statistics;
  }

  /** Refuses a field whose norms may not be those that the device has. */
  public static void checkNorms(String name, IndexedField field) throws RefusedException {
    if (field != null && field.hasOtherNorms()) {
      throw new RefusedException(
          Refusal.Reason.NO_IMAGE,
          "a reader in front of the segments may show other norms of field \"" + name + "\"");
    }
  }

  private static void check(boolean known, Term term) throws RefusedException {
    if (!known) {
      throw new RefusedException(
          Refusal.Reason.STATISTICS, "no statistics of a term", () -> Text.of(term));
    }
  }
}
