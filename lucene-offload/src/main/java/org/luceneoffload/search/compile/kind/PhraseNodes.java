/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.luceneoffload.codec.TermFinds;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.IndexedField;
import org.luceneoffload.search.compile.PhraseTerms;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.compile.TermLookup;
import org.luceneoffload.search.score.Bm25Tables;
import org.luceneoffload.search.score.FieldSimilarity;
import org.luceneoffload.search.spans.SpanForms;
import org.luceneoffload.util.Text;
import org.luceneoffload.wire.plan.NormTable;

/** Makes the node of a phrase, or of terms near each other. */
final class PhraseNodes {
  private final Compilation c;
  private final Query query;
  private final boolean scored;
  private final float boost;

  /**
   * Makes the maker for one query.
   *
   * @param query as it was asked, of any kind that finds terms at places
   */
  PhraseNodes(Compilation c, Query query, boolean scored, float boost) {
    this.c = c;
    this.query = query;
    this.scored = scored;
    this.boost = boost;
  }

  /** Compiles a phrase, or spans, which are scored as phrases are. */
  QueryNode phrase(PhraseTerms phrase) throws RefusedException, IOException {
    List<Term> terms = phrase.terms();
    String name = terms.getFirst().field();
    IndexedField field = c.positionedField(name);
    boolean constant = scored && FieldSimilarity.isConstant(c.searcher.getSimilarity(), name);
    BM25Similarity similarity = scored && !constant ? c.similarity(name) : null;
    boolean counts = scored && !constant && phrase.near() == 0 && phrase.slop() == 0;
    if (counts && phrase.slots()[1] == 0) {
      throw equalPositions(name); // before all the terms are looked up
    }
    List<TermLookup> lookups = lookUpAll(field, phrase);
    if (lookups == null) {
      return new QueryNode.NothingNode();
    }
    if (!scored) {
      return new QueryNode.PhraseNode(phrase, lookups, null, 0f);
    }
    int counted = SpanForms.isSpan(query) ? lookups.size() : 1;
    if (counts && lookups.subList(0, counted).stream().anyMatch(TermLookup::hasEqualPositions)) {
      throw equalPositions(name);
    }
    if (constant) {
      Compilation.checkWeight(boost, query);
      return new QueryNode.ConstantNode(new QueryNode.PhraseNode(phrase, lookups, null, 0f), boost);
    }
    CollectionStatistics collection = c.statistics.ofField(name, field, terms.getFirst());
    float[] idfs = new float[terms.size()];
    NormTable table = null;
    for (int i = 0; i < idfs.length; i++) {
      TermLookup lookup = lookups.get(i);
      if (lookup.docFreq() > 0) {
        idfs[i] = Bm25Tables.idf(collection, c.statistics.docFreq(terms.get(i), lookup));
        table = table == null ? c.table(similarity, collection, terms.get(i), lookup) : table;
      }
    }
    float weight = boost * phrase.sum(idfs);
    Compilation.checkWeight(weight, query);
    return new QueryNode.PhraseNode(phrase, lookups, table, weight);
  }

  /** Compiles intervals, whose scores depend on nothing but their widths. */
  QueryNode intervals(PhraseTerms terms) throws RefusedException, IOException {
    IndexedField field = c.positionedField(terms.terms().getFirst().field());
    List<TermLookup> lookups = lookUpAll(field, terms);
    return lookups == null
        ? new QueryNode.NothingNode()
        : new QueryNode.PhraseNode(terms, lookups, null, scored ? boost : 0f);
  }

  /**
   * Returns the refusal of a phrase that has two terms at one position. Stock takes the fewest
   * positions of a place for a bound of occurrences, which they are not there: what it finds
   * depends on which docs it looked at before. Of spans the first term's positions count, of
   * phrases those of the rarest.
   */
  private RefusedException equalPositions(String field) {
    return new RefusedException(
        Refusal.Reason.EQUAL_POSITIONS, "field \"" + field + "\"", () -> Text.of(query));
  }

  /** Looks the terms of a phrase up; null if the index has no term for one of the places. */
  private List<TermLookup> lookUpAll(IndexedField field, PhraseTerms phrase) throws IOException {
    if (!field.isHashed()) {
      return lookUpAll(phrase, i -> TermLookup.now(c.searcher, phrase.terms().get(i), true));
    }
    try (TermFinds finds = new TermFinds(field.terms(), phrase.terms(), c.ahead)) {
      return lookUpAll(phrase, i -> TermLookup.now(field, finds, i, true));
    }
  }

  @FunctionalInterface
  private interface LookUp {
    TermLookup of(int term) throws IOException;
  }

  private static List<TermLookup> lookUpAll(PhraseTerms phrase, LookUp lookUp) throws IOException {
    int[] known = phrase.known();
    int[] slots = phrase.slots();
    List<TermLookup> lookups = new ArrayList<>(known.length);
    boolean found = false;
    for (int i = 0; i < known.length; i++) {
      TermLookup lookup = known[i] < i ? lookups.get(known[i]) : lookUp.of(i);
      lookups.add(lookup);
      found = (found && slots[i] == slots[i - 1]) || lookup.docFreq() > 0;
      if (!found && (i + 1 == known.length || slots[i + 1] > slots[i])) {
        return null;
      }
    }
    return lookups;
  }
}
