/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.command.ExitCodes;

/** {@code search --sort} and {@code search --aggregate}. */
class TestSortsAndAggregates {
  private static final int DOCUMENTS = 2000;

  /** Document {@code i} of the corpus; every tenth has no values. */
  private record Doc(int i) {
    boolean hasValues() {
      return i % 10 != 7;
    }

    long size() {
      return i * 7919L % 2500;
    }

    double price() {
      return (i * 31 % 500) / 4.0 - 20;
    }

    LocalDate day() {
      return LocalDate.of(2020, 1, 1).plusDays(i * 17 % 400);
    }

    String kind() {
      return "kind" + i % 7 % 4;
    }

    boolean isOdd() {
      return i % 2 == 1;
    }

    String line() {
      String values =
          hasValues()
              ? String.format(
                  Locale.ROOT,
                  ",\"size\":%d,\"price\":%s,\"day\":\"%s\",\"kind\":\"%s\"",
                  size(),
                  price(),
                  day(),
                  kind())
              : "";
      return String.format(
          Locale.ROOT,
          "{\"id\":\"d%d\",\"title\":\"t\",\"body\":\"all %s\"%s}\n",
          i,
          isOdd() ? "odd" : "even",
          values);
    }
  }

  @TempDir private static Path temp;

  static List<String> devices() {
    return CliRun.devices();
  }

  private static List<Doc> odd() {
    List<Doc> docs = new ArrayList<>();
    for (int i = 1; i < DOCUMENTS; i += 2) {
      docs.add(new Doc(i));
    }
    return docs;
  }

  @BeforeAll
  static void indexes() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < DOCUMENTS; i++) {
      lines.append(new Doc(i).line());
    }
    Path corpus = Files.writeString(temp.resolve("c.jsonl"), lines);
    for (String device : devices()) {
      CliRun.of(
              "index",
              "--index",
              temp.resolve(device),
              "--device",
              device,
              "--threads",
              1,
              "--field",
              "size:long",
              "--field",
              "price:double",
              "--field",
              "day:date",
              "--field",
              "kind:keyword",
              "--corpus",
              corpus)
          .ok();
    }
  }

  private static CliRun search(String device, Object... more) {
    Object[] all = new Object[more.length + 5];
    Object[] first = {"search", "--index", temp.resolve(device), "--device", device};
    System.arraycopy(first, 0, all, 0, 5);
    System.arraycopy(more, 0, all, 5, more.length);
    return CliRun.of(all);
  }

  private static List<String> ids(JsonNode answer) {
    return answer.get("hits").findValuesAsText("id");
  }

  @ParameterizedTest
  @MethodSource("devices")
  void hitsComeInTheOrderOfTheirValues(String device) {
    JsonNode query =
        search(device, "--sort", "day:desc,size", "--k", 50, "--on", "both", "--json", "odd")
            .ok()
            .json()
            .get("queries")
            .get(0);
    assertTrue(query.get("identical").asBoolean());
    List<String> expected =
        odd().stream()
            .filter(Doc::hasValues)
            .sorted(
                Comparator.comparing(Doc::day)
                    .reversed()
                    .thenComparing(Doc::size)
                    .thenComparing(Doc::i))
            .limit(50)
            .map(doc -> "d" + doc.i())
            .toList();
    assertEquals(expected, ids(query.get("device")));
    JsonNode hit = query.get("device").get("hits").get(0);
    Doc first = new Doc(Integer.parseInt(expected.get(0).substring(1)));
    assertEquals(first.day().toString(), hit.get("keys").get(0).asText());
    assertEquals(Long.toString(first.size()), hit.get("keys").get(1).asText());
    assertFalse(hit.has("score"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "size",
        "size:desc",
        "price",
        "price:desc",
        "kind",
        "kind:desc,day",
        "doc:desc",
        "score",
        "kind,score:asc",
        "day,doc:desc"
      })
  void bothSidesSortAlike(String order) {
    String device = devices().get(0);
    JsonNode report =
        search(device, "--sort", order, "--k", 1500, "--on", "both", "--json", "odd", "all")
            .ok()
            .json();
    assertEquals(2, report.get("queries_run").asInt());
    assertTrue(report.get("identical").asBoolean());
  }

  @Test
  void documentsWithoutAValueComeLast() {
    for (String order : List.of("size", "size:desc", "price:desc", "kind", "kind:desc", "day")) {
      String device = devices().get(0);
      CliRun run = search(device, "--sort", order, "--k", DOCUMENTS, "all").ok();
      List<String> hits =
          run.out().lines().filter(line -> line.matches(" +\\d+  .* d\\d+")).toList();
      assertEquals(DOCUMENTS, hits.size());
      int without = DOCUMENTS / 10;
      for (int i = 0; i < DOCUMENTS; i++) {
        boolean none = hits.get(i).matches(" +\\d+  -  .*");
        assertEquals(i >= DOCUMENTS - without, none, order + ": " + hits.get(i));
      }
    }
  }

  private static JsonNode aggregates(String device, String... what) {
    List<Object> arguments = new ArrayList<>(List.of("--on", "both", "--json", "odd"));
    for (String each : what) {
      arguments.add("--aggregate");
      arguments.add(each);
    }
    JsonNode query = search(device, arguments.toArray()).ok().json().get("queries").get(0);
    assertTrue(query.get("identical").asBoolean());
    assertEquals(DOCUMENTS / 2, query.get("device").get("count").asInt());
    return query.get("device").get("aggregates");
  }

  @ParameterizedTest
  @MethodSource("devices")
  void statsAreThoseOfTheMatches(String device) {
    JsonNode found = aggregates(device, "stats:size", "stats:price", "stats:day");
    List<Doc> docs = odd().stream().filter(Doc::hasValues).toList();
    JsonNode size = found.get(0);
    assertEquals(docs.size(), size.get("docs").asInt());
    assertEquals(DOCUMENTS / 2 - docs.size(), size.get("missing").asInt());
    long sum = docs.stream().mapToLong(Doc::size).sum();
    assertEquals(sum, size.get("sum").asLong());
    assertEquals((double) sum / docs.size(), size.get("mean").asDouble());
    assertEquals(docs.stream().mapToLong(Doc::size).max().orElseThrow(), size.get("max").asLong());
    double prices = 0;
    for (Doc doc : docs) {
      prices += doc.price();
    }
    assertEquals(prices, found.get(1).get("sum").asDouble());
    JsonNode day = found.get(2);
    LocalDate newest = docs.stream().map(Doc::day).max(Comparator.naturalOrder()).orElseThrow();
    assertEquals(newest.toString(), day.get("max").asText());
    assertFalse(day.has("sum"));
  }

  @ParameterizedTest
  @MethodSource("devices")
  void bucketsAreThoseOfTheMatches(String device) {
    JsonNode found =
        aggregates(
            device,
            "terms:kind:3",
            "histogram:size:100",
            "histogram:day:7d",
            "ranges:size:..99,50..");
    TreeMap<String, Integer> kinds = new TreeMap<>();
    TreeMap<Long, Integer> sizes = new TreeMap<>();
    TreeMap<String, Integer> weeks = new TreeMap<>();
    int small = 0;
    int large = 0;
    for (Doc doc : odd()) {
      if (doc.hasValues()) {
        kinds.merge(doc.kind(), 1, Integer::sum);
        sizes.merge(doc.size() / 100 * 100, 1, Integer::sum);
        long week = Math.floorDiv(doc.day().toEpochDay(), 7) * 7;
        weeks.merge(LocalDate.ofEpochDay(week).toString(), 1, Integer::sum);
        small += doc.size() <= 99 ? 1 : 0;
        large += doc.size() >= 50 ? 1 : 0;
      }
    }
    List<String> best =
        kinds.keySet().stream()
            .sorted(Comparator.comparing(kinds::get).reversed().thenComparing(k -> (String) k))
            .limit(3)
            .toList();
    assertEquals(best, found.get(0).get("buckets").findValuesAsText("name"));
    assertEquals(kinds.size(), found.get(0).get("distinct").asInt());
    assertBuckets(sizes, found.get(1));
    assertBuckets(weeks, found.get(2));
    assertEquals(small, found.get(3).get("buckets").get(0).get("count").asInt());
    assertEquals(large, found.get(3).get("buckets").get(1).get("count").asInt());
    assertEquals(
        sizes.values().stream().mapToInt(i -> i).sum(), found.get(3).get("in_any").asInt());
  }

  @ParameterizedTest
  @MethodSource("devices")
  void numbersAndMonthsAreThoseOfTheMatches(String device) {
    JsonNode found =
        aggregates(
            device,
            "terms:size:1000",
            "distinct:size",
            "distinct:kind",
            "distinct:price",
            "calendar:day:month",
            "calendar:day:quarter:Asia/Tokyo");
    TreeMap<Long, Integer> sizes = new TreeMap<>();
    TreeMap<String, Integer> months = new TreeMap<>();
    TreeMap<String, Integer> quarters = new TreeMap<>();
    List<Doc> docs = odd().stream().filter(Doc::hasValues).toList();
    for (Doc doc : docs) {
      sizes.merge(doc.size(), 1, Integer::sum);
      LocalDate first = doc.day().withDayOfMonth(1);
      months.merge(first.toString(), 1, Integer::sum);
      quarters.merge(
          first.minusMonths((first.getMonthValue() - 1) % 3).toString(), 1, Integer::sum);
    }
    List<String> commonest =
        sizes.keySet().stream()
            .sorted(Comparator.comparing(sizes::get).reversed().thenComparing(size -> (Long) size))
            .limit(1000)
            .map(String::valueOf)
            .toList();
    assertEquals(commonest, found.get(0).get("buckets").findValuesAsText("name"));
    assertEquals(sizes.size(), found.get(1).get("distinct").asInt());
    assertEquals(
        docs.stream().map(Doc::kind).distinct().count(), found.get(2).get("distinct").asInt());
    assertEquals(
        docs.stream().map(Doc::price).distinct().count(), found.get(3).get("distinct").asInt());
    assertBuckets(months, found.get(4));
    assertBuckets(quarters, found.get(5)); // midnight of UTC is the same day there
  }

  @ParameterizedTest
  @MethodSource("devices")
  void whatIsInsideBucketsIsThatOfTheirMatches(String device) {
    JsonNode found =
        aggregates(
            device,
            "terms:kind:3>stats:size",
            "ranges:size:..99,50..>terms:kind:1>distinct:size",
            "auto:day:4");
    List<Doc> docs = odd().stream().filter(Doc::hasValues).toList();
    for (JsonNode bucket : found.get(0).get("buckets")) {
      List<Doc> of =
          docs.stream().filter(doc -> doc.kind().equals(bucket.get("name").asText())).toList();
      assertEquals(of.size(), bucket.get("count").asInt());
      assertEquals(
          of.stream().mapToLong(Doc::size).sum(), bucket.get("inside").get("sum").asLong());
    }
    JsonNode small = found.get(1).get("buckets").get(0);
    List<Doc> upTo99 = docs.stream().filter(doc -> doc.size() <= 99).toList();
    assertEquals(upTo99.size(), small.get("count").asInt());
    JsonNode kind = small.get("inside").get("buckets").get(0);
    assertEquals(
        upTo99.stream()
            .filter(doc -> doc.kind().equals(kind.get("name").asText()))
            .map(Doc::size)
            .distinct()
            .count(),
        kind.get("inside").get("distinct").asInt());
    int dated = 0;
    for (JsonNode bucket : found.get(2).get("buckets")) {
      dated += bucket.get("count").asInt();
    }
    assertEquals(docs.size(), dated);
    assertTrue(found.get(2).get("buckets").size() <= 4);
  }

  private static void assertBuckets(TreeMap<?, Integer> expected, JsonNode answer) {
    JsonNode buckets = answer.get("buckets");
    assertEquals(
        expected.keySet().stream().map(String::valueOf).toList(), buckets.findValuesAsText("name"));
    List<Integer> counts = new ArrayList<>();
    buckets.forEach(bucket -> counts.add(bucket.get("count").asInt()));
    assertEquals(List.copyOf(expected.values()), counts);
  }

  @Test
  void bucketsHaveBars() {
    CliRun run =
        search(devices().get(0), "--aggregate", "terms:kind", "--aggregate", "stats:size", "all")
            .ok();
    assertTrue(run.out().contains("  kind0"), run.out());
    assertTrue(run.out().contains("########################################"), run.out());
    assertTrue(run.out().contains("stats:size: 1,800 docs (200 without a value), sum "), run.out());
    assertTrue(run.out().contains("2,000 matches"), run.out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--sort nowhere|no typed field \"nowhere\"; there are size:long, price:double",
        "--sort size:up|the direction is asc or desc",
        "--sort size --mode count|--sort orders hits",
        "--sort size --aggregate stats:size|--sort orders hits",
        "--mode aggregate|needs --aggregate",
        "--mode docs --aggregate stats:size|--aggregate asks for numbers",
        "--aggregate size|stats:FIELD, terms:FIELD",
        "--aggregate median:size|stats:FIELD, terms:FIELD",
        "--aggregate stats:size>stats:size|stats:size has no buckets",
        "--aggregate terms:kind>median:size|stats:FIELD, terms:FIELD",
        "--aggregate auto:size|a field of dates is needed",
        "--aggregate stats:other|no typed field \"other\"",
        "--aggregate stats:kind|a field of numbers or dates is needed, kind:keyword is none",
        "--aggregate terms:price|a field of keywords, whole numbers or dates is needed",
        "--aggregate distinct:size:3|distinct:FIELD",
        "--aggregate calendar:size:month|a field of dates is needed, size:long is none",
        "--aggregate calendar:day|calendar:FIELD:UNIT",
        "--aggregate calendar:day:hour|the unit is day, week, month, quarter or year, not 'hour'",
        "--aggregate calendar:day:month:Nowhere|Nowhere",
        "--aggregate terms:kind:0|the number of keywords must be a whole number of at least 1",
        "--aggregate histogram:size|histogram:FIELD:WIDTH",
        "--aggregate histogram:size:0|the width must be a whole number of at least 1, not '0'",
        "--aggregate histogram:price:1|a field of whole numbers or dates is needed",
        "--aggregate histogram:day:1w|the width of dates is such as 7d, 12h, 30m or 10s, not '1w'",
        "--aggregate histogram:day:0d|at least 1",
        "--aggregate histogram:day:d|the width of dates",
        "--aggregate ranges:size:1|a range is FROM..TO, FROM.. or ..TO, not '1'",
        "--aggregate ranges:size:..|a range is FROM..TO",
        "--aggregate ranges:size:a..b|needs an integer, not 'a'",
        "--aggregate ranges:size:9..1|no number is in 9 to 1",
        "--aggregate ranges:day:2020-13-01..|needs a date"
      })
  void badOptionsAreNamed(String options, String message) {
    List<Object> arguments = new ArrayList<>(List.of((Object[]) options.split(" ")));
    arguments.add("odd");
    CliRun run = search(devices().get(0), arguments.toArray());
    assertEquals(ExitCodes.USAGE, run.code(), run.err());
    assertTrue(run.err().contains(message), run.err());
  }

  @Test
  void tooManyBucketsAreAnError() {
    for (String on : List.of("device", "host")) {
      CliRun run = search(devices().get(0), "--on", on, "--aggregate", "histogram:size:1", "all");
      run.fails(ExitCodes.FAILURE, "buckets");
    }
  }
}
