/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.requests;

import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Random queries over {@link RandomDocs}, in the query DSL. */
final class RandomQuery {
  private final Random random;
  private final boolean nested;

  RandomQuery(Random random, boolean nested) {
    this.random = random;
    this.nested = nested;
  }

  /** A query; {@code depth} times something may be put into another. */
  String next(int depth) {
    int kinds = depth > 0 ? 25 : 18;
    return switch (random.nextInt(kinds)) {
      case 0, 1, 2 -> match(text(), "");
      case 3 -> match(text(), ",\"operator\":\"and\"");
      case 4 -> match(text(), ",\"minimum_should_match\":" + (1 + random.nextInt(3)));
      case 5 -> one("term", text(), quoted(word()));
      case 6 -> one("term", keyword(), quoted(tag()));
      case 7 -> one("terms", keyword(), "[" + list(1, 4, this::tag) + "]");
      case 8 -> range();
      case 9 -> one("match_phrase", "body", quoted(word() + " " + word()));
      case 10 -> one("prefix", text(), quoted("w1" + random.nextInt(10)));
      case 11 -> "{\"exists\":{\"field\":\"" + pick("title", "tag", "price", "body") + "\"}}";
      case 12 ->
          "{\"multi_match\":{\"query\":\""
              + words()
              + "\",\"fields\":[\"title^"
              + (1 + random.nextInt(3))
              + "\",\"body\"],\"type\":\""
              + pick("best_fields", "most_fields", "cross_fields", "phrase")
              + "\"}}";
      case 13 ->
          "{\"query_string\":{\"default_field\":\"body\",\"query\":\"+"
              + word()
              + " "
              + word()
              + " -"
              + word()
              + "\"}}";
      case 14 ->
          "{\"simple_query_string\":{\"fields\":[\"body\",\"title\"],\"query\":\""
              + word()
              + " | "
              + word()
              + " + "
              + word()
              + "\"}}";
      case 15 ->
          random.nextBoolean() ? "{\"match_all\":{}}" : one("wildcard", "body", quoted("w?7"));
      case 16 -> nested ? nested() : one("term", "flag", "true");
      case 17 -> near();
      case 18, 19, 20, 21 -> bool(depth - 1);
      case 22 ->
          "{\"dis_max\":{\"tie_breaker\":0."
              + random.nextInt(10)
              + ",\"queries\":["
              + next(depth - 1)
              + ","
              + next(depth - 1)
              + "]}}";
      case 23 -> "{\"constant_score\":{\"boost\":1.5,\"filter\":" + next(depth - 1) + "}}";
      default ->
          random.nextBoolean()
              ? "{\"function_score\":{\"query\":"
                  + next(depth - 1)
                  + ",\"functions\":[{\"filter\":"
                  + one("term", "status", quoted("s1"))
                  + ",\"weight\":2}]}}"
              : "{\"boosting\":{\"positive\":"
                  + next(depth - 1)
                  + ",\"negative\":"
                  + one("term", "status", quoted("s1"))
                  + ",\"negative_boost\":0.5}}";
    };
  }

  private String bool(int depth) {
    StringBuilder clauses = new StringBuilder();
    String[] kinds = {"must", "should", "filter", "must_not"};
    for (int i = 0; i < kinds.length; i++) {
      if (random.nextInt(i == kinds.length - 1 ? 3 : 2) == 0) {
        clauses.append(clauses.isEmpty() ? "" : ",");
        clauses.append('"').append(kinds[i]).append("\":[");
        int count = 1 + random.nextInt(2);
        for (int j = 0; j < count; j++) {
          clauses.append(j == 0 ? "" : ",").append(next(depth));
        }
        clauses.append(']');
      }
    }
    if (random.nextInt(4) == 0) {
      clauses.append(clauses.isEmpty() ? "" : ",").append("\"boost\":2.5");
    }
    return "{\"bool\":{" + clauses + "}}";
  }

  String range() {
    return switch (random.nextInt(3)) {
      case 0 -> one("range", "qty", "{\"gte\":" + random.nextInt(60) + ",\"lt\":70}");
      case 1 -> one("range", "price", "{\"gt\":" + random.nextInt(900) + "}");
      default ->
          one(
              "range",
              "when",
              "{\"lte\":" + (1_700_000_000_000L + random.nextInt(4_000) * 1_000_000L) + "}");
    };
  }

  private String near() {
    return random.nextBoolean()
        ? "{\"geo_distance\":{\"distance\":\""
            + (1 + random.nextInt(250))
            + "km\",\"place\":"
            + RandomDocs.place(random)
            + "}}"
        : one(
            "geo_bounding_box",
            "place",
            "{\"top_left\":{\"lat\":1."
                + random.nextInt(10)
                + ",\"lon\":179."
                + random.nextInt(10)
                + "},\"bottom_right\":{\"lat\":-1,\"lon\":"
                + pick("180", "-179.5", "-178.1")
                + "}}");
  }

  private String nested() {
    return "{\"nested\":{\"path\":\"comments\",\"score_mode\":\""
        + pick("avg", "max", "sum", "none")
        + "\",\"query\":"
        + (random.nextBoolean()
            ? match("comments.text", "")
            : one("term", "comments.author", quoted(tag())))
        + "}}";
  }

  private String match(String field, String more) {
    return "{\"match\":{\"" + field + "\":{\"query\":\"" + words() + "\"" + more + "}}}";
  }

  private static String one(String kind, String field, String value) {
    return "{\"" + kind + "\":{\"" + field + "\":" + value + "}}";
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  private String list(int least, int most, java.util.function.Supplier<String> item) {
    return IntStream.range(0, least + random.nextInt(most))
        .mapToObj(i -> quoted(item.get()))
        .collect(Collectors.joining(","));
  }

  private String words() {
    return RandomDocs.words(random, 1, 5);
  }

  private String word() {
    return RandomDocs.word(random);
  }

  private String tag() {
    return "t" + random.nextInt(RandomDocs.TAGS);
  }

  private String text() {
    return pick("body", "body", "title");
  }

  private String keyword() {
    return pick("tag", "status");
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }
}
