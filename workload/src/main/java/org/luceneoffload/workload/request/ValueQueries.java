/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.request;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.workload.TypedField;

/** Queries about exact values. */
final class ValueQueries {
  /** What a query or a sort about points has beside the name of its field. */
  private static final Set<String> OPTIONS =
      Set.of(
          "distance",
          "distance_type",
          "type",
          "validation_method",
          "ignore_unmapped",
          "order",
          "unit",
          "mode",
          "boost",
          "_name");

  private final RequestFields fields;

  ValueQueries(RequestFields fields) {
    this.fields = fields;
  }

  Query term(String field, JsonNode body) {
    String value = JsonBody.text(body, "value", "query \"term\"");
    TypedField typed = fields.get(field);
    return typed == null ? new TermQuery(new Term(field, value)) : typed.exactly(value);
  }

  Query terms(JsonNode body) {
    for (Map.Entry<String, JsonNode> part : body.properties()) {
      if (part.getValue().isArray()) {
        List<String> values = JsonBody.each(part.getValue(), JsonNode::asText);
        TypedField typed = fields.get(part.getKey());
        return typed == null
            ? new TermInSetQuery(part.getKey(), values.stream().map(BytesRef::new).toList())
            : typed.anyOf(values);
      }
    }
    throw JsonBody.wrong("query \"terms\" needs a field with an array of values");
  }

  Query range(String field, JsonNode body) {
    String from = end(body, "gte", "gt");
    String to = end(body, "lte", "lt");
    return fields.need(field).range(from, to, !body.has("gt"), !body.has("lt"));
  }

  private static String end(JsonNode body, String with, String without) {
    JsonNode end = body.has(with) ? body.get(with) : body.get(without);
    return end == null || end.isNull() ? null : end.asText();
  }

  /** Returns the name of the field of a query or a sort about points, and what it has of it. */
  static Map.Entry<String, JsonNode> place(JsonNode body, String what) {
    for (Map.Entry<String, JsonNode> part : body.properties()) {
      if (!OPTIONS.contains(part.getKey())) {
        return part;
      }
    }
    throw JsonBody.wrong(what + " needs a field");
  }

  Query box(JsonNode body) {
    Map.Entry<String, JsonNode> field = place(body, "query \"geo_bounding_box\"");
    TypedField typed = fields.needPoints(field.getKey());
    JsonNode corners = field.getValue();
    if (!corners.has("top_left") || !corners.has("bottom_right")) {
      throw new UntranslatedException(
          "query \"geo_bounding_box\" is translated with \"top_left\" and \"bottom_right\"");
    }
    double[] topLeft = typed.point(TypedField.pointText(corners.get("top_left")));
    double[] bottomRight = typed.point(TypedField.pointText(corners.get("bottom_right")));
    return typed.range(
        bottomRight[0] + "," + topLeft[1], topLeft[0] + "," + bottomRight[1], true, true);
  }

  Query distance(JsonNode body) {
    String distance = JsonBody.needed(body, "distance", "query \"geo_distance\"");
    Map.Entry<String, JsonNode> field = place(body, "query \"geo_distance\"");
    return fields
        .needPoints(field.getKey())
        .exactly(TypedField.pointText(field.getValue()) + "," + distance);
  }

  Query polygon(JsonNode body) {
    Map.Entry<String, JsonNode> field = place(body, "query \"geo_polygon\"");
    JsonNode corners = field.getValue().path("points");
    if (corners.isEmpty()) {
      throw JsonBody.wrong("query \"geo_polygon\" needs \"points\"");
    }
    return fields.needPoints(field.getKey()).polygon(JsonBody.each(corners, TypedField::pointText));
  }

  Query exists(JsonNode body) {
    return new FieldExistsQuery(JsonBody.needed(body, "field", "query \"exists\""));
  }

  Query ids(JsonNode body) {
    return new TermInSetQuery(
        "id", JsonBody.each(body.get("values"), id -> new BytesRef(id.asText())));
  }

  /** Parses a query of a feature, whose name is the last part of the field's. */
  Query rankFeature(JsonNode body) {
    String field = JsonBody.needed(body, "field", "query \"rank_feature\"");
    int dot = field.lastIndexOf('.');
    if (dot < 1) {
      throw JsonBody.wrong("query \"rank_feature\" needs a field FIELD.FEATURE, not " + field);
    }
    String name = field.substring(0, dot);
    String feature = field.substring(dot + 1);
    if (body.has("log")) {
      float scaling = (float) body.get("log").path("scaling_factor").asDouble(1);
      return FeatureField.newLogQuery(name, feature, 1f, scaling);
    } else if (body.has("sigmoid")) {
      JsonNode sigmoid = body.get("sigmoid");
      return FeatureField.newSigmoidQuery(
          name,
          feature,
          1f,
          (float) sigmoid.path("pivot").asDouble(1),
          (float) sigmoid.path("exponent").asDouble(1));
    } else if (body.has("linear")) {
      return FeatureField.newLinearQuery(name, feature, 1f);
    }
    JsonNode pivot = body.path("saturation").path("pivot");
    return pivot.isNumber()
        ? FeatureField.newSaturationQuery(name, feature, 1f, (float) pivot.asDouble())
        : FeatureField.newSaturationQuery(name, feature);
  }
}
