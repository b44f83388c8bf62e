/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.shape;

import static org.luceneoffload.workload.shape.Clauses.and;
import static org.luceneoffload.workload.shape.Clauses.constant;
import static org.luceneoffload.workload.shape.Clauses.filtered;
import static org.luceneoffload.workload.shape.Clauses.or;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.intervals.IntervalQuery;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.spans.SpanNearQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOFunction;
import org.luceneoffload.workload.Queries;

/**
 * Queries of rare words, in every form: of these, what precedes and follows the work on the lists
 * is nearly all that there is to gain or lose.
 */
final class RareShapes {
  private static final String BODY = Queries.DEFAULT_FIELD;

  private RareShapes() {}

  /** Adds all of them: the best hits of each, and how many there are. */
  static void add(ShapeList list) throws IOException {
    both(list, "a rare word", Draw::rare);
    both(list, "two rare words, any", d -> or(d.rare(), d.rare()));
    both(list, "two rare words, all", d -> and(d.rare(), d.rare()));
    both(list, "constant score of two rare words", d -> constant(or(d.rare(), d.rare())));
    both(list, "phrase of two rare words", d -> new PhraseQuery(BODY, d.rareWord(), d.rareWord()));
    both(list, "phrase of a rare word and a frequent one", RareShapes::mixedPhrase);
    both(list, "sloppy phrase of two rare words", d -> sloppy(d.rareWord(), d.rareWord()));
    both(list, "phrase of alternatives of rare words", RareShapes::alternatives);
    both(
        list,
        "+rare +phrase of rare words",
        d -> and(d.rare(), sloppy(d.rareWord(), d.rareWord())));
    both(list, "spans of two rare words", d -> spans(5, d.rareWord(), d.rareWord()));
    both(list, "spans of two rare words side by side", d -> spans(0, d.rareWord(), d.rareWord()));
    both(list, "ordered intervals of two rare words", d -> intervals(d.rareWord(), d.rareWord()));
    both(list, "ordered intervals of two mid words", d -> intervals(d.midWord(), d.midWord()));
    both(
        list,
        "ordered intervals of a rare word and a frequent one",
        d -> intervals(d.rareWord(), d.frequentWord()));
    both(list, "unordered intervals of two rare words", RareShapes::unordered);
    both(list, "dis-max of rare words in two fields", d -> disMax(d.rareWord()));
    both(list, "dis-max of two rare words", d -> or(disMax(d.rareWord()), disMax(d.rareWord())));
    both(list, "combined fields of a rare word", d -> combined(d.rareWord()));
    both(list, "combined fields of a mid word", d -> combined(d.midWord()));
    both(
        list,
        "combined fields of two rare words, any",
        d -> or(combined(d.rareWord()), combined(d.rareWord())));
    both(
        list,
        "combined fields of two rare words, all",
        d -> and(combined(d.rareWord()), combined(d.rareWord())));
    both(list, "synonyms of two rare words", RareShapes::synonyms);
    both(list, "set of 8 rare words", d -> new TermInSetQuery(BODY, d.rareWords(8)));
    both(
        list,
        "+rare #set of 8 rare words",
        d -> filtered(d.rare(), new TermInSetQuery(BODY, d.rareWords(8))));
  }

  private static void both(ShapeList list, String name, IOFunction<Draw, Query> maker)
      throws IOException {
    list.top(name, maker).add(name + ", count", SearchCall.COUNT, maker);
  }

  private static Term body(BytesRef word) {
    return new Term(BODY, word);
  }

  private static Query mixedPhrase(Draw words) {
    return new PhraseQuery(BODY, words.rareWord(), words.frequentWord());
  }

  private static Query sloppy(BytesRef... words) {
    return new PhraseQuery(3, BODY, words);
  }

  private static Query alternatives(Draw words) {
    return new MultiPhraseQuery.Builder()
        .add(body(words.rareWord()))
        .add(new Term[] {body(words.rareWord()), body(words.rareWord())})
        .build();
  }

  private static Query spans(int slop, BytesRef... words) {
    SpanNearQuery.Builder near = new SpanNearQuery.Builder(BODY, true).setSlop(slop);
    for (BytesRef word : words) {
      near.addClause(new SpanTermQuery(body(word)));
    }
    return near.build();
  }

  private static Query intervals(BytesRef one, BytesRef other) {
    return new IntervalQuery(BODY, Intervals.ordered(Intervals.term(one), Intervals.term(other)));
  }

  private static Query unordered(Draw words) {
    return new IntervalQuery(
        BODY,
        Intervals.maxwidth(
            10,
            Intervals.unordered(
                Intervals.term(words.rareWord()), Intervals.term(words.rareWord()))));
  }

  private static Query disMax(BytesRef word) {
    return new DisjunctionMaxQuery(
        List.of(new TermQuery(new Term("title", word)), new TermQuery(body(word))), 0.1f);
  }

  private static Query combined(BytesRef word) {
    return new CombinedFieldQuery.Builder(word).addField("title", 3).addField(BODY).build();
  }

  private static Query synonyms(Draw words) {
    return new SynonymQuery.Builder(BODY)
        .addTerm(body(words.rareWord()))
        .addTerm(body(words.rareWord()))
        .build();
  }
}
