/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import java.util.Random;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.intervals.IntervalQuery;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.apache.lucene.queries.spans.SpanNearQuery;
import org.apache.lucene.queries.spans.SpanOrQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.search.BlendedTermQuery;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.WildcardQuery;

/**
 * Queries over several terms that are more than a Boolean of them: most rewrite to trees of terms
 * that bring statistics and states of their own, others have the positions to say.
 */
public final class ExpandingQueries {
  private final Schema schema;
  private final Random random;

  public ExpandingQueries(Schema schema, Random random) {
    this.schema = schema;
    this.random = random;
  }

  public Query any() {
    FieldPlan text = schema.text(random);
    return switch (random.nextInt(9)) {
      case 0 -> new FuzzyQuery(term(text), random.nextInt(3), random.nextInt(2));
      case 1 -> new FuzzyQuery(term(text), 1, 1, 1 + random.nextInt(20), true, expansion());
      case 2 -> new PrefixQuery(term(text, "w" + random.nextInt(10)), expansion());
      case 3 -> wildcard(text);
      case 4 -> combined();
      case 5 -> spans(text);
      case 6 -> intervals(text);
      case 7 -> new PrefixQuery(term(text, "w")); // asked again and again in one index
      default -> blended();
    };
  }

  private static Term term(FieldPlan text, String word) {
    return new Term(text.name(), word);
  }

  private Term term(FieldPlan text) {
    return term(text, text.word(random));
  }

  private MultiTermQuery.RewriteMethod expansion() {
    int most = 1 + random.nextInt(20);
    return switch (random.nextInt(7)) {
      case 0 -> MultiTermQuery.CONSTANT_SCORE_BOOLEAN_REWRITE;
      case 1 -> MultiTermQuery.CONSTANT_SCORE_REWRITE;
      case 2 -> MultiTermQuery.SCORING_BOOLEAN_REWRITE;
      case 3 -> new MultiTermQuery.TopTermsBoostOnlyBooleanQueryRewrite(most);
      case 4 -> new MultiTermQuery.TopTermsScoringBooleanQueryRewrite(most);
      default -> new MultiTermQuery.TopTermsBlendedFreqScoringRewrite(most);
    };
  }

  private Query wildcard(FieldPlan text) {
    return new WildcardQuery(
        term(text, "w*" + random.nextInt(10)),
        10_000,
        random.nextBoolean() ? expansion() : MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE);
  }

  private Query blended() {
    BlendedTermQuery.Builder builder = new BlendedTermQuery.Builder();
    int count = 1 + random.nextInt(4);
    for (int i = 0; i < count; i++) {
      builder.add(schema.term(random), random.nextBoolean() ? 1f : 3 * random.nextFloat());
    }
    if (random.nextBoolean()) {
      builder.setRewriteMethod(BlendedTermQuery.BOOLEAN_REWRITE);
    }
    return builder.build();
  }

  /** Fields that differ in their norms are refused. */
  private Query combined() {
    FieldPlan text = schema.text(random);
    CombinedFieldQuery.Builder builder =
        new CombinedFieldQuery.Builder(text.word(random)).addField(text.name());
    FieldPlan other = schema.text(random);
    if (other.type().omitNorms() == text.type().omitNorms()) {
      builder.addField(other.name(), 1 + 2 * random.nextFloat());
    }
    return builder.build();
  }

  private Query spans(FieldPlan text) {
    if (!text.hasPositions()) {
      return blended();
    }
    SpanTermQuery first = new SpanTermQuery(term(text));
    SpanTermQuery second = new SpanTermQuery(term(text));
    if (random.nextBoolean()) {
      return new SpanOrQuery(first, second);
    }
    return SpanNearQuery.newOrderedNearQuery(text.name())
        .addClause(first)
        .addClause(second)
        .setSlop(random.nextInt(5))
        .build();
  }

  private Query intervals(FieldPlan text) {
    if (!text.hasPositions()) {
      return blended();
    }
    IntervalsSource first = Intervals.term(text.word(random));
    IntervalsSource second = Intervals.term(text.word(random));
    return new IntervalQuery(
        text.name(),
        random.nextBoolean()
            ? Intervals.maxgaps(random.nextInt(5), Intervals.unordered(first, second))
            : Intervals.or(first, second));
  }
}
