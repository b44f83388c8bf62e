/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * JSON as plain Java: maps, lists, strings, longs, decimals, booleans and nulls. A key that stands
 * twice in an object is an error, and so is anything after the first value.
 */
final class JsonTree {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /** How the parser writes a place; it does not keep the text. */
  private static final Pattern PLACE =
      Pattern.compile("\\[Source: [^\\]]*line: (\\d+), column: (\\d+)\\]");

  private JsonTree() {}

  /** Reads one document; errors name {@code name}, line and column. */
  static Object read(String text, String name) throws ProfileException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() == null) {
        throw new ProfileException(name + ": the file is empty");
      }
      Object value = value(parser);
      if (parser.nextToken() != null) {
        throw new ProfileException(
            name
                + ": there is more after the end of the JSON object, at line "
                + parser.currentTokenLocation().getLineNr());
      }
      return value;
    } catch (JsonProcessingException e) {
      throw new ProfileException(
          name
              + ": it is not valid JSON: "
              + place(e.getLocation())
              + PLACE.matcher(e.getOriginalMessage()).replaceAll("line $1, column $2"),
          e);
    } catch (ProfileException e) {
      throw e;
    } catch (IOException e) {
      throw new ProfileException(name + ": " + e.getMessage(), e);
    }
  }

  /** Returns where a fault is; a limit of the parser, such as that of nesting, has no place. */
  private static String place(JsonLocation location) {
    return location == null
        ? ""
        : "line " + location.getLineNr() + ", column " + location.getColumnNr() + ": ";
  }

  private static Object value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> {
        Map<String, Object> map = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String key = parser.currentName();
          parser.nextToken();
          map.put(key, value(parser));
        }
        yield map;
      }
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(parser));
        }
        yield list;
      }
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT ->
          parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? parser.getDecimalValue()
              : (Object) parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDecimalValue();
      case VALUE_TRUE -> Boolean.TRUE;
      case VALUE_FALSE -> Boolean.FALSE;
      default -> null;
    };
  }
}
