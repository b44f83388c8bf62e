/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.request;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Parts of a request's body, checked. */
final class JsonBody {
  private JsonBody() {}

  /** Returns the one field of an object: its name and value. */
  static Map.Entry<String, JsonNode> only(JsonNode node, String what) {
    if (!node.isObject() || node.size() != 1) {
      throw wrong(what + " needs an object with one field");
    }
    return node.properties().iterator().next();
  }

  /**
   * Returns the parameters of a query about one field. Many kinds may be written {@code {"f":
   * value}}.
   */
  static JsonNode parameter(JsonNode of, String name) {
    return of.isObject() ? of.path(name) : of.path(-1);
  }

  /** Returns a value that may be written alone or as a field of an object. */
  static String text(JsonNode of, String name, String what) {
    JsonNode value = of.isObject() ? of.get(name) : of;
    if (value == null || value.isContainerNode() || value.isNull()) {
      throw wrong(what + " needs \"" + name + "\"");
    }
    return value.asText();
  }

  /** Returns a text that an object has to have. */
  static String needed(JsonNode of, String name, String what) {
    JsonNode value = of.get(name);
    if (value == null || value.isContainerNode() || value.isNull()) {
      throw wrong(what + " needs \"" + name + "\"");
    }
    return value.asText();
  }

  /** Returns one object or an array of them; none if there is nothing. */
  static <T> List<T> each(JsonNode nodes, Function<JsonNode, T> function) {
    if (nodes == null || nodes.isMissingNode() || nodes.isNull()) {
      return List.of();
    }
    Iterable<JsonNode> all = nodes.isArray() ? nodes : List.of(nodes);
    List<T> out = new ArrayList<>();
    all.forEach(node -> out.add(function.apply(node)));
    return out;
  }

  /** Returns the exception for a wrong body. */
  static IllegalArgumentException wrong(String why) {
    return new IllegalArgumentException(why);
  }
}
