/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.requests;

import java.util.Random;

/** Random bodies of search requests over {@link RandomDocs}. */
public final class RandomRequest {
  private static final String UNTIED = "{\"number\":\"asc\"}";

  private final Random random;
  private final RandomQuery queries;
  private final RandomAggregation aggregations;
  private boolean untied;

  /** Requests of an index with nested documents or without. */
  public RandomRequest(Random random, boolean nested) {
    this.random = random;
    this.queries = new RandomQuery(random, nested);
    this.aggregations = new RandomAggregation(random, queries);
  }

  /**
   * From now on no response depends on how a shard's copy happens to number its documents, or to
   * divide them into segments: copies that were recovered differ in that. Hits that are equal come
   * in the order of a field of their own, and all are counted.
   */
  public void untie() {
    untied = true;
  }

  private boolean rarely() {
    return random.nextInt(12) == 0;
  }

  /** A body. */
  public String next() {
    StringBuilder body = new StringBuilder("{\"query\":" + queries.next(2));
    int size = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(20);
    body.append(",\"size\":").append(size);
    boolean rescored = !untied && rarely() && size > 0;
    boolean sorted = !rescored && random.nextInt(3) == 0;
    if (size > 0 && !rescored && rarely()) {
      body.append(",\"from\":").append(random.nextInt(30));
    }
    switch (untied ? 0 : random.nextInt(6)) {
      case 0, 1 -> body.append(",\"track_total_hits\":true");
      case 2 -> body.append(",\"track_total_hits\":").append(!rescored && size == 0 && sorted);
      case 3 -> body.append(",\"track_total_hits\":").append(1 + random.nextInt(300));
      default -> {}
    }
    if (sorted) {
      sort(body, size);
    } else if (untied) {
      body.append(",\"sort\":[\"_score\",").append(UNTIED).append(']');
    }
    if (rescored) {
      body.append(",\"rescore\":{\"window_size\":30,\"query\":{\"rescore_query\":");
      body.append(queries.next(0)).append(",\"rescore_query_weight\":0.7}}");
    }
    option(body, "min_score", "0." + (1 + random.nextInt(90)));
    if (!untied) {
      option(body, "terminate_after", "" + (1 + random.nextInt(200)));
    }
    option(body, "timeout", "\"30s\"");
    option(body, "post_filter", queries.next(0));
    if (!rescored && size > 0) {
      option(body, "collapse", "{\"field\":\"status\"}");
    }
    option(body, "explain", "true");
    option(body, "version", "true");
    option(body, "profile", "true");
    option(body, "docvalue_fields", "[\"qty\",\"tag\"]");
    if (rarely()) {
      highlight(body);
    }
    if (random.nextInt(3) == 0) {
      body.append(",\"aggs\":{\"a\":").append(aggregations.next(1));
      body.append(random.nextBoolean() ? ",\"b\":" + aggregations.next(1) : "").append('}');
    }
    return body.append('}').toString();
  }

  private void option(StringBuilder body, String name, String value) {
    if (rarely()) {
      body.append(",\"").append(name).append("\":").append(value);
    }
  }

  private void highlight(StringBuilder body) {
    String[] types = {"unified", "plain"};
    body.append(",\"highlight\":{\"fields\":{\"body\":{\"type\":\"");
    body.append(types[random.nextInt(types.length)]).append("\"},\"title\":{}}}");
  }

  private void sort(StringBuilder body, int size) {
    String order = random.nextBoolean() ? "asc" : "desc";
    int kind = random.nextInt(6);
    String field = new String[] {"qty", "price", "when", "status", "tag", "_score"}[kind];
    String after = new String[] {"20", "300.5", "1702000000000", "\"s1\"", "\"t3\"", "1.25"}[kind];
    String missing = kind != 5 && random.nextInt(3) == 0 ? ",\"missing\":\"_first\"" : "";
    String first = "{\"" + field + "\":{\"order\":\"" + order + "\"" + missing + "}}";
    boolean two = random.nextInt(3) == 0 && kind != 0;
    body.append(",\"sort\":[").append(first).append(two ? ",{\"qty\":\"asc\"}" : "");
    body.append(untied ? "," + UNTIED + "]" : "]");
    if (size > 0 && random.nextInt(4) == 0) {
      body.append(",\"search_after\":[").append(after).append(two ? ",5" : "");
      body.append(untied ? ",300]" : "]");
    }
    option(body, "track_scores", "true");
  }
}
