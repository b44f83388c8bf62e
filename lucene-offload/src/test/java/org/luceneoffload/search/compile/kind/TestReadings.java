/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.document.KeywordField;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.index.MultiReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.intervals.IntervalQuery;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.search.compile.ColumnFilter;
import org.luceneoffload.search.score.CombinedFields;
import org.luceneoffload.search.score.FeatureFunction;
import org.luceneoffload.search.spans.NearTerms;
import org.luceneoffload.wire.OffloadWire;

class TestReadings {
  private final Readings readings = new Readings(null, null);

  private boolean takes(Query clause) {
    return takes(clause, true);
  }

  private boolean takes(Query clause, boolean scored) {
    return QueryKinds.firstOther(clause, readings, scored) == null;
  }

  private static CombinedFieldQuery combined(float... weights) {
    CombinedFieldQuery.Builder builder = new CombinedFieldQuery.Builder("w");
    for (int i = 0; i < weights.length; i++) {
      builder.addField("f" + i, weights[i]);
    }
    return builder.build();
  }

  private static SynonymQuery synonyms(float... factors) {
    SynonymQuery.Builder builder = new SynonymQuery.Builder("body");
    for (int i = 0; i < factors.length; i++) {
      builder.addTerm(new Term("body", "w" + i), factors[i]);
    }
    return builder.build();
  }

  private static Query intervals(String field) {
    return new IntervalQuery(
        field, Intervals.maxgaps(7, Intervals.ordered(Intervals.term("a"), Intervals.term("b"))));
  }

  @Test
  void aClauseIsReadOnce() {
    CombinedFieldQuery fields = combined(2f, 1.5f);
    Query intervals = intervals("body");
    SynonymQuery synonyms = synonyms(0.5f, 1f);
    Query feature = FeatureField.newSaturationQuery("features", "rank", 2f, 3f);
    assertTrue(takes(fields, true));
    assertTrue(takes(intervals));
    assertTrue(takes(synonyms));
    CombinedFields readFields = readings.of(fields, CombinedFields.class);
    NearTerms readIntervals = readings.of(intervals, NearTerms.class);
    float[] readFactors = readings.of(synonyms, float[].class);
    assertArrayEquals(new float[] {2f, 1.5f}, readFields.weights());
    assertEquals(List.of(new Term("body", "a"), new Term("body", "b")), readIntervals.terms());
    assertEquals(OffloadWire.Op.ORDERED_INTERVALS, readIntervals.op());
    assertEquals(7, readIntervals.limit());
    assertEquals(1.5f, readFactors[0] + readFactors[1]);
    assertTrue(takes(fields, true));
    assertTrue(takes(intervals));
    assertTrue(takes(synonyms));
    assertSame(readFields, readings.of(fields, CombinedFields.class));
    assertSame(readIntervals, readings.of(intervals, NearTerms.class));
    assertSame(readFactors, readings.of(synonyms, float[].class));
    Query inner = feature instanceof BoostQuery b ? b.getQuery() : feature;
    assertTrue(takes(inner));
    FeatureFunction function = readings.of(inner, FeatureFunction.class);
    assertNotNull(function);
    assertTrue(takes(inner));
    assertSame(function, readings.of(inner, FeatureFunction.class));
  }

  /** Another query, equal or not, has to be read itself. */
  @Test
  void othersAreNotKnown() {
    CombinedFieldQuery fields = combined(2f, 1f);
    assertNull(readings.of(fields, CombinedFields.class));
    assertTrue(takes(fields, true));
    assertNull(readings.of(combined(2f, 1f), CombinedFields.class));
    assertNull(readings.of(fields, NearTerms.class));
    assertNull(readings.of(fields, TermQuery.class));
    assertNull(readings.of(fields, ColumnFilter.class));
    assertNull(readings.of(fields, FeatureFunction.class));
  }

  @Test
  void sumsWhoseOrderMatters() {
    assertTrue(takes(combined(2f, 1.5f), true));
    assertTrue(takes(combined(1f, 1f, 1f), true));
    CombinedFieldQuery unsteady = combined(1f, 2f, 1f);
    assertFalse(takes(unsteady, true));
    assertTrue(takes(unsteady, false));
    assertFalse(takes(unsteady, true)); // beside a clause without scores
    assertTrue(takes(synonyms(0.5f, 0.25f)));
    assertTrue(takes(synonyms(1f, 1f, 1f)));
    assertFalse(takes(synonyms(1f, 0.25f, 1f)));
  }

  @Test
  void spansAsTheyAreAndAsTerms() {
    Query span = new SpanTermQuery(new Term("body", "a"));
    assertTrue(takes(span));
    assertEquals(new TermQuery(new Term("body", "a")), readings.of(span, TermQuery.class));
    assertNull(readings.of(span, NearTerms.class));
    Query term = new TermQuery(new Term("body", "a"));
    assertTrue(takes(term));
    assertNull(readings.of(term, Object.class), "a term tells what it is");
  }

  /** A text is split where the field's name ends, whatever it looks like. */
  @Test
  void fieldsThatLookLikeIntervals() {
    for (String field : List.of("", ":", "a:b", "ORDERED(", "MAXGAPS/3(ORDERED(", "UN", "a b")) {
      Query query = intervals(field);
      assertTrue(takes(query), field);
      assertEquals(7, readings.of(query, NearTerms.class).limit(), field);
      assertEquals(field, readings.of(query, NearTerms.class).terms().getFirst().field());
    }
  }

  @Test
  void otherIntervals() {
    for (var source :
        List.of(
            Intervals.ordered(Intervals.term("a"), Intervals.term("a")),
            Intervals.ordered(
                Intervals.term("a"), Intervals.fixField("other", Intervals.term("b"))),
            Intervals.ordered(Intervals.term("a"), Intervals.phrase("b", "c")),
            Intervals.or(Intervals.term("a"), Intervals.term("b")),
            Intervals.extend(Intervals.ordered(Intervals.term("a"), Intervals.term("b")), 1, 1),
            Intervals.term("ORDERED(a,b)"))) {
      Query query = new IntervalQuery("body", source);
      assertFalse(takes(query), query.toString());
      assertNull(readings.of(query, NearTerms.class));
    }
  }

  /** A class that several kinds take belongs to the first that can read the query. */
  @Test
  void aQueryOfTwoSides() throws IOException {
    List<BytesRef> tags = List.of(new BytesRef("a"), new BytesRef("b"));
    IndexSearcher empty = new IndexSearcher(new MultiReader());
    Query keywords = empty.rewrite(KeywordField.newSetQuery("tag", tags));
    Query numbers = LongField.newSetQuery("n", 1, 2);
    Query mixed =
        new IndexOrDocValuesQuery(
            LongPoint.newExactQuery("n", 1),
            SortedNumericDocValuesField.newSlowExactQuery("other", 1));
    assertSame(keywords.getClass(), numbers.getClass());
    assertSame(mixed.getClass(), numbers.getClass());
    assertTrue(takes(numbers));
    assertTrue(takes(keywords));
    assertEquals("n", readings.of(numbers, ColumnFilter.class).field());
    assertEquals("tag", readings.of(keywords, ColumnFilter.class).field());
    assertSame(mixed, QueryKinds.firstOther(mixed, readings, true));
  }

  /** The first part that no kind takes is named, however deep it is. */
  @Test
  void theFirstOtherPart() {
    Query other = LongField.newDistanceFeatureQuery("n", 1f, 0, 1);
    Query all =
        new BooleanQuery.Builder()
            .add(new TermQuery(new Term("body", "a")), BooleanClause.Occur.MUST)
            .add(
                new DisjunctionMaxQuery(
                    List.of(new BoostQuery(new ConstantScoreQuery(other), 2f)), 0f),
                BooleanClause.Occur.SHOULD)
            .build();
    assertSame(other, QueryKinds.firstOther(all, readings, true));
    assertFalse(QueryKinds.isExpressible(all, true));
    assertTrue(QueryKinds.isExpressible(new TermQuery(new Term("body", "a")), true));
  }
}
