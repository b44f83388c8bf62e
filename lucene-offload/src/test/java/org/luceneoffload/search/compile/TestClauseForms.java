/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.intervals.IntervalQuery;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermQuery;
import org.junit.jupiter.api.Test;
import org.luceneoffload.search.score.CombinedFields;
import org.luceneoffload.search.score.FeatureFunction;
import org.luceneoffload.search.spans.NearTerms;
import org.luceneoffload.wire.OffloadWire;

class TestClauseForms {
  private final ClauseForms forms = new ClauseForms(null, null);

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
    assertTrue(forms.takeCombined(fields, true));
    assertTrue(forms.takeNear(intervals));
    assertTrue(forms.takeSynonyms(synonyms));
    CombinedFields readFields = forms.combined(fields);
    NearTerms readIntervals = forms.near(intervals);
    float[] readFactors = forms.synonyms(synonyms);
    assertArrayEquals(new float[] {2f, 1.5f}, readFields.weights());
    assertEquals(List.of(new Term("body", "a"), new Term("body", "b")), readIntervals.terms());
    assertEquals(OffloadWire.Op.ORDERED_INTERVALS, readIntervals.op());
    assertEquals(7, readIntervals.limit());
    assertEquals(1.5f, readFactors[0] + readFactors[1]);
    assertTrue(forms.takeCombined(fields, true));
    assertTrue(forms.takeNear(intervals));
    assertTrue(forms.takeSynonyms(synonyms));
    assertSame(readFields, forms.combined(fields));
    assertSame(readIntervals, forms.near(intervals));
    assertSame(readFactors, forms.synonyms(synonyms));
    Query inner = feature instanceof BoostQuery b ? b.getQuery() : feature;
    assertTrue(forms.takeFeature(inner));
    FeatureFunction function = forms.feature(inner);
    assertNotNull(function);
    assertTrue(forms.takeFeature(inner));
    assertSame(function, forms.feature(inner));
  }

  /** Another query, equal or not, has to be read itself. */
  @Test
  void othersAreNotKnown() {
    CombinedFieldQuery fields = combined(2f, 1f);
    assertNull(forms.combined(fields));
    assertTrue(forms.takeCombined(fields, true));
    assertNull(forms.combined(combined(2f, 1f)));
    assertNull(forms.near(fields));
    assertNull(forms.exact(fields));
    assertNull(forms.filter(fields));
    assertNull(forms.feature(fields));
  }

  @Test
  void sumsWhoseOrderMatters() {
    assertTrue(forms.takeCombined(combined(2f, 1.5f), true));
    assertTrue(forms.takeCombined(combined(1f, 1f, 1f), true));
    CombinedFieldQuery unsteady = combined(1f, 2f, 1f);
    assertFalse(forms.takeCombined(unsteady, true));
    assertTrue(forms.takeCombined(unsteady, false));
    assertFalse(forms.takeCombined(unsteady, true)); // beside a clause without scores
    assertTrue(forms.takeSynonyms(synonyms(0.5f, 0.25f)));
    assertTrue(forms.takeSynonyms(synonyms(1f, 1f, 1f)));
    assertFalse(forms.takeSynonyms(synonyms(1f, 0.25f, 1f)));
  }

  @Test
  void spansAsTheyAreAndAsTerms() {
    Query span = new SpanTermQuery(new Term("body", "a"));
    assertTrue(forms.takeNear(span));
    assertEquals(new TermQuery(new Term("body", "a")), forms.exact(span));
    assertNull(forms.near(span));
    assertFalse(forms.takeNear(new TermQuery(new Term("body", "a"))));
  }

  /** A text is split where the field's name ends, whatever it looks like. */
  @Test
  void fieldsThatLookLikeIntervals() {
    for (String field : List.of("", ":", "a:b", "ORDERED(", "MAXGAPS/3(ORDERED(", "UN", "a b")) {
      Query query = intervals(field);
      assertTrue(forms.takeNear(query), field);
      assertEquals(7, forms.near(query).limit(), field);
      assertEquals(field, forms.near(query).terms().getFirst().field());
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
      assertFalse(forms.takeNear(query), query.toString());
      assertNull(forms.near(query));
    }
  }
}
