/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What {@code try.sh} does with a cluster: fills two indexes, asks both, compares. */
final class Try {
  private static final int BULK = 1000;
  private static final int ROUNDS = 60;

  /** Turns of both indexes. */
  private static final int PARTS = 6;

  private static final String STOCK = "try-stock";
  private static final String OFFLOAD = "try-offload";
  private static final String[][] QUERIES = {
    {"any of three words", "{\"match\":{\"body\":\"thread pool executor\"}}", "10"},
    {"all of two words", match("file directory", "and"), "10"},
    {"all of three words", match("returns the number", "and"), "10"},
    {
      "words, and a filter",
      "{\"bool\":{\"must\":{\"match\":{\"body\":\"array index\"}},\"filter\":{\"match\":{\"body\":\"exception\"}}}}",
      "10"
    },
    {
      "words without another",
      "{\"bool\":{\"must\":{\"match\":{\"body\":\"iterator element\"}},\"must_not\":{\"match\":{\"body\":\"deprecated\"}}}}",
      "10"
    },
    {"a phrase", "{\"match_phrase\":{\"body\":\"character set\"}}", "10"},
    {
      "several fields",
      "{\"multi_match\":{\"query\":\"http client\",\"fields\":[\"title^2\",\"body\"]}}",
      "10"
    },
    {"two of four words", "{\"match\":{\"body\":{\"query\":\"date time zone offset\",\"minimum_should_match\":2}}}", "10"},
    {"a query string", "{\"query_string\":{\"default_field\":\"body\",\"query\":\"+lock +(read write) -file\"}}", "10"},
    {"a count", match("string value", "and"), "0"},
  };

  private final HttpClient client = HttpClient.newHttpClient();
  private final String base;
  private final String[][] queries;

  private Try(String port, String[][] queries) {
    base = "http://127.0.0.1:" + port + "/";
    this.queries = queries;
  }

  /** Ten queries over the words of a file, which has a query a line; of several kinds in turn. */
  private static String[][] queries(Path file) throws IOException {
    List<String> lines;
    try (Stream<String> all = Files.lines(file)) {
      lines =
          all.map(line -> line.replaceAll("[^\\p{L}\\p{N}]+", " ").strip())
              .filter(line -> line.contains(" "))
              .limit(QUERIES.length)
              .toList();
    }
    if (lines.isEmpty()) {
      throw new IOException(file + ": no line of two words or more");
    }
    String[][] queries = new String[lines.size()][];
    for (int i = 0; i < queries.length; i++) {
      String words = lines.get(i);
      String query =
          switch (i % 4) {
            case 0, 1 -> match(words, i % 4 == 0 ? "or" : "and");
            case 2 ->
                "{\"bool\":{\"must\":" + match(words, "or") + ",\"filter\":"
                    + match(words.replaceFirst(" .*", ""), "and") + "}}";
            default -> "{\"match_phrase\":{\"body\":\"" + words + "\"}}";
          };
      String kind = new String[] {"any", "all", "filtered", "phrase"}[i % 4] + ": " + words;
      queries[i] = new String[] {kind, query, i == lines.size() - 1 ? "0" : "10"};
    }
    return queries;
  }

  private static String match(String words, String operator) {
    return "{\"match\":{\"body\":{\"query\":\"" + words + "\",\"operator\":\"" + operator + "\"}}}";
  }

  public static void main(String[] args) throws Exception {
    Try cluster = new Try(args[0], args.length > 2 ? queries(Path.of(args[2])) : QUERIES);
    cluster.await();
    cluster.fill(STOCK, "default", Path.of(args[1]));
    cluster.fill(OFFLOAD, "offload", Path.of(args[1]));
    System.exit(cluster.compare() ? 0 : 1);
  }

  private String ask(String method, String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(base + path))
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() / 100 != 2) {
      throw new IOException(method + " /" + path + ": " + response.body());
    }
    return response.body();
  }

  private void await() throws Exception {
    System.out.println("starting two nodes ...");
    for (int i = 0; i < 300; i++) {
      try {
        if (ask("GET", "_cluster/health", "").contains("\"number_of_nodes\":2")) {
          return;
        }
      } catch (IOException e) {
        // not there yet
      }
      Thread.sleep(1000);
    }
    throw new IOException("no cluster of two nodes within five minutes");
  }

  private void fill(String index, String codec, Path corpus) throws Exception {
    ask(
        "PUT",
        index,
        "{\"settings\":{\"codec\":\""
            + codec
            // Only neighbours are merged: documents keep their order, which ties of hits show.
            + "\",\"merge.policy\":\"log_byte_size\",\"number_of_shards\":2"
            + ",\"number_of_replicas\":1,\"refresh_interval\":\"-1\"}}");
    long begin = System.nanoTime();
    StringBuilder bulk = new StringBuilder();
    int docs = 0;
    try (BufferedReader lines = Files.newBufferedReader(corpus)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        bulk.append("{\"index\":{\"_id\":\"").append(docs++).append("\"}}\n");
        bulk.append(line).append('\n');
        if (docs % BULK == 0) {
          bulk(index, bulk);
        }
      }
    }
    bulk(index, bulk);
    ask("POST", index + "/_refresh", "");
    System.out.printf(
        Locale.ROOT,
        "%-12s %d documents indexed in %.1f s%n", index, docs, (System.nanoTime() - begin) / 1e9);
    ask("POST", index + "/_forcemerge?max_num_segments=1", "");
    ask("POST", index + "/_refresh", "");
  }

  private void bulk(String index, StringBuilder lines) throws Exception {
    if (!lines.isEmpty() && !ask("POST", index + "/_bulk", lines.toString()).contains("\"errors\":false")) {
      throw new IOException("documents were refused");
    }
    lines.setLength(0);
  }

  private String search(String index, String[] query) throws Exception {
    return ask(
        "POST",
        index + "/_search?preference=_primary&request_cache=false",
        "{\"query\":" + query[1] + ",\"size\":" + query[2] + ",\"track_total_hits\":true,\"_source\":[\"title\"]}");
  }

  private long cpu() throws Exception {
    Matcher matcher =
        Pattern.compile("\"total_in_millis\":(\\d+)").matcher(ask("GET", "_nodes/stats/process", ""));
    long sum = 0;
    while (matcher.find()) {
      sum += Long.parseLong(matcher.group(1));
    }
    return sum;
  }

  /** Milliseconds of both nodes. They read their clocks once a second. */
  private long settledCpu() throws Exception {
    Thread.sleep(1500);
    cpu();
    Thread.sleep(1500);
    return cpu();
  }

  /** A response without what differs from one request, or index, to the next. */
  private static String bare(String response, String index) {
    return response.replaceFirst("\"took\":\\d+,", "").replace(index, "");
  }

  private boolean compare() throws Exception {
    boolean same = true;
    double[][][] times = new double[2][queries.length][ROUNDS];
    long[] cpu = new long[2];
    for (int i = 0; i < ROUNDS; i++) {
      for (String[] query : queries) { // what runs often gets compiled, for both
        search(i % 2 == 0 ? STOCK : OFFLOAD, query);
      }
    }
    for (int part = 0; part < PARTS; part++) {
      int side = part % 2;
      long before = settledCpu();
      for (int q = 0; q < queries.length; q++) {
        for (int i = 0; i < ROUNDS * 2 / PARTS; i++) {
          long begin = System.nanoTime();
          search(side == 0 ? STOCK : OFFLOAD, queries[q]);
          times[side][q][part / 2 * (ROUNDS * 2 / PARTS) + i] = System.nanoTime() - begin;
        }
      }
      cpu[side] += settledCpu() - before;
    }
    double logs = 0;
    StringBuilder differences = new StringBuilder();
    System.out.printf(Locale.ROOT, "%n%-24s %-10s %12s%n", "", "responses", "time (p50)");
    for (int q = 0; q < queries.length; q++) {
      String stock = bare(search(STOCK, queries[q]), STOCK);
      String ours = bare(search(OFFLOAD, queries[q]), OFFLOAD);
      boolean equal = stock.equals(ours);
      same &= equal;
      Arrays.sort(times[0][q]);
      Arrays.sort(times[1][q]);
      double faster = times[0][q][ROUNDS / 2] / times[1][q][ROUNDS / 2];
      logs += Math.log(faster);
      if (!equal) {
        differences.append("\n").append(queries[q][1]).append("\n  stock:   ").append(stock);
        differences.append("\n  offload: ").append(ours).append("\n");
      }
      System.out.printf(
          Locale.ROOT,
          "%-24.24s %-10s %10.2f x%n", queries[q][0], equal ? "identical" : "DIFFERENT", faster);
    }
    System.out.printf(
        Locale.ROOT,
        "%-24s %-10s %10.2f x%n", "geometric mean", "", Math.exp(logs / queries.length));
    System.out.printf(
        Locale.ROOT,
        "%-24s %-10s %10.2f x%n%n", "CPU time, all queries", "", (double) cpu[0] / Math.max(1, cpu[1]));
    System.out.println(
        "Stock over offload, in turns, one request after the other. CPU time is that of both nodes, HTTP"
            + " and fetching included.");
    System.out.println(ask("GET", "_cat/offload?v=true", "") + differences);
    return same;
  }
}
