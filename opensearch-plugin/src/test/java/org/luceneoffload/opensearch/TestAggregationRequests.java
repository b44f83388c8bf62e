/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.luceneoffload.opensearch.cluster.Rest;
import org.luceneoffload.opensearch.cluster.SharedCluster;
import org.luceneoffload.opensearch.requests.RandomDocs;
import org.luceneoffload.opensearch.requests.Responses;

/** Aggregations that the device answers as a whole, and those that it leaves to collectors. */
@ExtendWith(SharedCluster.class)
class TestAggregationRequests {
  private static final int DOCS = 300;

  @BeforeAll
  static void fill() throws IOException {
    Rest rest = SharedCluster.rest(0);
    for (String index : List.of("agg-stock", "agg-offload")) {
      String codec = index.equals("agg-stock") ? "default" : "offload";
      rest.ok(
          "PUT",
          index,
          "{\"settings\":{\"codec\":\""
              + codec
              + "\",\"number_of_shards\":1,\"number_of_replicas\":0,\"refresh_interval\":\"-1\"},"
              + "\"mappings\":"
              + RandomDocs.mapping(false)
              + "}");
      rest.awaitGreen(index);
      Random random = new Random(11);
      for (int from = 0; from < DOCS; from += DOCS / 3) {
        String lines = RandomDocs.bulk(random, from, from + DOCS / 3, false);
        rest.ok("POST", index + "/_bulk?refresh=true", lines);
      }
    }
  }

  @AfterAll
  static void delete() throws IOException {
    SharedCluster.rest(0).ok("DELETE", "agg-stock,agg-offload", null);
  }

  private final Rest rest = SharedCluster.rest(0);
  private String query = "{\"match\":{\"body\":\"w1 w5\"}}";

  private long aggregated() throws IOException {
    JsonNode stats = rest.ok("GET", "_plugins/_offload/stats", null);
    return stats.at("/shard_searches/aggregations").asLong();
  }

  /** Compares the responses; returns how many shards the device has aggregated. */
  private long compare(String rest1, String aggregation) throws IOException {
    String body = "{\"query\":" + query + rest1 + ",\"aggs\":{\"a\":{" + aggregation + "}}}";
    long before = aggregated();
    assertEquals(
        Responses.of(rest, "POST", "INDEX/_search?request_cache=false", "agg-stock", body),
        Responses.of(rest, "POST", "INDEX/_search?request_cache=false", "agg-offload", body),
        body);
    return aggregated() - before;
  }

  private void assertDevice(String aggregation) throws IOException {
    assertEquals(1, compare(",\"size\":0", aggregation), aggregation);
    assertEquals(1, compare(",\"size\":3,\"sort\":[{\"qty\":\"asc\"}]", aggregation), aggregation);
  }

  private void assertCollectors(String aggregation) throws IOException {
    assertEquals(0, compare(",\"size\":0", aggregation), aggregation);
  }

  @Test
  void termsOnDevice() throws IOException {
    assertDevice("\"terms\":{\"field\":\"tag\"}");
    assertDevice("\"terms\":{\"field\":\"tag\",\"size\":3,\"shard_size\":4}");
    assertDevice("\"terms\":{\"field\":\"tag\",\"size\":2,\"order\":{\"_key\":\"desc\"}}");
    assertDevice("\"terms\":{\"field\":\"qty\",\"size\":5,\"show_term_doc_count_error\":true}");
    assertDevice("\"terms\":{\"field\":\"when\",\"format\":\"yyyy\",\"min_doc_count\":2}");
    assertDevice("\"terms\":{\"field\":\"flag\"},\"meta\":{\"why\":1}");
  }

  /** OpenSearch counts these by statistics, and its response shows it. */
  @Test
  void collectorsThatCountByStatistics() throws IOException {
    query = "{\"term\":{\"flag\":true}}";
    String dates = "\"date_histogram\":{\"field\":\"when\",\"calendar_interval\":\"year\"";
    for (String total : List.of("true", "100", "false")) {
      String counted = ",\"size\":0,\"track_total_hits\":" + total;
      assertEquals(0, compare(counted, dates + ",\"offset\":\"+6h\"}"));
      assertEquals(0, compare(counted + ",\"profile\":true", dates + "}"));
    }
  }

  @Test
  void numbersOnDevice() throws IOException {
    for (String metric : List.of("stats", "avg", "sum", "min", "max", "value_count")) {
      assertDevice("\"" + metric + "\":{\"field\":\"qty\"}");
      assertDevice("\"" + metric + "\":{\"field\":\"small\"}");
      assertDevice("\"" + metric + "\":{\"field\":\"when\"}");
    }
    assertDevice("\"value_count\":{\"field\":\"tag\"}");
  }

  @Test
  void rangesOnDevice() throws IOException {
    String ranges = "\"ranges\":[{\"to\":9.5},{\"from\":-3,\"to\":40,\"key\":\"k\"},{\"from\":40}]";
    assertDevice("\"range\":{\"field\":\"qty\"," + ranges + "}");
    assertDevice("\"range\":{\"field\":\"small\",\"keyed\":true," + ranges + "}");
    assertDevice(
        "\"date_range\":{\"field\":\"when\",\"ranges\":"
            + "[{\"to\":\"2023-12-01\"},{\"from\":\"2023-12-01||/M\",\"to\":\"now/d\"}]}");
  }

  @Test
  void datesOnDevice() throws IOException {
    for (String unit : List.of("1m", "hour", "1d", "week", "month", "quarter", "1y")) {
      assertDevice(
          "\"date_histogram\":{\"field\":\"when\",\"calendar_interval\":\"" + unit + "\"}");
    }
    assertDevice(
        "\"date_histogram\":{\"field\":\"when\",\"fixed_interval\":\"100h\",\"min_doc_count\":1,"
            + "\"keyed\":true,\"format\":\"yyyy-MM-dd\"}");
  }

  @Test
  void othersByCollectors() throws IOException {
    assertCollectors("\"sum\":{\"field\":\"price\"}");
    assertCollectors("\"cardinality\":{\"field\":\"tag\"}");
    assertCollectors("\"terms\":{\"field\":\"tag\",\"order\":{\"_count\":\"asc\"}}");
    assertCollectors("\"terms\":{\"field\":\"tag\",\"min_doc_count\":0}");
    assertCollectors("\"terms\":{\"field\":\"tag\",\"missing\":\"none\"}");
    assertCollectors("\"terms\":{\"field\":\"tag\",\"include\":\"t1.*\"}");
    assertCollectors("\"terms\":{\"field\":\"absent\"}");
    assertCollectors(
        "\"terms\":{\"field\":\"tag\"},\"aggs\":{\"q\":{\"avg\":{\"field\":\"qty\"}}}");
    assertCollectors("\"global\":{},\"aggs\":{\"q\":{\"avg\":{\"field\":\"qty\"}}}");
    assertCollectors(
        "\"date_histogram\":{\"field\":\"when\",\"calendar_interval\":\"day\","
            + "\"time_zone\":\"Europe/Berlin\"}");
  }

  /** Sums that doubles cannot hold are OpenSearch's own, rounded as it adds them. */
  @Test
  void greatNumbersByCollectors() throws IOException {
    for (String index : List.of("agg-stock", "agg-offload")) {
      rest.ok(
          "PUT",
          index + "/_doc/great?refresh=true",
          "{\"body\":\"w1 w5\",\"qty\":9007199254740993,\"status\":\"s1\"}");
    }
    try {
      assertCollectors("\"sum\":{\"field\":\"qty\"}");
      assertCollectors("\"stats\":{\"field\":\"qty\"}");
      assertDevice("\"max\":{\"field\":\"qty\"}");
      assertDevice("\"terms\":{\"field\":\"qty\",\"size\":500}");
    } finally {
      for (String index : List.of("agg-stock", "agg-offload")) {
        rest.ok("DELETE", index + "/_doc/great?refresh=true", null);
      }
    }
  }

  /**
   * Sums that doubles cannot hold, of values that they can: OpenSearch adds them exactly but for
   * the last rounding, unless it adds up those of slices.
   */
  @Test
  void greatSums() throws IOException {
    Random random = new Random(5);
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 60; i++) {
      long value = (i % 5 == 0 ? -1 : 1) * ((1L << 51) + random.nextLong(1L << 51));
      lines.append("{\"index\":{\"_id\":\"great").append(i).append("\"}}\n");
      lines.append("{\"body\":\"w1 w5\",\"qty\":").append(value).append("}\n");
    }
    try {
      for (String index : List.of("agg-stock", "agg-offload")) {
        rest.ok("POST", index + "/_bulk?refresh=true", lines.toString());
      }
      for (String mode : List.of("none", "all")) {
        setConcurrent(mode);
        for (String metric : List.of("stats", "avg", "sum")) {
          String aggregation = "\"" + metric + "\":{\"field\":\"qty\"}";
          if (mode.equals("none")) {
            assertDevice(aggregation);
          } else {
            assertCollectors(aggregation);
          }
        }
      }
    } finally {
      setConcurrent("auto");
      String great = lines.toString().replaceAll("(?m)^\\{\"body.*\n", "");
      for (String index : List.of("agg-stock", "agg-offload")) {
        rest.ok("POST", index + "/_bulk?refresh=true", great.replace("index", "delete"));
      }
    }
  }

  private void setConcurrent(String mode) throws IOException {
    rest.ok(
        "PUT",
        "agg-stock,agg-offload/_settings",
        "{\"index.search.concurrent_segment_search.mode\":\""
            + mode
            + "\",\"index.search.concurrent.max_slice_count\":"
            + (mode.equals("all") ? 2 : 0)
            + "}");
  }

  @Test
  void ofSingleTerms() throws IOException {
    query = "{\"term\":{\"status\":\"s1\"}}";
    assertDevice("\"terms\":{\"field\":\"tag\"}");
    assertCollectors("\"sum\":{\"field\":\"price\"}");
    query = "{\"constant_score\":{\"filter\":{\"term\":{\"body\":\"w1\"}}}}";
    assertDevice("\"stats\":{\"field\":\"qty\"}");
  }

  /** Where slices count matches up to a bound, the response says whether one has reached it. */
  @Test
  void countedInSlices() throws IOException {
    for (int bound : new int[] {1, 20, 100, 1000}) {
      for (String total : List.of("true", "false", "" + bound)) {
        String size = ",\"size\":0,\"track_total_hits\":" + total;
        compare(size, "\"terms\":{\"field\":\"tag\"}");
      }
    }
  }

  @Test
  void severalAtOnce() throws IOException {
    assertDevice(
        "\"terms\":{\"field\":\"tag\"}},\"b\":{\"stats\":{\"field\":\"qty\"}},"
            + "\"c\":{\"date_histogram\":{\"field\":\"when\",\"calendar_interval\":\"week\"}");
    assertCollectors("\"terms\":{\"field\":\"tag\"}},\"b\":{\"sum\":{\"field\":\"price\"}");
  }
}
