/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.Locale;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;

/**
 * One line of a corpus: a JSON object with {@code id} (string or number), {@code body} (string) and
 * perhaps {@code title} (string). Other fields are ignored.
 */
public record CorpusLine(String id, String title, String body) {
  private static final ObjectReader JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .readerFor(JsonNode.class);

  /**
   * Reads a line.
   *
   * @param origin file and line, for the message
   * @throws InputException if the line is not such an object; the message says where and why
   */
  public static CorpusLine parse(byte[] line, String origin) {
    JsonNode node;
    try {
      node = JSON.readTree(line);
    } catch (JsonProcessingException e) {
      long column = e.getLocation() == null ? 0 : e.getLocation().getColumnNr();
      String where = column > 0 ? " (column " + column + ")" : "";
      throw new InputException(origin + ": not JSON" + where + ": " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new InputException(origin + ": not UTF-8: " + e.getMessage(), e);
    }
    if (node == null || !node.isObject()) {
      String found = node == null ? "nothing" : node.getNodeType().name().toLowerCase(Locale.ROOT);
      throw new InputException(origin + ": a JSON object is needed, not " + article(found));
    }
    JsonNode id = node.get("id");
    if (id != null && id.isIntegralNumber()) {
      return new CorpusLine(id.asText(), text(node, "title", false, origin), body(node, origin));
    }
    return new CorpusLine(
        text(node, "id", true, origin), text(node, "title", false, origin), body(node, origin));
  }

  /** Returns whether a line holds nothing but spaces and tabs. */
  public static boolean isBlank(byte[] line) {
    for (byte b : line) {
      if (b != ' ' && b != '\t') {
        return false;
      }
    }
    return true;
  }

  /** Returns the document of this line, with the fields that {@code ./offload index} gives it. */
  public Document document() {
    Document document = new Document();
    document.add(new StringField("id", id, Field.Store.YES));
    document.add(new TextField("title", title, Field.Store.YES));
    document.add(new TextField("body", body, Field.Store.NO));
    return document;
  }

  private static String article(String type) {
    return switch (type) {
      case "array" -> "an array";
      case "nothing", "null" -> type;
      default -> "a " + type;
    };
  }

  private static String body(JsonNode node, String origin) {
    return text(node, "body", true, origin);
  }

  private static String text(JsonNode node, String field, boolean needed, String origin) {
    JsonNode value = node.get(field);
    if (value == null || value.isNull()) {
      if (needed) {
        throw new InputException(origin + ": field \"" + field + "\" is missing");
      }
      return "";
    }
    if (!value.isTextual()) {
      String type = value.getNodeType().name().toLowerCase(Locale.ROOT);
      throw new InputException(
          origin + ": field \"" + field + "\" must be a string, not " + article(type));
    }
    return value.textValue();
  }
}
