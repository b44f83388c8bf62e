/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.request;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.intervals.IntervalQuery;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.apache.lucene.queries.spans.SpanNearQuery;
import org.apache.lucene.queries.spans.SpanQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.search.Query;

/** Spans and intervals, of terms alone. */
final class PositionQueries {
  private final RequestFields fields;

  PositionQueries(RequestFields fields) {
    this.fields = fields;
  }

  Query spanNear(JsonNode body) {
    SpanQuery[] clauses =
        JsonBody.each(body.get("clauses"), PositionQueries::spanTerm).toArray(SpanQuery[]::new);
    return new SpanNearQuery(
        clauses, body.path("slop").asInt(0), body.path("in_order").asBoolean(true));
  }

  private static SpanQuery spanTerm(JsonNode node) {
    Map.Entry<String, JsonNode> kind = JsonBody.only(node, "a span");
    if (!kind.getKey().equals("span_term")) {
      throw QueryBody.untranslated(kind.getKey());
    }
    Map.Entry<String, JsonNode> field = JsonBody.only(kind.getValue(), "query \"span_term\"");
    return new SpanTermQuery(
        new Term(field.getKey(), JsonBody.text(field.getValue(), "value", "query \"span_term\"")));
  }

  /** Parses a rule {@code match}: the words of a text. */
  Query intervals(String field, JsonNode body) {
    JsonNode match = body.path("match");
    if (!match.isObject()) {
      throw new UntranslatedException("query \"intervals\" is translated with rule \"match\" only");
    }
    List<Term> terms = fields.terms(field, JsonBody.needed(match, "query", "rule \"match\""));
    IntervalsSource[] sources =
        terms.stream().map(term -> Intervals.term(term.text())).toArray(IntervalsSource[]::new);
    IntervalsSource all =
        match.path("ordered").asBoolean(false)
            ? Intervals.ordered(sources)
            : Intervals.unordered(sources);
    int gaps = match.path("max_gaps").asInt(-1);
    return new IntervalQuery(field, gaps < 0 ? all : Intervals.maxgaps(gaps, all));
  }
}
