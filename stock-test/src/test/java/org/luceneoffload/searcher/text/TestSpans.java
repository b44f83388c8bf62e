/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.intervals.IntervalQuery;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.apache.lucene.queries.spans.FieldMaskingSpanQuery;
import org.apache.lucene.queries.spans.SpanContainingQuery;
import org.apache.lucene.queries.spans.SpanFirstQuery;
import org.apache.lucene.queries.spans.SpanMultiTermQueryWrapper;
import org.apache.lucene.queries.spans.SpanNearQuery;
import org.apache.lucene.queries.spans.SpanNotQuery;
import org.apache.lucene.queries.spans.SpanOrQuery;
import org.apache.lucene.queries.spans.SpanQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.queries.spans.SpanWithinQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.QuickRun;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;

/** Spans and intervals, alone and in queries of all shapes, of documents of all kinds. */
class TestSpans extends SearcherTestCase {
  private static final String[] FIELDS = {"body", "plain", "offsets"};

  @Override
  public void add(IndexWriter writer, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      writer.addDocument(PhraseDocuments.one(random));
    }
  }

  @Override
  public void write(IndexWriter writer) throws IOException {
    add(writer, 900);
    writer.flush();
    add(writer, 400);
    writer.deleteDocuments(new Term("body", "w" + (PhraseDocuments.VOCABULARY - 1)));
    writer.flush();
    add(writer, 3);
  }

  private String word() {
    double u = random.nextDouble();
    return "w" + (int) ((PhraseDocuments.VOCABULARY + 1) * u * u);
  }

  private SpanTermQuery term(String field) {
    return new SpanTermQuery(new Term(field, word()));
  }

  private SpanQuery near(String field, int depth) {
    SpanQuery[] clauses = new SpanQuery[2 + random.nextInt(2)];
    for (int i = 0; i < clauses.length; i++) {
      clauses[i] = span(field, depth - 1);
    }
    int slop = random.nextBoolean() ? 0 : random.nextInt(8);
    return new SpanNearQuery(clauses, slop, random.nextBoolean());
  }

  private SpanQuery or(String field, int depth) {
    SpanQuery[] clauses = new SpanQuery[1 + random.nextInt(3)];
    for (int i = 0; i < clauses.length; i++) {
      clauses[i] = span(field, depth - 1);
    }
    return new SpanOrQuery(clauses);
  }

  private SpanQuery span(String field, int depth) {
    if (depth <= 0) {
      return term(field);
    }
    SpanQuery one = span(field, depth - 1);
    return switch (random.nextInt(11)) {
      case 0 -> or(field, depth);
      case 1 -> new SpanNotQuery(one, span(field, depth - 1), random.nextInt(3));
      case 2 -> new SpanFirstQuery(one, 1 + random.nextInt(10));
      case 3 -> new SpanContainingQuery(near(field, depth), one);
      case 4 -> new SpanWithinQuery(near(field, depth), one);
      case 5 -> new SpanMultiTermQueryWrapper<>(new PrefixQuery(new Term(field, "w1")));
      case 6 -> gap(field);
      case 7 -> new FieldMaskingSpanQuery(span(FIELDS[random.nextInt(2)], depth - 1), field);
      default -> near(field, depth);
    };
  }

  private SpanQuery gap(String field) {
    return SpanNearQuery.newOrderedNearQuery(field)
        .addClause(term(field))
        .addGap(1 + random.nextInt(2))
        .addClause(term(field))
        .setSlop(random.nextInt(3))
        .build();
  }

  private IntervalsSource[] sources(int depth) {
    IntervalsSource[] sources = new IntervalsSource[2 + random.nextInt(2)];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = source(depth - 1);
    }
    return sources;
  }

  private IntervalsSource source(int depth) {
    if (depth <= 0) {
      return Intervals.term(word());
    }
    IntervalsSource one = source(depth - 1);
    IntervalsSource other = source(depth - 1);
    return switch (random.nextInt(20)) {
      case 0 -> Intervals.ordered(sources(depth));
      case 1 -> Intervals.unordered(sources(depth));
      case 2 -> Intervals.unorderedNoOverlaps(one, other);
      case 3 -> Intervals.phrase(sources(depth));
      case 4 -> Intervals.or(sources(depth));
      case 5 -> Intervals.or(random.nextBoolean(), one, other);
      case 6 -> Intervals.maxgaps(random.nextInt(6), Intervals.unordered(sources(depth)));
      case 7 -> Intervals.maxwidth(1 + random.nextInt(8), Intervals.ordered(sources(depth)));
      case 8 -> Intervals.atLeast(1 + random.nextInt(2), sources(depth));
      case 9 -> Intervals.containing(one, other);
      case 10 -> Intervals.notContaining(one, other);
      case 11 -> Intervals.containedBy(one, other);
      case 12 -> Intervals.notContainedBy(one, other);
      case 13 -> Intervals.overlapping(one, other);
      case 14 -> Intervals.nonOverlapping(one, other);
      case 15 -> Intervals.within(one, random.nextInt(4), other);
      case 16 -> Intervals.notWithin(one, random.nextInt(4), other);
      case 17 -> random.nextBoolean() ? Intervals.before(one, other) : Intervals.after(one, other);
      case 18 -> Intervals.extend(one, random.nextInt(3), random.nextInt(3));
      default ->
          random.nextBoolean()
              ? Intervals.prefix(new BytesRef("w1"))
              : Intervals.fixField("plain", one);
    };
  }

  private Query any() {
    String field = FIELDS[random.nextInt(FIELDS.length)];
    return random.nextBoolean()
        ? span(field, 1 + random.nextInt(2))
        : new IntervalQuery(FIELDS[random.nextInt(2)], source(1 + random.nextInt(2)));
  }

  private Query clause() {
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> any();
      case 3 -> new BoostQuery(any(), random.nextFloat() * 5);
      case 4 -> new ConstantScoreQuery(any());
      case 5 -> new DisjunctionMaxQuery(List.of(any(), any()), 0.3f);
      case 6 -> bool(2);
      default -> new TermQuery(new Term("body", word()));
    };
  }

  private Query bool(int most) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    int clauses = 1 + random.nextInt(most);
    for (int i = 0; i < clauses; i++) {
      builder.add(clause(), Occur.values()[random.nextInt(4)]);
    }
    builder.add(clause(), random.nextBoolean() ? Occur.SHOULD : Occur.MUST);
    return builder.build();
  }

  private static SpanQuery near(int slop, boolean inOrder, String... words) {
    SpanQuery[] clauses = new SpanQuery[words.length];
    for (int i = 0; i < words.length; i++) {
      clauses[i] = new SpanTermQuery(new Term("body", words[i]));
    }
    return new SpanNearQuery(clauses, slop, inOrder);
  }

  /** By the searchers that weigh the host, and by one that asks the device whatever that does. */
  private void check(Query query) throws IOException {
    same(reader, query);
    Answers.same(stock(reader), query, always(), query);
  }

  @Test
  void alone() throws IOException {
    for (int i = 0; i < QuickRun.rounds(100); i++) {
      check(any());
    }
  }

  @Test
  void inQueriesOfAllShapes() throws IOException {
    for (int i = 0; i < QuickRun.rounds(80); i++) {
      check(bool(4));
    }
    onDevice(
        () ->
            check(
                new BooleanQuery.Builder()
                    .add(near(0, true, "w0", "w1"), Occur.MUST)
                    .add(new TermQuery(new Term("body", "w2")), Occur.SHOULD)
                    .build()));
  }

  private static IntervalsSource[] terms(String... words) {
    return Arrays.stream(words).map(Intervals::term).toArray(IntervalsSource[]::new);
  }

  private static Query intervals(IntervalsSource source) {
    return new IntervalQuery("body", source);
  }

  /** Terms, terms side by side, and terms near each other: the device scores them. */
  @Test
  void termsOnTheDevice() throws IOException {
    for (Query query :
        List.of(
            near(0, true, "w0", "w1"),
            near(0, true, "w2", "w0", "w1"),
            near(1, true, "w1", "w0"),
            near(7, true, "w0", "w1", "w2"),
            near(0, false, "w0", "w1"),
            near(65_535, false, "w2", "w0", "w1"),
            new BoostQuery(near(4, false, "w2", "w0"), 2.3f),
            intervals(Intervals.ordered(terms("w0", "w2"))),
            intervals(Intervals.unordered(terms("w0", "w3", "w1"))),
            intervals(Intervals.maxgaps(3, Intervals.ordered(terms("w1", "w0", "w2")))),
            intervals(Intervals.maxwidth(4, Intervals.unordered(terms("w1", "w0")))),
            new BoostQuery(intervals(Intervals.unordered(terms("w2", "w0"))), 0.7f),
            new SpanTermQuery(new Term("body", "w3")))) {
      onDevice(() -> check(query));
      OffloadIndexSearcher strict = always();
      strict.setStrict(true);
      strict.search(query, 10);
      strict.count(query);
    }
    for (int i = 0; i < QuickRun.rounds(20); i++) {
      same(reader, near(0, true, word(), word()));
      same(reader, near(0, true, word(), word(), word()));
      check(near(random.nextInt(9), random.nextBoolean(), word(), word(), word()));
      check(intervals(Intervals.ordered(terms(word(), word(), word()))));
      check(
          intervals(
              Intervals.maxgaps(random.nextInt(5), Intervals.unordered(terms("w0", word())))));
    }
  }

  /** What has other parts than terms, one twice, other scores, or a limit that no plan has. */
  @Test
  void whatStaysOnTheHost() throws IOException {
    for (Query query :
        List.of(
            near(0, true, "w0", "w1", "w0"),
            near(3, false, "w0", "w1", "w0"),
            near(65_536, true, "w0", "w1"),
            new SpanOrQuery(near(0, true, "w0", "w1"), near(0, true, "w1", "w0")),
            new IntervalQuery("body", Intervals.ordered(terms("w0", "w2")), 3f),
            new IntervalQuery("body", Intervals.ordered(terms("w0", "w2")), 2f, 3f),
            intervals(Intervals.maxgaps(65_535, Intervals.ordered(terms("w0", "w2")))),
            intervals(Intervals.ordered(terms("w0", "w0"))),
            intervals(Intervals.phrase("w0", "w1")),
            intervals(Intervals.or(terms("w0", "w1"))))) {
      onHost(() -> check(query));
      OffloadIndexSearcher strict = always();
      strict.setStrict(true);
      assertThrows(UnsupportedOperationException.class, () -> strict.search(query, 10));
    }
  }

  @Test
  void wordsThatAreNowhereOrInOneSegment() throws IOException {
    same(reader, near(0, true, "w0", "nowhere"));
    same(reader, near(2, false, "w0", "nowhere"));
    same(reader, new SpanTermQuery(new Term("nofield", "w0")));
    same(reader, new SpanOrQuery());
    same(reader, near(2, true, "w0", "w0", "w0"));
  }

  @Test
  void fieldsWithoutPositions() {
    for (Query query :
        List.of(
            new SpanTermQuery(new Term("freqs", "w0")),
            new IntervalQuery("freqs", Intervals.phrase("w0", "w1")))) {
      String expected =
          assertThrows(RuntimeException.class, () -> stock(reader).search(query, 10)).getMessage();
      for (Way way : Way.values()) {
        RuntimeException e =
            assertThrows(
                RuntimeException.class,
                () -> way.searcher(reader).search(way.query(query), 10),
                way.toString());
        assertEquals(expected, e.getMessage());
      }
    }
  }
}
