/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.intervals.IntervalQuery;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.apache.lucene.queries.spans.SpanNearQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermQuery;
import org.luceneoffload.fuzz.base.Seeds;

/** Queries of every operator over texts of few words, so that each has thousands of matches. */
final class DenseQueries {
  private static final int MAX_DEPTH = 2;

  private final Schema schema;
  private final Random random;

  DenseQueries(Schema schema, Random random) {
    this.schema = schema;
    this.random = random;
  }

  Query any() {
    return query(0);
  }

  private Query query(int depth) {
    return switch (random.nextInt(depth < MAX_DEPTH ? 12 : 8)) {
      case 0 -> phrase();
      case 1, 2 -> multiPhrase();
      case 3 -> spans();
      case 4 -> intervals();
      case 5 -> synonym();
      case 6 -> union();
      case 7 -> new TermQuery(term(schema.text(random)));
      case 8 -> disjunctionMax(depth);
      case 9 -> someOf(depth);
      case 10 -> new ConstantScoreQuery(query(depth + 1));
      default -> conjunction(depth);
    };
  }

  private Term term(FieldPlan text) {
    return new Term(
        text.name(), Seeds.oneIn(random, 3) ? text.rareWord(random) : text.word(random));
  }

  /** Words of a field that differ: where one repeats, stock's answer with slop is not steady. */
  private List<Term> terms(FieldPlan text, int wanted) {
    Set<Term> terms = new LinkedHashSet<>();
    for (int i = 0; i < 4 * wanted && terms.size() < wanted; i++) {
      terms.add(term(text));
    }
    return List.copyOf(terms);
  }

  private Query phrase() {
    FieldPlan text = schema.text(random);
    PhraseQuery.Builder builder = new PhraseQuery.Builder();
    terms(text, 2 + random.nextInt(2)).forEach(builder::add);
    return builder.setSlop(random.nextInt(3) * random.nextInt(4)).build();
  }

  /** Returns a phrase of which any place may have alternatives. */
  private Query multiPhrase() {
    FieldPlan text = schema.text(random);
    return random.nextBoolean() ? rareAlternatives(text) : alternatives(text);
  }

  /** Returns alternatives of which all together have fewer documents than the word beside them. */
  private Query rareAlternatives(FieldPlan text) {
    Set<Term> rare = new LinkedHashSet<>();
    for (int i = 1 + random.nextInt(6); i >= 0; i--) {
      rare.add(new Term(text.name(), text.rareWord(random)));
    }
    Term frequent = new Term(text.name(), "w0");
    rare.remove(frequent);
    MultiPhraseQuery.Builder builder = new MultiPhraseQuery.Builder().add(frequent);
    if (!rare.isEmpty()) {
      builder.add(rare.toArray(Term[]::new));
    }
    return builder.setSlop(random.nextInt(8)).build();
  }

  private Query alternatives(FieldPlan text) {
    int places = 2 + (Seeds.oneIn(random, 4) ? 1 : 0);
    List<Term> terms = terms(text, places + random.nextInt(8));
    MultiPhraseQuery.Builder builder = new MultiPhraseQuery.Builder();
    int at = 0;
    for (int left = places; left > 0 && at < terms.size(); left--) {
      int most = Math.max(1, terms.size() - at - left + 1);
      int count = Seeds.oneIn(random, 3) ? 1 : left == 1 ? most : 1 + random.nextInt(most);
      builder.add(terms.subList(at, at + count).toArray(Term[]::new));
      at += count;
    }
    return builder.setSlop(random.nextInt(8)).build();
  }

  private Query spans() {
    FieldPlan text = schema.text(random);
    SpanNearQuery.Builder builder =
        random.nextBoolean()
            ? SpanNearQuery.newOrderedNearQuery(text.name())
            : SpanNearQuery.newUnorderedNearQuery(text.name());
    terms(text, 2 + random.nextInt(2)).forEach(term -> builder.addClause(new SpanTermQuery(term)));
    return builder.setSlop(random.nextInt(6)).build();
  }

  private Query intervals() {
    FieldPlan text = schema.text(random);
    IntervalsSource[] words =
        terms(text, 2 + random.nextInt(2)).stream()
            .map(term -> Intervals.term(term.bytes()))
            .toArray(IntervalsSource[]::new);
    IntervalsSource near =
        random.nextBoolean() ? Intervals.ordered(words) : Intervals.unordered(words);
    return new IntervalQuery(
        text.name(), Seeds.oneIn(random, 4) ? near : Intervals.maxgaps(random.nextInt(6), near));
  }

  private Query synonym() {
    FieldPlan text = schema.text(random);
    SynonymQuery.Builder builder = new SynonymQuery.Builder(text.name());
    terms(text, 1 + random.nextInt(4)).forEach(builder::addTerm);
    return builder.build();
  }

  private Query union() {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 2 + random.nextInt(5); i > 0; i--) {
      builder.add(new TermQuery(term(schema.text(random))), Occur.SHOULD);
    }
    return builder.build();
  }

  private Query disjunctionMax(int depth) {
    List<Query> parts = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i >= 0; i--) {
      parts.add(query(depth + 1));
    }
    return new DisjunctionMaxQuery(parts, random.nextBoolean() ? 0f : random.nextFloat());
  }

  /** Returns a disjunction of which some number has to match. */
  private Query someOf(int depth) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    int clauses = 2 + random.nextInt(4);
    for (int i = 0; i < clauses; i++) {
      builder.add(query(depth + 1), Occur.SHOULD);
    }
    return builder.setMinimumNumberShouldMatch(1 + random.nextInt(clauses)).build();
  }

  private Query conjunction(int depth) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    builder.add(query(depth + 1), Occur.MUST);
    Occur[] others = Occur.values();
    for (int i = random.nextInt(3); i >= 0; i--) {
      builder.add(query(MAX_DEPTH), others[random.nextInt(others.length)]);
    }
    if (Seeds.oneIn(random, 3)) {
      builder.add(new ColumnFields(random).query(), Occur.FILTER);
    }
    return builder.build();
  }
}
