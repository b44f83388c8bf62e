/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.shape;

import static org.luceneoffload.workload.shape.Clauses.and;
import static org.luceneoffload.workload.shape.Clauses.filtered;
import static org.luceneoffload.workload.shape.Clauses.or;
import static org.luceneoffload.workload.shape.Clauses.orOfWords;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.function.FunctionScoreQuery;
import org.apache.lucene.queries.intervals.IntervalQuery;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.apache.lucene.queries.spans.SpanNearQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.workload.BenchAggregates;
import org.luceneoffload.workload.BenchFilters;
import org.luceneoffload.workload.Queries;

/** Shapes with other queries than Booleans of terms. */
final class OtherShapes {
  private static final String BODY = Queries.DEFAULT_FIELD;

  /** Words that a search box takes the start of one for, at most. */
  private static final int EXPANSIONS = 50;

  private OtherShapes() {}

  /** Sets of terms. */
  static void sets(ShapeList list) throws IOException {
    list.top("set of 100 IDs", d -> new TermInSetQuery("id", d.ids(100)))
        .add("set of 100 IDs, count", SearchCall.COUNT, d -> new TermInSetQuery("id", d.ids(100)))
        .top("+mid #set of 100 IDs", d -> filtered(d.mid(), new TermInSetQuery("id", d.ids(100))))
        .top(
            "+frequent #set of 10 IDs",
            d -> filtered(d.frequent(), new TermInSetQuery("id", d.ids(10))))
        .top(
            "+(frequent mid) #set of 1000 IDs",
            d -> filtered(or(d.frequent(), d.mid()), new TermInSetQuery("id", d.ids(1000))))
        .top("set of 100 words", d -> new TermInSetQuery(BODY, d.text(100)))
        .add(
            "set of 100 words, count", SearchCall.COUNT, d -> new TermInSetQuery(BODY, d.text(100)))
        .top(
            "+mid #set of 100 words",
            d -> filtered(d.mid(), new TermInSetQuery(BODY, d.text(100))));
  }

  private static Term body(BytesRef word) {
    return new Term(BODY, word);
  }

  /** Returns the first letters of a word. */
  private static String start(BytesRef word, int letters) {
    String text = word.utf8ToString();
    return text.substring(
        0, text.offsetByCodePoints(0, Math.min(letters, text.codePointCount(0, text.length()))));
  }

  private static Query prefix(BytesRef word, int letters) {
    return new PrefixQuery(new Term(BODY, start(word, letters)));
  }

  /** Adds queries of patterns. */
  static void multiTerms(ShapeList list) throws IOException {
    list.top("prefix of a rare word", d -> prefix(d.rareWord(), 4))
        .top("prefix of a frequent word", d -> prefix(d.frequentWord(), 3))
        .add("prefix of a mid word, count", SearchCall.COUNT, d -> prefix(d.midWord(), 3))
        .top("+frequent #prefix", d -> filtered(d.frequent(), prefix(d.midWord(), 3)))
        .top(
            "+(frequent mid) #prefix",
            d -> filtered(or(d.frequent(), d.mid()), prefix(d.midWord(), 3)))
        .top("wildcard", d -> new WildcardQuery(new Term(BODY, start(d.midWord(), 3) + "*s")))
        .top("regexp", d -> new RegexpQuery(new Term(BODY, start(d.rareWord(), 3) + ".*")))
        .top("fuzzy, 1 edit", d -> new FuzzyQuery(body(d.midWord()), 1))
        .top("fuzzy, 2 edits", d -> new FuzzyQuery(body(d.midWord()), 2))
        .top(
            "+frequent #range of words",
            d -> {
              BytesRef from = d.midWord();
              BytesRef to = new BytesRef(from.utf8ToString() + "\uffff");
              return filtered(d.frequent(), new TermRangeQuery(BODY, from, to, true, true));
            });
  }

  private static Query phrase(int slop, List<String> words) {
    return new PhraseQuery(slop, BODY, words.toArray(String[]::new));
  }

  /** Returns a phrase whose last word is being typed, as search boxes send it. */
  private static Query prefixPhrase(Draw words, int count) throws IOException {
    List<String> phrase = words.phrase(count);
    MultiPhraseQuery.Builder builder = new MultiPhraseQuery.Builder();
    phrase.subList(0, count - 1).forEach(word -> builder.add(new Term(BODY, word)));
    BytesRef last = new BytesRef(phrase.get(count - 1));
    List<BytesRef> typed = words.startingWith(start(last, 2), EXPANSIONS);
    return builder
        .add(
            (typed.isEmpty() ? List.of(last) : typed)
                .stream().map(OtherShapes::body).toArray(Term[]::new))
        .build();
  }

  /** Adds phrases and similar queries. */
  static void positions(ShapeList list) throws IOException {
    list.top("phrase of 2 words", d -> phrase(0, d.phrase(2)))
        .top("phrase of 4 words", d -> phrase(0, d.phrase(4)))
        .add("phrase of 2 words, count", SearchCall.COUNT, d -> phrase(0, d.phrase(2)))
        .top("sloppy phrase of 3 words", d -> phrase(3, d.phrase(3)))
        .top("phrase of 2 words, the last by its start", d -> prefixPhrase(d, 2))
        .top("phrase of 3 words, the last by its start", d -> prefixPhrase(d, 3))
        .add(
            "phrase of 2 words, the last by its start, count",
            SearchCall.COUNT,
            d -> prefixPhrase(d, 2))
        .top("+frequent +phrase", d -> and(d.frequent(), phrase(0, d.phrase(2))))
        .top("frequent mid phrase", d -> or(d.frequent(), d.mid(), phrase(0, d.phrase(2))))
        .top("spans near", d -> near(2, d.phrase(2)))
        .top("spans near, 3 words", d -> near(5, d.phrase(3)))
        .add("spans near, count", SearchCall.COUNT, d -> near(2, d.phrase(2)))
        .top("spans near in any order", d -> nearInAnyOrder(4, d.phrase(2)))
        .top("spans side by side, 2 words", d -> near(0, d.phrase(2)))
        .top("spans side by side, 3 words", d -> near(0, d.phrase(3)))
        .add("spans side by side, 2 words, count", SearchCall.COUNT, d -> near(0, d.phrase(2)))
        .top("ordered intervals", d -> intervals(Intervals.ordered(terms(d.phrase(2)))))
        .top(
            "ordered intervals, 3 words, 10 gaps",
            d -> intervals(Intervals.maxgaps(10, Intervals.ordered(terms(d.phrase(3))))))
        .top(
            "unordered intervals, 10 wide",
            d -> intervals(Intervals.maxwidth(10, Intervals.unordered(terms(d.phrase(2))))));
  }

  private static IntervalsSource[] terms(List<String> words) {
    return words.stream().map(Intervals::term).toArray(IntervalsSource[]::new);
  }

  private static Query intervals(IntervalsSource source) {
    return new IntervalQuery(BODY, source);
  }

  private static Query nearInAnyOrder(int slop, List<String> words) {
    SpanNearQuery.Builder near = new SpanNearQuery.Builder(BODY, false).setSlop(slop);
    words.forEach(word -> near.addClause(new SpanTermQuery(new Term(BODY, word))));
    return near.build();
  }

  private static Query near(int slop, List<String> words) {
    SpanNearQuery.Builder near = new SpanNearQuery.Builder(BODY, true).setSlop(slop);
    words.forEach(word -> near.addClause(new SpanTermQuery(new Term(BODY, word))));
    return near.build();
  }

  static Query bothFields(BytesRef word) {
    return new DisjunctionMaxQuery(
        List.of(new TermQuery(new Term("title", word)), new TermQuery(body(word))), 0.1f);
  }

  static Query combined(BytesRef word) {
    return new CombinedFieldQuery.Builder(word).addField("title", 3).addField(BODY).build();
  }

  static Query synonyms(BytesRef one, BytesRef other) {
    return new SynonymQuery.Builder(BODY).addTerm(body(one)).addTerm(body(other)).build();
  }

  /** Adds queries whose scores are no sums of the terms' own. */
  static void scores(ShapeList list) throws IOException {
    list.top("dis-max of a rare word", d -> bothFields(d.rareWord()))
        .top("dis-max of a frequent word", d -> bothFields(d.frequentWord()))
        .top(
            "dis-max of 3 words each",
            d -> or(bothFields(d.frequentWord()), bothFields(d.midWord()), bothFields(d.midWord())))
        .top("combined fields of a frequent word", d -> combined(d.frequentWord()))
        .top(
            "combined fields of 3 words, any",
            d -> or(combined(d.frequentWord()), combined(d.midWord()), combined(d.midWord())))
        .top(
            "combined fields of 2 words, all",
            d -> and(combined(d.frequentWord()), combined(d.midWord())))
        .top("synonym of two rare words", d -> synonyms(d.rareWord(), d.rareWord()))
        .top("synonym of two frequent words", d -> synonyms(d.frequentWord(), d.frequentWord()))
        .top("function score over AND", d -> function(and(d.frequent(), d.mid())))
        .top("function score over OR", d -> function(or(d.frequent(), d.mid())));
  }

  private static Query function(Query query) {
    return new FunctionScoreQuery(query, DoubleValuesSource.constant(2));
  }

  /** Filters, sorts and counts of typed fields. */
  static void values(ShapeList list, DirectoryReader reader) throws IOException {
    for (BenchFilters.Filter filter : BenchFilters.of(reader).all()) {
      Query query = filter.query();
      list.top("+(frequent mid) #" + filter.name(), d -> filtered(or(d.frequent(), d.mid()), query))
          .top("+rare #" + filter.name(), d -> filtered(d.rare(), query))
          .top(filter.name(), d -> query);
    }
    for (BenchFilters.Filter filter : BenchFilters.sets(reader)) {
      Query query = filter.query();
      list.add(filter.name() + ", count", SearchCall.COUNT, d -> query)
          .top("+mid #" + filter.name(), d -> filtered(d.mid(), query))
          .top(filter.name(), d -> query);
    }
    Sort sort = BenchFilters.sort(reader);
    if (sort != null) {
      SearchCall sorted = SearchCall.sorted(10, sort);
      list.add("frequent, sorted", sorted, Draw::frequent)
          .add("frequent frequent, sorted", sorted, d -> or(d.frequent(), d.frequent()))
          .add("+frequent +mid, sorted", sorted, d -> and(d.frequent(), d.mid()));
    }
    for (BenchAggregates.Aggregate aggregate : BenchAggregates.of(reader).all()) {
      SearchCall counted = (searcher, query) -> searcher.search(query, aggregate.stock());
      list.add(
              "frequent frequent, " + aggregate.name(),
              counted,
              d -> or(d.frequent(), d.frequent()))
          .add("20 words, " + aggregate.name(), counted, d -> orOfWords(d.text(20), 0));
    }
  }
}
