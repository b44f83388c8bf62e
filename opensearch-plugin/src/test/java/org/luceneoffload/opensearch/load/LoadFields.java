/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The fields of a corpus, found out from its first lines; {@code body} is text. */
final class LoadFields {
  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d{2}-\\d{2}(T.*)?");
  private static final int MAX_KEYWORDS = 300;
  private static final List<String> TEXTS = List.of("title", "body");

  private final Map<String, List<String>> values = new TreeMap<>();
  private final Map<String, String> types = new TreeMap<>();

  private LoadFields() {}

  /** Looks at lines of a corpus. */
  static LoadFields of(List<JsonNode> docs, Path corpus) {
    LoadFields fields = new LoadFields();
    docs.forEach(fields::add);
    if (!fields.types.containsKey("body")) {
      throw new IllegalArgumentException(corpus + ": no field \"body\" in the first lines");
    }
    return fields;
  }

  private void add(JsonNode doc) {
    for (Map.Entry<String, JsonNode> field : doc.properties()) {
      JsonNode value = field.getValue();
      if (field.getKey().equals("id") || value.isNull() || value.isContainerNode()) {
        continue;
      }
      String type = TEXTS.contains(field.getKey()) ? "text" : type(value);
      types.merge(field.getKey(), type, (a, b) -> a.equals(b) ? a : "keyword");
      if (!type.equals("text")) {
        values.computeIfAbsent(field.getKey(), k -> new ArrayList<>()).add(value.asText());
      }
    }
  }

  private static String type(JsonNode value) {
    if (value.isNumber()) {
      return value.isIntegralNumber() ? "long" : "double";
    }
    return DATE.matcher(value.asText()).matches() ? "date" : "keyword";
  }

  /** The mapping, as the value of {@code mappings}; other fields are not indexed. */
  String mapping() {
    return types.entrySet().stream()
        .map(e -> "\"" + e.getKey() + "\":{\"type\":\"" + e.getValue() + "\"}")
        .collect(Collectors.joining(",", "{\"dynamic\":\"false\",\"properties\":{", "}}"));
  }

  /**
   * The first field of a type that suits filters and aggregations.
   *
   * @return null if there is none
   */
  String first(String type) {
    for (Map.Entry<String, String> field : types.entrySet()) {
      if (field.getValue().equals(type)
          && (!type.equals("keyword") || distinct(field.getKey()).size() <= MAX_KEYWORDS)) {
        return field.getKey();
      }
    }
    return null;
  }

  /** The first field with whole numbers, or dates; null if there is none. */
  String numbers() {
    String numbers = first("long");
    return numbers != null ? numbers : first("date");
  }

  /** Values of a field that were seen, each once, in order. */
  List<String> distinct(String field) {
    return List.copyOf(new TreeSet<>(values.get(field)));
  }

  /** The value below which a share of those seen are, quoted. */
  String quantile(String field, double share) {
    List<String> all = new ArrayList<>(values.get(field));
    boolean numbers = types.get(field).equals("long");
    all.sort(
        numbers ? (a, b) -> Long.compare(Long.parseLong(a), Long.parseLong(b)) : String::compareTo);
    String value = all.get(Math.min(all.size() - 1, (int) (share * all.size())));
    return numbers ? value : '"' + value + '"';
  }
}
