/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.request;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.CombinedField;
import org.luceneoffload.workload.TypedField;
import org.luceneoffload.workload.TypedFields;

/**
 * Translates the bodies of search requests, as OpenSearch takes them, to what a Lucene searcher is
 * asked for. Words are analysed by Lucene's StandardAnalyzer. What only a cluster knows, such as
 * scripts or joins, is not translated.
 */
public final class RequestParser {
  private static final int SIZE = 10;

  /** Parts that need work on the matches which plans have no words for. */
  private static final List<String> OTHER_WORK =
      List.of("rescore", "post_filter", "min_score", "suggest", "knn", "highlight");

  private final RequestFields fields;
  private final QueryBody queries;
  private final RequestAggregations aggregations;

  /** Requests to an index with these typed fields; all other fields are text. */
  public RequestParser(TypedFields fields) {
    this.fields = new RequestFields(fields);
    queries = new QueryBody(this.fields);
    aggregations = new RequestAggregations(this.fields);
  }

  /**
   * Translates a body.
   *
   * @throws UntranslatedException if there is a part without translation
   * @throws IllegalArgumentException if it is wrong; the message says why
   */
  public SearchRequest parse(JsonNode body) {
    JsonNode asked = body.get("query");
    Query query = asked == null ? MatchAllDocsQuery.INSTANCE : queries.parse(asked);
    List<Aggregation<?>> wanted = List.of();
    String otherWork = null;
    for (String part : OTHER_WORK) {
      otherWork = body.has(part) ? "\"" + part + "\"" : otherWork;
    }
    JsonNode aggs = body.has("aggs") ? body.get("aggs") : body.path("aggregations");
    try {
      wanted = aggregations.parse(aggs);
    } catch (UntranslatedException e) {
      otherWork = e.getMessage();
    }
    Sort sort = sort(body.get("sort"));
    int size = body.path("size").asInt(SIZE);
    CombinedField collapse = null;
    if (body.has("collapse")) {
      collapse = collapse(body.get("collapse"));
      if (collapse == null || sort != null || size == 0) {
        collapse = null;
        otherWork = "\"collapse\"";
      }
    }
    return new SearchRequest(
        query, size, sort, after(body.get("search_after"), sort), collapse, wanted, otherWork);
  }

  /**
   * Parses the field; null if there is more to it than a typed field of keywords or whole numbers.
   */
  private CombinedField collapse(JsonNode node) {
    String name = JsonBody.needed(node, "field", "\"collapse\"");
    TypedField field;
    try {
      field = fields.need(name);
    } catch (UntranslatedException e) {
      return null;
    }
    return node.size() > 1 || field.type() == TypedField.Type.DOUBLE
        ? null
        : new CombinedField(field.name(), field.type() == TypedField.Type.KEYWORD);
  }

  private Sort sort(JsonNode node) {
    List<SortField> keys = JsonBody.each(node, this::sortField);
    boolean byScore = keys.size() == 1 && keys.get(0) == SortField.FIELD_SCORE;
    return keys.isEmpty() || byScore ? null : new Sort(keys.toArray(SortField[]::new));
  }

  private SortField sortField(JsonNode node) {
    String name = node.isTextual() ? node.asText() : JsonBody.only(node, "a sort").getKey();
    String order = "";
    if (!node.isTextual()) {
      Map.Entry<String, JsonNode> key = JsonBody.only(node, "a sort");
      order =
          key.getValue().isTextual()
              ? key.getValue().asText()
              : key.getValue().path("order").asText();
    }
    boolean descending = order.equals("desc");
    return switch (name) {
      case "_score" ->
          order.equals("asc")
              ? new SortField(null, SortField.Type.SCORE, true)
              : SortField.FIELD_SCORE;
      case "_doc" ->
          descending ? new SortField(null, SortField.Type.DOC, true) : SortField.FIELD_DOC;
      case "_geo_distance" -> distance(node.path(name));
      default -> fields.need(name).sortField(descending);
    };
  }

  private SortField distance(JsonNode body) {
    Map.Entry<String, JsonNode> place = ValueQueries.place(body, "sort \"_geo_distance\"");
    if (!body.path("order").asText("asc").equals("asc")
        || !body.path("unit").asText("m").equals("m")
        || !body.path("mode").asText("min").equals("min")) {
      throw new UntranslatedException(
          "sort \"_geo_distance\" is translated from the nearest on, in metres");
    }
    double[] point =
        fields.needPoints(place.getKey()).point(TypedField.pointText(place.getValue()));
    return LatLonDocValuesField.newDistanceSort(place.getKey(), point[0], point[1]);
  }

  /** Parses the hit after which the page begins; docs of the same first key value count as seen. */
  private FieldDoc after(JsonNode node, Sort sort) {
    if (node == null) {
      return null;
    }
    if (sort == null || !node.isArray() || node.size() != sort.getSort().length) {
      throw JsonBody.wrong("\"search_after\" needs a value for each key of \"sort\"");
    }
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < node.size(); i++) {
      SortField key = sort.getSort()[i];
      if (key.getField() == null) {
        values.add(
            key.getType() == SortField.Type.SCORE
                ? (Object) (float) node.get(i).asDouble()
                : (Object) node.get(i).asInt());
        continue;
      }
      TypedField field = fields.get(key.getField());
      values.add(
          switch (field.type()) {
            case KEYWORD -> new BytesRef(node.get(i).asText());
            case DOUBLE, GEO -> (Object) node.get(i).asDouble();
            default -> (Object) field.numbers(node.get(i).asText(), null).min();
          });
    }
    return new FieldDoc(Integer.MAX_VALUE, Float.NaN, values.toArray());
  }
}
