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
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.codec.TermFinds;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.score.Bm25Tables;
import org.luceneoffload.search.score.CombinedFields;
import org.luceneoffload.search.score.FeatureFunction;
import org.luceneoffload.search.score.FieldSimilarity;
import org.luceneoffload.search.score.TermScores;
import org.luceneoffload.search.spans.NearTerms;
import org.luceneoffload.search.spans.SpanForms;
import org.luceneoffload.util.Text;
import org.luceneoffload.wire.NormTable;

/** Compiles one rewritten query. */
public final class QueryCompiler {
  private final IndexSearcher searcher;
  private final IndexedFields fields;
  private final Bm25Tables bm25;
  private final boolean anyScores;
  private final ClauseForms forms;
  private final TermsAhead ahead;
  private final ScoringStatistics statistics;

  private QueryCompiler(
      IndexSearcher searcher,
      IndexedFields fields,
      Bm25Tables bm25,
      boolean anyScores,
      ClauseForms forms,
      Query query,
      Runnable meanwhile) {
    this.searcher = searcher;
    this.fields = fields;
    this.bm25 = bm25;
    this.anyScores = anyScores;
    this.forms = forms;
    this.ahead = new TermsAhead(searcher, fields, query, meanwhile);
    this.statistics = new ScoringStatistics(searcher, fields);
  }

  /**
   * Compiles a query that is already rewritten.
   *
   * @param scored whether scores are needed
   * @param boost factor of all scores
   * @param meanwhile run while storage is waited for, if terms are read that were not read before
   * @throws RefusedException if a plan cannot express the query
   * @throws IOException if the terms dictionary cannot be read
   */
  public static CompiledQuery compile(
      IndexSearcher searcher,
      IndexedFields fields,
      Bm25Tables bm25,
      Query query,
      boolean scored,
      float boost,
      Runnable meanwhile)
      throws RefusedException, IOException {
    CompiledQuery compiled =
        compileIfExpressible(searcher, fields, bm25, query, scored, boost, meanwhile);
    if (compiled == null) {
      throw unsupported(searcher, fields, query);
    }
    return compiled;
  }

  /**
   * As {@link #compile}; null if a part is of a kind that plans cannot express. That is told
   * without an exception, which would take longer than many a query.
   */
  public static CompiledQuery compileIfExpressible(
      IndexSearcher searcher,
      IndexedFields fields,
      Bm25Tables bm25,
      Query query,
      boolean scored,
      float boost,
      Runnable meanwhile)
      throws RefusedException, IOException {
    // The look at the whole tree comes first: reading terms is work that a refusal would waste.
    IndexedFields.Other other = fields.latestOther();
    if (other != null && other.query() == query && other.scored() == scored) {
      return null;
    }
    ClauseForms forms = new ClauseForms(searcher, fields);
    Query part = Expressible.firstOther(query, forms, scored);
    if (part != null) {
      fields.latestOther(new IndexedFields.Other(query, scored, part));
      return null;
    }
    QueryNode root =
        new QueryCompiler(searcher, fields, bm25, scored, forms, query, meanwhile)
            .node(query, scored, boost);
    return new CompiledQuery(query, root, scored);
  }

  /** The refusal of a query that {@link #compileIfExpressible} gave null for. */
  public static RefusedException unsupported(
      IndexSearcher searcher, IndexedFields fields, Query query) {
    IndexedFields.Other other = fields.latestOther();
    Query part =
        other != null && other.query() == query ? other.part() : firstOther(searcher, query);
    return new RefusedException(
        Refusal.Reason.UNSUPPORTED_QUERY, nameOf(part.getClass()), () -> Text.of(part));
  }

  private static Query firstOther(IndexSearcher searcher, Query query) {
    ClauseForms forms = new ClauseForms(searcher, null);
    Query unmatched = Expressible.firstOther(query, forms, false);
    return unmatched != null ? unmatched : Expressible.firstOther(query, forms, true);
  }

  /** The simple name of a class, or of the named one that an anonymous class extends. */
  public static String nameOf(Class<?> type) {
    return type.isAnonymousClass() ? nameOf(type.getSuperclass()) : type.getSimpleName();
  }

  private QueryNode node(Query query, boolean scored, float boost)
      throws RefusedException, IOException {
    return switch (query) {
      case BooleanQuery bool -> bool(bool, scored, boost);
      case DisjunctionMaxQuery disMax -> disMax(disMax, scored, boost);
      case SynonymQuery synonym -> synonym(synonym, scored, boost);
      case CombinedFieldQuery combined -> combined(combined, scored, boost);
      case BoostQuery b -> node(b.getQuery(), scored, b.getBoost() * boost);
      case DeviceQuery wrapper -> node(wrapper.getQuery(), scored, boost);
      case ConstantScoreQuery constant -> {
        QueryNode child = node(constant.getQuery(), false, 1f);
        checkWeight(boost, constant);
        yield scored ? new QueryNode.ConstantNode(child, boost) : child;
      }
      case TermQuery term -> term(term, scored, boost);
      case PhraseQuery phrase -> phrase(phrase, PhraseTerms.of(phrase), scored, boost);
      case MultiPhraseQuery phrase -> phrase(phrase, PhraseTerms.of(phrase), scored, boost);
      case MatchAllDocsQuery all -> {
        checkWeight(boost, all);
        yield new QueryNode.AllNode(scored ? boost : 0f);
      }
      case MatchNoDocsQuery none -> new QueryNode.NothingNode();
      default -> {
        checkWeight(boost, query);
        Query same = forms.exact(query);
        if (same != null) {
          yield span(query, same, scored, boost);
        }
        NearTerms near = forms.near(query);
        if (near != null) {
          PhraseTerms terms = PhraseTerms.of(near);
          yield SpanForms.isInterval(query)
              ? intervals(terms, scored, boost)
              : phrase(query, terms, scored, boost);
        }
        FeatureFunction feature = forms.feature(query);
        if (feature != null) {
          yield feature(query, feature, scored, boost);
        }
        TermUnion union = TermUnion.of(query);
        if (union == null) {
          yield new QueryNode.ColumnNode(forms.filter(query), scored, scored ? boost : 0f);
        }
        QueryNode terms = new QueryNode.UnionNode(union);
        yield scored ? new QueryNode.ConstantNode(terms, boost) : terms;
      }
    };
  }

  /** Spans that are as good as a term or a phrase, which need the positions that stock reads. */
  private QueryNode span(Query query, Query same, boolean scored, float boost)
      throws RefusedException, IOException {
    if (same instanceof PhraseQuery phrase) {
      return phrase(query, PhraseTerms.of(phrase), scored, boost);
    }
    TermQuery term = (TermQuery) same;
    checkPositioned(term.getTerm().field());
    return term(term, scored, boost);
  }

  private IndexedField checkPositioned(String name) throws RefusedException, IOException {
    IndexedField field = fields.get(searcher, name);
    if (field == null || !field.isPositioned()) {
      throw new RefusedException(Refusal.Reason.NO_POSITIONS, "field \"" + name + "\"");
    }
    return field;
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

  private QueryNode disMax(DisjunctionMaxQuery query, boolean scored, float boost)
      throws RefusedException, IOException {
    List<QueryNode> children = new ArrayList<>();
    for (Query disjunct : query) {
      children.add(node(disjunct, scored, boost));
    }
    if (scored) {
      return new QueryNode.DisMaxNode(children, query.getTieBreakerMultiplier());
    }
    return anyOf(children);
  }

  /** A disjunction without scores. */
  private static QueryNode anyOf(List<QueryNode> children) {
    List<QueryNode.Clause> clauses = new ArrayList<>(children.size());
    for (QueryNode child : children) {
      clauses.add(new QueryNode.Clause(Occur.SHOULD, child));
    }
    return new QueryNode.BoolNode(clauses, 0, false);
  }

  private QueryNode synonym(SynonymQuery query, boolean scored, float boost)
      throws RefusedException, IOException {
    List<Term> terms = query.getTerms();
    if (!scored) {
      return anyTerm(terms);
    }
    BM25Similarity similarity = similarity(query.getField());
    IndexedField field = fields.get(searcher, query.getField());
    float[] factors = forms.synonyms(query);
    List<QueryNode.TermNode> nodes = new ArrayList<>(terms.size());
    long docFreq = 0;
    long totalTermFreq = 0;
    for (int i = 0; i < factors.length; i++) {
      Term term = terms.get(i);
      TermLookup lookup = lookUpNow(field, term, false);
      nodes.add(new QueryNode.TermNode(term, lookup, null, factors[i]));
      if (lookup.docFreq() > 0) {
        TermStatistics one = statistics.ofTerm(term, lookup);
        docFreq = Math.max(docFreq, one.docFreq());
        totalTermFreq += one.totalTermFreq();
      }
    }
    if (docFreq == 0) {
      return new QueryNode.SynonymNode(nodes, null, 0f);
    }
    CollectionStatistics collection = statistics.ofField(query.getField(), field, terms.get(0));
    float weight = boost * Bm25Tables.idf(collection, docFreq);
    checkWeight(weight, query);
    NormTable table = bm25.known(similarity, collection);
    if (table == null) {
      BytesRef any = new BytesRef("synonyms");
      table = bm25.table(similarity, collection, new TermStatistics(any, docFreq, totalTermFreq));
    }
    return new QueryNode.SynonymNode(nodes, table, weight);
  }

  private QueryNode anyTerm(List<Term> terms) throws RefusedException, IOException {
    List<QueryNode> children = new ArrayList<>(terms.size());
    for (Term term : terms) {
      children.add(term(new TermQuery(term), false, 1f));
    }
    return anyOf(children);
  }

  /** As stock has it, a term and a field that are made of several. */
  private QueryNode combined(CombinedFieldQuery query, boolean scored, float boost)
      throws RefusedException, IOException {
    CombinedFields combined = forms.combined(query);
    if (!combined.haveNorms(searcher.getIndexReader())) {
      throw new RefusedException(
          Refusal.Reason.SIMILARITY, "not all of the combined fields have norms");
    }
    List<Term> terms = combined.terms();
    if (!scored) {
      return anyTerm(terms);
    }
    BM25Similarity similarity = similarity(ScoringStatistics.PSEUDO_FIELD);
    List<QueryNode.TermNode> nodes = new ArrayList<>(terms.size());
    long docFreq = 0;
    long totalTermFreq = 0;
    for (int i = 0; i < terms.size(); i++) {
      Term term = terms.get(i);
      IndexedField field = fields.get(searcher, term.field());
      ScoringStatistics.checkNorms(term.field(), field);
      TermLookup lookup = lookUpNow(field, term, false);
      nodes.add(new QueryNode.TermNode(term, lookup, null, combined.weights()[i]));
      if (lookup.docFreq() > 0) {
        TermStatistics one = statistics.ofTerm(term, lookup);
        docFreq = Math.max(one.docFreq(), docFreq);
        double weighted = (double) combined.weights()[i] * one.totalTermFreq();
        totalTermFreq = (long) (totalTermFreq + weighted);
      }
    }
    if (docFreq == 0) {
      return new QueryNode.NothingNode();
    }
    CollectionStatistics collection = statistics.ofFields(combined);
    float weight = boost * Bm25Tables.idf(collection, docFreq);
    checkWeight(weight, query);
    NormTable table = bm25.known(similarity, collection);
    if (table == null) {
      BytesRef any = new BytesRef("pseudo_term");
      TermStatistics one = new TermStatistics(any, docFreq, Math.max(1, totalTermFreq));
      table = bm25.table(similarity, collection, one);
    }
    return new QueryNode.CombinedNode(nodes, combined, table, weight);
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
    Similarity similarity = FieldSimilarity.of(searcher.getSimilarity(), term.field());
    if (lookup.docFreq() == 0) {
      return new QueryNode.NothingNode();
    }
    CollectionStatistics collection = statistics.ofField(term.field(), field, term);
    if (!FieldSimilarity.isBm25(similarity)) {
      return otherTerm(query, lookup, similarity, boost, collection);
    }
    float weight = boost * Bm25Tables.idf(collection, statistics.docFreq(term, lookup));
    checkWeight(weight, query);
    NormTable table = table((BM25Similarity) similarity, collection, term, lookup);
    return new QueryNode.TermNode(term, lookup, table, weight);
  }

  /** A term that is scored by another similarity than BM25. */
  private QueryNode otherTerm(
      TermQuery query,
      TermLookup lookup,
      Similarity similarity,
      float boost,
      CollectionStatistics collection)
      throws RefusedException, IOException {
    Term term = query.getTerm();
    QueryNode.TermNode unscored = new QueryNode.TermNode(term, lookup, null, 0f);
    if (FieldSimilarity.isConstant(similarity, term.field())) {
      checkWeight(boost, query);
      return new QueryNode.ConstantNode(unscored, boost);
    }
    TermStatistics one = statistics.ofTerm(term, lookup);
    TermScores scores = bm25.others().of(similarity, boost, collection, one);
    return new QueryNode.ScoredTermNode(unscored, scores);
  }

  /** A feature: without scores stock looks for its term, as any. */
  private QueryNode feature(Query query, FeatureFunction function, boolean scored, float boost)
      throws RefusedException, IOException {
    Term term = function.term();
    if (!scored) {
      return term(new TermQuery(term), false, 1f);
    }
    TermLookup lookup = lookUpNow(fields.get(searcher, term.field()), term, false);
    QueryNode.TermNode unscored = new QueryNode.TermNode(term, lookup, null, 0f);
    return new QueryNode.FeatureNode(unscored, bm25.features().of(query, function, boost));
  }

  private NormTable table(
      BM25Similarity similarity, CollectionStatistics collection, Term term, TermLookup lookup)
      throws RefusedException, IOException {
    NormTable table = bm25.known(similarity, collection);
    return table != null
        ? table
        : bm25.table(similarity, collection, statistics.ofTermOrNull(term, lookup));
  }

  /**
   * Stock takes the fewest positions of a place for a bound of occurrences, which they are not
   * where two terms stand at one position: what it finds depends on which docs it looked at before.
   * Of spans the first term's positions count, of phrases those of the rarest.
   */
  private static RefusedException equalPositions(String field, Query query) {
    return new RefusedException(
        Refusal.Reason.EQUAL_POSITIONS, "field \"" + field + "\"", () -> Text.of(query));
  }

  private QueryNode phrase(Query query, PhraseTerms phrase, boolean scored, float boost)
      throws RefusedException, IOException {
    List<Term> terms = phrase.terms();
    String name = terms.getFirst().field();
    IndexedField field = checkPositioned(name);
    boolean constant = scored && FieldSimilarity.isConstant(searcher.getSimilarity(), name);
    BM25Similarity similarity = scored && !constant ? similarity(name) : null;
    boolean counts = scored && !constant && phrase.near() == 0 && phrase.slop() == 0;
    if (counts && phrase.slots()[1] == 0) {
      throw equalPositions(name, query); // before all the terms are looked up
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
      throw equalPositions(name, query);
    }
    if (constant) {
      checkWeight(boost, query);
      return new QueryNode.ConstantNode(new QueryNode.PhraseNode(phrase, lookups, null, 0f), boost);
    }
    CollectionStatistics collection = statistics.ofField(name, field, terms.getFirst());
    float[] idfs = new float[terms.size()];
    NormTable table = null;
    for (int i = 0; i < idfs.length; i++) {
      TermLookup lookup = lookups.get(i);
      if (lookup.docFreq() > 0) {
        idfs[i] = Bm25Tables.idf(collection, statistics.docFreq(terms.get(i), lookup));
        table = table == null ? table(similarity, collection, terms.get(i), lookup) : table;
      }
    }
    float weight = boost * phrase.sum(idfs);
    checkWeight(weight, query);
    return new QueryNode.PhraseNode(phrase, lookups, table, weight);
  }

  /** Intervals, whose scores depend on nothing but their widths. */
  private QueryNode intervals(PhraseTerms terms, boolean scored, float boost)
      throws RefusedException, IOException {
    IndexedField field = checkPositioned(terms.terms().getFirst().field());
    List<TermLookup> lookups = lookUpAll(field, terms);
    return lookups == null
        ? new QueryNode.NothingNode()
        : new QueryNode.PhraseNode(terms, lookups, null, scored ? boost : 0f);
  }

  /** Looks the terms of a phrase up; null if the index has no term for one of the places. */
  private List<TermLookup> lookUpAll(IndexedField field, PhraseTerms phrase) throws IOException {
    if (field == null || !field.isHashed()) {
      return lookUpAll(phrase, i -> TermLookup.now(searcher, phrase.terms().get(i), true));
    }
    try (TermFinds finds = new TermFinds(field.terms(), phrase.terms(), ahead)) {
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

  private BM25Similarity similarity(String field) throws RefusedException {
    return FieldSimilarity.bm25(searcher.getSimilarity(), field);
  }

  /**
   * A term that excludes docs: a segment without it has none to exclude, however stock sees that.
   */
  private QueryNode prohibited(TermQuery query) throws RefusedException, IOException {
    Term term = query.getTerm();
    IndexedField field = fields.get(searcher, term.field());
    return anyScores && field != null && field.isHashed() && ownStates(query) == null
        ? new QueryNode.TermNode(term, TermLookup.lateIfPresent(field, term, ahead), null, 0f)
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
          ? TermLookup.late(searcher, field, query.getTerm(), ahead)
          : TermLookup.late(searcher, query.getTerm());
    }
    return lookUpNow(field, query.getTerm(), false);
  }

  private TermLookup lookUpNow(IndexedField field, Term term, boolean positions)
      throws IOException {
    return field != null && field.isHashed()
        ? TermLookup.now(field, term, positions, ahead)
        : TermLookup.now(searcher, term, positions);
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
}
