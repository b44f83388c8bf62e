/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.load;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * The kinds of requests of a run: those of the workloads {@code pmc} and {@code geonames} of
 * OpenSearch Benchmark, with words of a query file in place of their few fixed ones, and the kinds
 * of text queries that they lack.
 */
final class LoadKinds {
  private static final int PAGES = 5;
  private static final int MAX_TERMS = 100;

  private final List<LoadKind> kinds = new ArrayList<>();
  private final LoadFields fields;
  private final String more;
  private final int perKind;

  private LoadKinds(LoadFields fields, String more, int perKind) {
    this.fields = fields;
    this.more = more;
    this.perKind = perKind;
  }

  /**
   * Makes them.
   *
   * @param lines of a query file: words, with {@code +} and {@code -} before them or without; lines
   *     with {@code #} are remarks
   * @param perKind different requests of a kind, at most
   * @param source whether hits come with their documents, as they do by default
   */
  static List<LoadKind> of(LoadFields fields, List<String> lines, int perKind, boolean source) {
    List<String> words = lines.stream().map(LoadKinds::words).filter(w -> !w.isEmpty()).toList();
    if (words.isEmpty()) {
      throw new IllegalArgumentException("the query file has no words");
    }
    LoadKinds made = new LoadKinds(fields, source ? "" : ",\"_source\":false", perKind);
    made.text(words);
    made.values(words);
    return made.kinds;
  }

  private static String words(String line) {
    return line.startsWith("#")
        ? ""
        : line.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} ]", " ").strip();
  }

  private void text(List<String> words) {
    add("match_all", List.of(""), w -> "{\"match_all\":{}}", "");
    add("term", words, w -> "{\"term\":{\"body\":\"" + longest(w) + "\"}}", "");
    add("phrase", words, w -> "{\"match_phrase\":{\"body\":\"" + firstTwo(w) + "\"}}", "");
    add("match_or", words, w -> match(w, "or"), "");
    add("match_and", words, w -> match(w, "and"), "");
    add(
        "multi_match",
        words,
        w -> "{\"multi_match\":{\"query\":\"" + w + "\",\"fields\":[\"title^2\",\"body\"]}}",
        "");
    add(
        "bool_not",
        words,
        w ->
            "{\"bool\":{\"must\":"
                + match(w, "or")
                + ",\"must_not\":{\"term\":{\"body\":\"also\"}}}}",
        "");
    add("count", words, w -> match(w, "or"), ",\"size\":0,\"track_total_hits\":true");
    kinds.add(
        new LoadKind(
            "scroll",
            false,
            spread(words).stream()
                .map(w -> new LoadRequest(body(match(w, "or"), ",\"size\":100"), PAGES))
                .toList()));
  }

  private void values(List<String> words) {
    String keyword = fields.first("keyword");
    String numbers = fields.numbers();
    String date = fields.first("date");
    if (keyword != null) {
      List<String> all = fields.distinct(keyword);
      String some = quoted(all.subList(0, Math.min(all.size(), MAX_TERMS)));
      add("terms", List.of(""), w -> "{\"terms\":{\"" + keyword + "\":" + some + "}}", "");
      aggregation("terms_agg", words, "{\"terms\":{\"field\":\"" + keyword + "\"}}");
    }
    if (numbers != null) {
      String from = fields.quantile(numbers, 0.25);
      String to = fields.quantile(numbers, 0.75);
      String range = "{\"range\":{\"" + numbers + "\":{\"gte\":" + from + ",\"lt\":" + to + "}}}";
      List<String> tags = keyword == null ? List.of() : fields.distinct(keyword);
      add("bool_filter", words, w -> filtered(w, range), "");
      if (!tags.isEmpty()) {
        String half = quoted(tags.subList(0, (tags.size() + 1) / 2));
        String among = "{\"terms\":{\"" + keyword + "\":" + half + "}}";
        add("bool_filters", words, w -> filtered(w, "[" + range + "," + among + "]"), "");
      }
      add("sort_desc", words, w -> match(w, "or"), sort(numbers, "desc"));
      add("sort_asc", words, w -> match(w, "or"), sort(numbers, "asc"));
      add(
          "search_after",
          words,
          w -> match(w, "or"),
          sort(numbers, "desc") + ",\"search_after\":[" + fields.quantile(numbers, 0.5) + "]");
      aggregation("stats_agg", words, "{\"stats\":{\"field\":\"" + numbers + "\"}}");
      aggregation(
          "range_agg",
          words,
          "{\"range\":{\"field\":\""
              + numbers
              + "\",\"ranges\":[{\"to\":"
              + from
              + "},{\"from\":"
              + from
              + ",\"to\":"
              + to
              + "},{\"from\":"
              + to
              + "}]}}",
          numbers.equals(date) ? "date_range" : "range");
    }
    if (date != null) {
      aggregation(
          "date_histogram_agg",
          words,
          "{\"date_histogram\":{\"field\":\"" + date + "\",\"calendar_interval\":\"month\"}}");
    }
  }

  private static String filtered(String words, String filter) {
    return "{\"bool\":{\"must\":" + match(words, "or") + ",\"filter\":" + filter + "}}";
  }

  private static String sort(String field, String order) {
    return ",\"sort\":[{\"" + field + "\":\"" + order + "\"}]";
  }

  private static String match(String words, String operator) {
    return "{\"match\":{\"body\":{\"query\":\"" + words + "\",\"operator\":\"" + operator + "\"}}}";
  }

  private void aggregation(String name, List<String> words, String range, String kind) {
    aggregation(name, words, range.replaceFirst("\"range\"", '"' + kind + '"'));
  }

  private void aggregation(String name, List<String> words, String aggregation) {
    kinds.add(
        new LoadKind(
            name,
            true,
            spread(words).stream()
                .map(
                    w ->
                        new LoadRequest(
                            body(
                                match(w, "or"), ",\"size\":0,\"aggs\":{\"a\":" + aggregation + "}"),
                            1))
                .toList()));
  }

  private void add(String name, List<String> words, Function<String, String> query, String rest) {
    kinds.add(
        new LoadKind(
            name,
            false,
            spread(words).stream()
                .map(w -> new LoadRequest(body(query.apply(w), rest), 1))
                .toList()));
  }

  private String body(String query, String rest) {
    return "{\"query\":" + query + rest + more + "}";
  }

  /** So many lines of the whole file: neighbours in it are of one shape. */
  private List<String> spread(List<String> words) {
    int count = Math.min(perKind, words.size());
    List<String> some = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      some.add(words.get((int) ((long) i * words.size() / count)));
    }
    return some;
  }

  private static String longest(String words) {
    return Arrays.stream(words.split(" +")).max((a, b) -> a.length() - b.length()).orElseThrow();
  }

  private static String firstTwo(String words) {
    String[] all = words.split(" +");
    return all.length == 1 ? all[0] : all[0] + " " + all[1];
  }

  private static String quoted(List<String> values) {
    return "[\"" + String.join("\",\"", values) + "\"]";
  }
}
