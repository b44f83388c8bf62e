/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.util.UnicodeUtil;

/**
 * One line of a corpus: a JSON object with {@code id} (string or integer), {@code body} (string),
 * perhaps {@code title} (string) and typed fields. Others are ignored.
 *
 * @param typed the document's typed fields
 */
public record CorpusLine(String id, String title, String body, Document typed) {
  /** Lines are in memory already: their parts may be as long as they are. */
  private static final StreamReadConstraints NO_LIMITS =
      StreamReadConstraints.builder()
          .maxStringLength(Integer.MAX_VALUE)
          .maxNumberLength(Integer.MAX_VALUE)
          .build();

  private static final ObjectReader JSON =
      JsonMapper.builder(JsonFactory.builder().streamReadConstraints(NO_LIMITS).build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build()
          .readerFor(JsonNode.class);

  /** Where the parser says that a value began, in its own words. */
  private static final Pattern SOURCE = Pattern.compile("\\[Source: [^\\]]*column: (\\d+)\\]");

  /** Which of its settings the parser obeys. */
  private static final Pattern SETTING = Pattern.compile("(, | \\()from `[^`]*`");

  /**
   * Reads a line.
   *
   * @param origin file and line, for the message
   * @param fields its typed fields
   * @throws InputException if the line is not such an object; the message says where and why
   */
  public static CorpusLine parse(byte[] line, String origin, TypedFields fields) {
    JsonNode node = tree(line, origin);
    Document typed = new Document();
    fields.addTo(typed, node, origin);
    String title = text(node, "title", false, origin);
    return new CorpusLine(id(node, origin), title, body(node, origin), typed);
  }

  /** Returns whether a field is one that every line may have. */
  static boolean isOwnField(String name) {
    return name.equals("id") || name.equals("title") || name.equals("body");
  }

  /** Reads a line as a JSON object. */
  public static JsonNode tree(byte[] line, String origin) {
    JsonNode node;
    try {
      node = JSON.readTree(decode(line, origin));
    } catch (JsonProcessingException e) {
      long column = e.getLocation() == null ? 0 : e.getLocation().getColumnNr();
      String where = column > 0 ? " (column " + column + ")" : "";
      throw new InputException(origin + ": not JSON" + where + ": " + reason(e), e);
    }
    if (node == null || !node.isObject()) {
      String found = node == null ? "nothing" : node.getNodeType().name().toLowerCase(Locale.ROOT);
      throw new InputException(origin + ": a JSON object is needed, not " + article(found));
    }
    return node;
  }

  /**
   * Decodes UTF-8 strictly; a byte order mark at the start is left out.
   *
   * @param origin file and line, for the message
   */
  public static String decode(byte[] line, String origin) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
      return text.startsWith("\ufeff") ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw new InputException(origin + ": not UTF-8", e);
    }
  }

  private static String reason(JsonProcessingException e) {
    String message = SOURCE.matcher(e.getOriginalMessage()).replaceAll("column $1");
    return SETTING.matcher(message).replaceAll(m -> m.group(1).equals(" (") ? " (" : "");
  }

  private static String id(JsonNode node, String origin) {
    JsonNode value = node.get("id");
    String id =
        value != null && value.isIntegralNumber() ? value.asText() : text(node, "id", true, origin);
    int bytes = UnicodeUtil.calcUTF16toUTF8Length(id, 0, id.length());
    if (bytes > IndexWriter.MAX_TERM_LENGTH) {
      throw new InputException(
          String.format(
              Locale.ROOT,
              "%s: field \"id\" has %,d bytes, more than the %,d that Lucene takes",
              origin,
              bytes,
              IndexWriter.MAX_TERM_LENGTH));
    }
    return id;
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
    typed.forEach(document::add);
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
