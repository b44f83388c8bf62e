/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.request;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;

/** The {@code query} part of a body, as Lucene's queries. */
final class QueryBody {
  private final TextQueries texts;
  private final ValueQueries values;
  private final PositionQueries positions;

  QueryBody(RequestFields fields) {
    texts = new TextQueries(fields);
    values = new ValueQueries(fields);
    positions = new PositionQueries(fields);
  }

  /**
   * Translates a query.
   *
   * @throws UntranslatedException if its kind is not translated
   * @throws IllegalArgumentException if it is wrong; the message says why
   */
  Query parse(JsonNode node) {
    Map.Entry<String, JsonNode> kind = JsonBody.only(node, "a query");
    JsonNode body = kind.getValue();
    return switch (kind.getKey()) {
      case "match_all" -> boosted(MatchAllDocsQuery.INSTANCE, body);
      case "match_none" -> MatchNoDocsQuery.INSTANCE;
      case "bool" -> boosted(bool(body), body);
      case "constant_score" -> boosted(new ConstantScoreQuery(parse(body.path("filter"))), body);
      case "dis_max" -> boosted(disMax(body), body);
      case "match" -> field(kind, texts::match);
      case "match_phrase" -> field(kind, texts::phrase);
      case "match_bool_prefix", "match_phrase_prefix" -> throw untranslated(kind.getKey());
      case "multi_match" -> boosted(texts.multiMatch(body), body);
      case "query_string" -> boosted(texts.queryString(body), body);
      case "prefix" -> field(kind, texts::prefix);
      case "wildcard" -> field(kind, texts::wildcard);
      case "regexp" -> field(kind, texts::regexp);
      case "fuzzy" -> field(kind, texts::fuzzy);
      case "combined_fields" -> boosted(texts.combinedFields(body), body);
      case "term" -> field(kind, values::term);
      case "terms" -> values.terms(body);
      case "range" -> field(kind, values::range);
      case "exists" -> boosted(values.exists(body), body);
      case "ids" -> boosted(values.ids(body), body);
      case "span_near" -> boosted(positions.spanNear(body), body);
      case "intervals" -> field(kind, positions::intervals);
      case "geo_bounding_box" -> boosted(values.box(body), body);
      case "geo_distance" -> boosted(values.distance(body), body);
      case "geo_polygon" -> boosted(values.polygon(body), body);
      case "rank_feature" -> boosted(values.rankFeature(body), body);
      default -> throw untranslated(kind.getKey());
    };
  }

  static UntranslatedException untranslated(String kind) {
    return new UntranslatedException("query \"" + kind + "\" is not translated");
  }

  /** A kind of query about one field. */
  private interface OfField {
    Query make(String field, JsonNode body);
  }

  private static Query field(Map.Entry<String, JsonNode> kind, OfField maker) {
    Map.Entry<String, JsonNode> field =
        JsonBody.only(kind.getValue(), "query \"" + kind.getKey() + "\"");
    return boosted(maker.make(field.getKey(), field.getValue()), field.getValue());
  }

  private static Query boosted(Query query, JsonNode body) {
    float boost = (float) body.path("boost").asDouble(1);
    return boost == 1f ? query : new BoostQuery(query, boost);
  }

  private Query bool(JsonNode body) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    add(builder, body.get("must"), Occur.MUST);
    add(builder, body.get("filter"), Occur.FILTER);
    add(builder, body.get("must_not"), Occur.MUST_NOT);
    add(builder, body.get("should"), Occur.SHOULD);
    List<?> shoulds = JsonBody.each(body.get("should"), node -> node);
    JsonNode least = body.path("minimum_should_match");
    if (!least.isMissingNode()) {
      builder.setMinimumNumberShouldMatch(TextQueries.least(least.asText(), shoulds.size()));
    }
    BooleanQuery bool = builder.build();
    boolean onlyProhibited =
        !bool.clauses().isEmpty()
            && bool.clauses().stream().allMatch(clause -> clause.occur() == Occur.MUST_NOT);
    return bool.clauses().isEmpty()
        ? MatchAllDocsQuery.INSTANCE
        : onlyProhibited ? builder.add(MatchAllDocsQuery.INSTANCE, Occur.FILTER).build() : bool;
  }

  private void add(BooleanQuery.Builder builder, JsonNode clauses, Occur occur) {
    JsonBody.each(clauses, this::parse).forEach(query -> builder.add(query, occur));
  }

  private Query disMax(JsonNode body) {
    return new DisjunctionMaxQuery(
        JsonBody.each(body.get("queries"), this::parse),
        (float) body.path("tie_breaker").asDouble(0));
  }
}
