/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.explore;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a browser asks, out of the part of a URL behind the question mark.
 *
 * @param query in Lucene's classic syntax; empty: every document
 * @param filters queries that hits must match as well, without a part in the score
 * @param sort order of the hits as {@code --sort} has it; null: by score
 * @param from hits before the first one that is wanted
 * @param size hits wanted
 * @param profile of the device to be modelled; empty: none
 * @param caret place in the query at which a word is to be completed
 */
record ExploreRequest(
    String query,
    List<String> filters,
    String sort,
    int from,
    int size,
    String profile,
    int caret) {
  /** Hits that can be paged through. */
  static final int MAX_HITS = 10_000;

  static final int MAX_PAGE = 100;
  static final int MAX_QUERY_CHARS = 2_000;
  static final int MAX_FILTERS = 16;
  private static final int DEFAULT_PAGE = 10;

  /**
   * Parses what a browser asks.
   *
   * @param rawQuery the encoded part of the URL; null: empty
   * @throws RequestException if a part is too large or no number
   */
  static ExploreRequest parse(String rawQuery) throws RequestException {
    Map<String, List<String>> parts = parts(rawQuery == null ? "" : rawQuery);
    String query = first(parts, "q", "");
    List<String> filters = parts.getOrDefault("filter", List.of());
    if (filters.size() > MAX_FILTERS) {
      throw RequestException.wrong("at most " + MAX_FILTERS + " filters can be set");
    }
    for (String text : filters) {
      checkLength(text);
    }
    checkLength(query);
    int size = number(parts, "size", DEFAULT_PAGE, 1, MAX_PAGE);
    int from = number(parts, "from", 0, 0, MAX_HITS - size);
    String sort = first(parts, "sort", "");
    checkLength(sort);
    return new ExploreRequest(
        query.strip(),
        filters,
        sort.isBlank() ? null : sort,
        from,
        size,
        first(parts, "profile", ""),
        number(parts, "caret", query.length(), 0, query.length()));
  }

  private static void checkLength(String text) throws RequestException {
    if (text.length() > MAX_QUERY_CHARS) {
      throw RequestException.wrong(
          "a query has at most " + MAX_QUERY_CHARS + " characters, not " + text.length());
    }
  }

  private static Map<String, List<String>> parts(String rawQuery) {
    Map<String, List<String>> parts = new HashMap<>();
    for (String part : rawQuery.split("&")) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        parts
            .computeIfAbsent(decoded(part.substring(0, equals)), key -> new ArrayList<>())
            .add(decoded(part.substring(equals + 1)));
      }
    }
    return parts;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static String first(Map<String, List<String>> parts, String name, String otherwise) {
    List<String> values = parts.get(name);
    return values == null ? otherwise : values.getFirst();
  }

  private static int number(
      Map<String, List<String>> parts, String name, int otherwise, int least, int most)
      throws RequestException {
    String text = first(parts, name, null);
    if (text == null) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw RequestException.wrong(name + " must be from " + least + " to " + most);
  }
}
