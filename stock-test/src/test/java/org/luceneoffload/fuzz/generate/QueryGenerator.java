/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.function.FunctionScoreQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.NamedMatches;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.fuzz.base.Seeds;

/** Random query trees, mostly of the kinds that plans express. */
public final class QueryGenerator {
  private final Schema schema;
  private final Random random;

  public QueryGenerator(Schema schema, Random random) {
    this.schema = schema;
    this.random = random;
  }

  /** Any query. */
  public Query any() {
    if (schema.dense() && !Seeds.oneIn(random, 6)) {
      return new DenseQueries(schema, random).any();
    }
    if (Seeds.oneIn(random, 40)) {
      return random.nextBoolean() ? wide() : deep();
    }
    if (Seeds.oneIn(random, 5)) {
      return union();
    }
    int depth = random.nextInt(4);
    int foreignPercent = random.nextInt(3) == 0 ? 20 : 0;
    if (schema.blocks() && Seeds.oneIn(random, 3)) {
      return new JoinQueries(this, random).ofBlocks(depth);
    }
    if (Seeds.oneIn(random, 20)) {
      return new JoinQueries(this, random).ofTerms(depth);
    }
    return query(depth, foreignPercent);
  }

  /** Returns a query as a search box sends it: some words, any of which may match. */
  private Query union() {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    int clauses = 2 + random.nextInt(3);
    for (int i = 0; i < clauses; i++) {
      builder.add(new TermQuery(schema.term(random)), Occur.SHOULD);
    }
    return builder.build();
  }

  /** More clauses than users write; rarely more than are allowed. */
  private Query wide() {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    int clauses = 20 + random.nextInt(Seeds.oneIn(random, 4) ? 1000 : 150);
    Occur occur = Occur.values()[random.nextInt(3)];
    for (int i = 0; i < clauses; i++) {
      builder.add(query(random.nextInt(2), 0), occur);
    }
    return builder.build();
  }

  /** A query in a query, and so on. */
  private Query deep() {
    Query query = leaf();
    int levels = 3 + random.nextInt(30);
    for (int i = 0; i < levels; i++) {
      BooleanQuery.Builder builder = new BooleanQuery.Builder();
      builder.add(leaf(), occur()).add(query, occur()).add(leaf(), Occur.SHOULD);
      query = random.nextInt(5) == 0 ? new BoostQuery(builder.build(), 0.5f) : builder.build();
    }
    return query;
  }

  /** A query that deletes not too much. */
  public Query deleting() {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    builder.add(point(), Occur.FILTER);
    builder.add(query(1, 0), Occur.FILTER);
    return builder.build();
  }

  /**
   * A query tree.
   *
   * @param depth levels below the root
   * @param foreignPercent of the leaves are such as plans do not express
   */
  public Query query(int depth, int foreignPercent) {
    if (depth == 0) {
      return random.nextInt(100) < foreignPercent ? foreign() : leaf();
    }
    return switch (random.nextInt(16)) {
      case 0 -> new BoostQuery(query(depth - 1, foreignPercent), boost());
      case 1 -> new ConstantScoreQuery(query(depth - 1, foreignPercent));
      case 2 -> new BoostQuery(new ConstantScoreQuery(query(depth - 1, foreignPercent)), boost());
      case 3 ->
          random.nextInt(100) < foreignPercent
              ? around(depth, foreignPercent)
              : bool(depth, foreignPercent);
      case 4 -> gated();
      case 5 -> foreignPercent > 0 ? unsteady(depth) : bool(depth, foreignPercent);
      case 6 -> disjunctionMax(depth, foreignPercent);
      case 7 -> foreignPercent > 0 ? mixed() : bool(depth, foreignPercent);
      default -> bool(depth, foreignPercent);
    };
  }

  private float boost() {
    return switch (random.nextInt(7)) {
      case 0 -> 0f;
      case 1 -> 1f;
      case 2 -> 0.01f * random.nextFloat();
      default -> random.nextFloat() * 10;
    };
  }

  private Query bool(int depth, int foreignPercent) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    int clauses = 1 + random.nextInt(Seeds.oneIn(random, 8) ? 20 : 5);
    int optional = 0;
    // Some queries are of one kind, as users' are; some mix.
    Occur only =
        switch (random.nextInt(5)) {
          case 0 -> Occur.MUST;
          case 1 -> Occur.SHOULD;
          default -> null;
        };
    for (int i = 0; i < clauses; i++) {
      Occur occur = only != null ? only : occur();
      optional += occur == Occur.SHOULD ? 1 : 0;
      builder.add(query(random.nextInt(depth), foreignPercent), occur);
    }
    if (optional > 0 && Seeds.oneIn(random, 3)) {
      builder.setMinimumNumberShouldMatch(random.nextInt(optional + 2));
    }
    return builder.build();
  }

  /**
   * A sum whose order depends on which clauses a segment has: about as many optional ones have to
   * match as there are, and some have no score and are of words that not every segment has.
   */
  private Query gated() {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    int optional = 1 + random.nextInt(3);
    for (int i = 0; i < optional; i++) {
      Query rare = new TermQuery(schema.rareTerm(random));
      Query unscored =
          random.nextBoolean()
              ? new ConstantScoreQuery(rare)
              : new BooleanQuery.Builder().add(rare, Occur.FILTER).build();
      builder.add(unscored, Occur.SHOULD);
    }
    int scored = 2 + random.nextInt(4);
    for (int i = 0; i < scored; i++) {
      Occur occur = random.nextBoolean() ? Occur.MUST : Occur.SHOULD;
      optional += occur == Occur.SHOULD ? 1 : 0;
      builder.add(leaf(), occur);
    }
    return builder.setMinimumNumberShouldMatch(1 + random.nextInt(optional)).build();
  }

  /** A clause whose scores depend on which docs are looked at, beside others that decide that. */
  private Query unsteady(int depth) {
    return new BooleanQuery.Builder()
        .add(bool(depth, 0), Occur.SHOULD)
        .add(bool(depth, 0), occur())
        .add(new BoostQuery(synonym(schema.text(random), 5), boost()), Occur.SHOULD)
        .add(leaf(), Occur.SHOULD)
        .build();
  }

  /** Clauses that plans express beside some that they do not, all in one query. */
  private Query mixed() {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 2 + random.nextInt(3); i > 0; i--) {
      builder.add(leaf(), random.nextBoolean() ? Occur.MUST : occur());
    }
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      builder.add(foreign(), Seeds.oneIn(random, 3) ? occur() : Occur.FILTER);
    }
    return builder.build();
  }

  private Occur occur() {
    int dice = random.nextInt(10);
    if (dice < 5) {
      return Occur.SHOULD;
    }
    return dice < 8 ? Occur.MUST : dice < 9 ? Occur.FILTER : Occur.MUST_NOT;
  }

  /** A query around others that plans do not express. */
  private Query around(int depth, int foreignPercent) {
    int kind = random.nextInt(5);
    if (kind > 2) {
      return disjunctionMax(depth, foreignPercent);
    }
    Query inner = query(depth - 1, foreignPercent);
    return switch (kind) {
      case 0 ->
          FunctionScoreQuery.boostByValue(inner, DoubleValuesSource.fromLongField(Schema.NUMBER));
      case 1 -> FunctionScoreQuery.boostByQuery(inner, leaf(), 0.5f);
      default -> NamedMatches.wrapQuery("named", inner);
    };
  }

  private Query disjunctionMax(int depth, int foreignPercent) {
    List<Query> parts = new ArrayList<>();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      parts.add(query(depth - 1, foreignPercent));
    }
    return new DisjunctionMaxQuery(parts, random.nextBoolean() ? 0f : random.nextFloat());
  }

  private Query leaf() {
    if (Seeds.oneIn(random, 6)) {
      return new ColumnFields(random).query();
    }
    int dice = random.nextInt(40);
    if (dice == 0) {
      return MatchAllDocsQuery.INSTANCE;
    }
    if (dice == 1) {
      return MatchNoDocsQuery.INSTANCE;
    }
    if (dice < 4) {
      return new FeatureFields(random).query();
    }
    return dice < 8 ? synonym(schema.text(random), 2) : new TermQuery(schema.term(random));
  }

  private Query point() {
    long from = random.nextInt(Schema.MAX_VALUE);
    return LongPoint.newRangeQuery(
        Schema.POINT, from, from + random.nextInt(Schema.MAX_VALUE / 10));
  }

  /** A leaf that plans do not express. */
  private Query foreign() {
    Term term = schema.term(random);
    FieldPlan text = schema.text(random);
    return switch (random.nextInt(18)) {
      case 0 -> point();
      case 1 -> LongPoint.newExactQuery(Schema.POINT, random.nextInt(Schema.MAX_VALUE));
      case 2 -> phrase(text);
      case 3 -> multiPhrase(text);
      case 4 -> new PrefixQuery(new Term(text.name(), "w" + random.nextInt(10)));
      case 5 -> new WildcardQuery(new Term(text.name(), "w*" + random.nextInt(10)));
      case 6 -> TermRangeQuery.newStringRange(text.name(), "w1", "w3", true, false);
      case 7 -> new FieldExistsQuery(existing(text));
      case 8 -> synonym(text, 5);
      case 9 -> LongPoint.newRangeQuery(Schema.NUMBERS, 10, 10 + random.nextInt(80));
      case 10 -> LongPoint.newRangeQuery(Schema.POINT, 10, 10 + random.nextInt(80));
      case 11 -> new TermInSetQuery(term.field(), words(text, term.bytes()));
      case 12 ->
          new IndexOrDocValuesQuery(
              new ConstantScoreQuery(LongPoint.newRangeQuery(Schema.POINT, 20, 60)),
              NumericDocValuesField.newSlowRangeQuery(Schema.POINT, 20, 60));
      default -> new ExpandingQueries(schema, random).any();
    };
  }

  /** A word and others, as many as make a set or a few. */
  private List<BytesRef> words(FieldPlan text, BytesRef first) {
    List<BytesRef> words = new ArrayList<>();
    words.add(first);
    for (int more = random.nextInt(4) * random.nextInt(20); more > 0; more--) {
      words.add(new BytesRef(text.word(random)));
    }
    return words;
  }

  private String existing(FieldPlan text) {
    if (!text.type().omitNorms() && random.nextBoolean()) {
      return text.name();
    }
    return random.nextBoolean() ? Schema.POINT : Schema.STRING;
  }

  /** A phrase. Where two words repeat, stock's answer with slop depends on the search as well. */
  private Query phrase(FieldPlan text) {
    if (!text.hasPositions()) {
      return point();
    }
    PhraseQuery.Builder builder = new PhraseQuery.Builder();
    int count = 2 + random.nextInt(3);
    Set<Term> words = new HashSet<>();
    Set<Term> repeated = new HashSet<>();
    for (int i = 0; i < count; i++) {
      Term term = new Term(text.name(), text.word(random));
      builder.add(term);
      if (!words.add(term)) {
        repeated.add(term);
      }
    }
    int slop = random.nextInt(3) * random.nextInt(4);
    return builder.setSlop(repeated.size() > 1 ? 0 : slop).build();
  }

  /** A phrase of alternatives. Where a word repeats, stock's answer with slop is not steady. */
  private Query multiPhrase(FieldPlan text) {
    if (!text.hasPositions()) {
      return point();
    }
    MultiPhraseQuery.Builder builder = new MultiPhraseQuery.Builder();
    int places = 2 + random.nextInt(2);
    Set<Term> words = new HashSet<>();
    boolean repeats = false;
    for (int i = 0; i < places; i++) {
      Term[] terms = new Term[1 + random.nextInt(3)];
      for (int t = 0; t < terms.length; t++) {
        terms[t] = new Term(text.name(), text.word(random));
        repeats |= !words.add(terms[t]);
      }
      builder.add(terms);
    }
    int slop = random.nextInt(2) * random.nextInt(5);
    return builder.setSlop(repeats ? 0 : slop).build();
  }

  /**
   * Terms of a field that count as one.
   *
   * @param mostWeighted with more of them than so many, they have no factors
   */
  private Query synonym(FieldPlan text, int mostWeighted) {
    SynonymQuery.Builder builder = new SynonymQuery.Builder(text.name());
    int count = 1 + random.nextInt(5);
    boolean weighted = count <= mostWeighted && random.nextInt(4) != 0;
    for (int i = 0; i < count; i++) {
      float factor = weighted ? 0.1f + 0.9f * random.nextFloat() : 1f;
      builder.addTerm(new Term(text.name(), text.word(random)), factor);
    }
    return builder.build();
  }
}
