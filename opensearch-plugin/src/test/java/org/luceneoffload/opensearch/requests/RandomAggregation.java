/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.requests;

import java.util.Random;

/** Random aggregations over {@link RandomDocs}, in the query DSL. */
final class RandomAggregation {
  private static final String[] METRICS = {"stats", "avg", "sum", "min", "max", "value_count"};
  private static final String[] NUMBERS = {"qty", "qty", "small", "when", "price"};
  private static final String[] INTERVALS = {
    "\"calendar_interval\":\"minute\"",
    "\"calendar_interval\":\"1h\"",
    "\"calendar_interval\":\"day\"",
    "\"calendar_interval\":\"week\"",
    "\"calendar_interval\":\"month\"",
    "\"calendar_interval\":\"1q\"",
    "\"calendar_interval\":\"year\"",
    "\"fixed_interval\":\"36h\"",
    "\"fixed_interval\":\"10d\""
  };

  private final Random random;
  private final RandomQuery queries;

  RandomAggregation(Random random, RandomQuery queries) {
    this.random = random;
    this.queries = queries;
  }

  /** An aggregation; {@code depth} times something may be put into another. */
  String next(int depth) {
    String under = depth > 0 && random.nextInt(5) == 0 ? ",\"aggs\":{\"in\":" + next(0) + "}" : "";
    String meta = random.nextInt(8) == 0 ? ",\"meta\":{\"why\":[1,\"two\"]}" : "";
    return switch (random.nextInt(13)) {
      case 0, 1, 2 -> "{\"terms\":{" + terms() + "}" + under + meta + "}";
      case 3, 4 -> "{\"" + pick(METRICS) + "\":{\"field\":\"" + pick(NUMBERS) + "\"}" + meta + "}";
      case 5 -> "{\"value_count\":{\"field\":\"" + pick("tag", "status") + "\"}" + meta + "}";
      case 6 -> "{\"range\":{" + ranges() + "}" + under + meta + "}";
      case 7 ->
          "{\"date_range\":{\"field\":\"when\",\"ranges\":[{\"to\":\"2023-11-20\"},"
              + "{\"from\":\"2023-11-20\",\"to\":\"2023-12-01||/M\"},{\"from\":\"2023-12-15\"}]}"
              + under
              + meta
              + "}";
      case 8, 9 -> "{\"date_histogram\":{" + dates() + "}" + under + meta + "}";
      case 10 ->
          "{\"histogram\":{\"field\":\"qty\",\"interval\":"
              + (2 + random.nextInt(20))
              + "}"
              + under
              + "}";
      case 11 -> "{\"cardinality\":{\"field\":\"tag\"}}";
      default -> "{\"filter\":" + queries.next(0) + under + "}";
    };
  }

  private String terms() {
    StringBuilder terms = new StringBuilder("\"field\":");
    terms.append(quoted(pick("tag", "tag", "status", "qty", "small", "flag", "when")));
    option(terms, 2, "\"size\":" + (1 + random.nextInt(15)));
    option(terms, 6, "\"shard_size\":" + (1 + random.nextInt(15)));
    option(terms, 6, "\"min_doc_count\":" + random.nextInt(5));
    option(terms, 8, "\"show_term_doc_count_error\":true");
    option(terms, 12, "\"shard_min_doc_count\":" + random.nextInt(4));
    option(terms, 12, "\"execution_hint\":\"map\"");
    option(
        terms,
        4,
        "\"order\":{" + quoted(pick("_key", "_count")) + ":" + quoted(pick("asc", "desc")) + "}");
    return terms.toString();
  }

  private String ranges() {
    String field = pick("qty", "small", "price");
    StringBuilder ranges = new StringBuilder("\"field\":" + quoted(field) + ",\"ranges\":[");
    ranges.append("{\"to\":10},{\"from\":5.5,\"to\":40},{\"from\":30},{\"from\":8,\"to\":8}]");
    option(ranges, 4, "\"keyed\":true");
    return ranges.toString();
  }

  private String dates() {
    StringBuilder dates = new StringBuilder("\"field\":\"when\"," + pick(INTERVALS));
    option(dates, 3, "\"min_doc_count\":" + (1 + random.nextInt(3)));
    option(dates, 5, "\"keyed\":true");
    option(dates, 5, "\"format\":\"yyyy-MM-dd\"");
    option(dates, 8, "\"time_zone\":" + quoted(pick("UTC", "Europe/Berlin", "+01:00")));
    option(dates, 12, "\"offset\":\"+6h\"");
    option(
        dates,
        4,
        "\"order\":{" + quoted(pick("_key", "_count")) + ":" + quoted(pick("asc", "desc")) + "}");
    return dates.toString();
  }

  private void option(StringBuilder body, int oneOf, String option) {
    if (random.nextInt(oneOf) == 0) {
      body.append(',').append(option);
    }
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private static String quoted(String value) {
    return '"' + value + '"';
  }
}
