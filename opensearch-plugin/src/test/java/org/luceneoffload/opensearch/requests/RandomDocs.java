/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.requests;

import java.io.IOException;
import java.util.Locale;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.luceneoffload.opensearch.cluster.Rest;

/** Random documents, and the mapping that they have. */
public final class RandomDocs {
  static final int WORDS = 200;
  static final int TAGS = 12;

  private static final String FIELDS =
      """
      "title": {"type": "text"},
      "body": {"type": "text"},
      "tag": {"type": "keyword"},
      "status": {"type": "keyword"},
      "qty": {"type": "long"},
      "small": {"type": "short"},
      "price": {"type": "double"},
      "when": {"type": "date"},
      "flag": {"type": "boolean"},
      "place": {"type": "geo_point"},
      "number": {"type": "integer"}""";

  private static final String NESTED =
      """
      ,
      "comments": {"type": "nested", "properties": {
        "author": {"type": "keyword"}, "text": {"type": "text"}}}""";

  private RandomDocs() {}

  /** The mapping, as the value of {@code mappings}. */
  public static String mapping(boolean nested) {
    return "{\"properties\": {" + FIELDS + (nested ? NESTED : "") + "}}";
  }

  /** The lines of a bulk request that index documents with these IDs. */
  public static String bulk(Random random, int from, int to, boolean nested) {
    return IntStream.range(from, to)
        .mapToObj(id -> "{\"index\":{\"_id\":\"" + id + "\"}}\n" + doc(random, id, nested) + "\n")
        .collect(Collectors.joining());
  }

  /**
   * Makes an index of one shard with 400 such documents, which is refreshed only on request.
   *
   * @param settings more settings, each behind a comma
   */
  public static void createIndex(Rest rest, String index, int replicas, String settings)
      throws IOException {
    rest.ok(
        "PUT",
        index,
        "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":"
            + replicas
            + ",\"refresh_interval\":\"-1\""
            + settings
            + "},\"mappings\":"
            + mapping(false)
            + "}");
    rest.awaitGreen(index);
    add(rest, index, 7, 0, 400);
  }

  /** Indexes documents with these IDs, 200 to a segment. */
  public static void add(Rest rest, String index, int seed, int from, int to) throws IOException {
    Random random = new Random(seed);
    for (int at = from; at < to; at += 200) {
      rest.ok("POST", index + "/_bulk?refresh=true", bulk(random, at, at + 200, false));
    }
  }

  private static String doc(Random random, int number, boolean nested) {
    StringBuilder doc = new StringBuilder("{\"body\":\"" + words(random, 5, 40) + "\"");
    maybe(random, doc, "title", words(random, 1, 6));
    doc.append(",\"status\":\"s").append(random.nextInt(3)).append('"');
    if (random.nextInt(10) > 0) {
      doc.append(",\"tag\":[").append(list(random, 3, i -> "\"t" + skewed(random, TAGS) + '"'));
      doc.append(']');
    }
    doc.append(",\"qty\":").append(random.nextInt(100) - 20);
    if (random.nextInt(4) > 0) {
      doc.append(",\"small\":[").append(list(random, 3, i -> "" + (random.nextInt(60) - 10)));
      doc.append(']');
    }
    if (random.nextInt(8) > 0) {
      doc.append(",\"price\":").append(random.nextInt(100_000) / 100.0);
    }
    doc.append(",\"when\":").append(1_700_000_000_000L + random.nextInt(100) * 86_400_000L / 2);
    doc.append(",\"flag\":").append(random.nextBoolean());
    if (random.nextInt(8) > 0) {
      doc.append(",\"place\":[").append(list(random, 2, i -> place(random))).append(']');
    }
    doc.append(",\"number\":").append(number);
    if (nested) {
      doc.append(",\"comments\":[")
          .append(
              list(
                  random,
                  3,
                  i ->
                      "{\"author\":\"t"
                          + random.nextInt(TAGS)
                          + "\",\"text\":\""
                          + words(random, 1, 5)
                          + "\"}"))
          .append(']');
    }
    return doc.append('}').toString();
  }

  /** A point near the date line, on one side or the other. */
  static String place(Random random) {
    double lon = 178 + random.nextInt(4_000) / 1_000.0;
    return String.format(
        Locale.ROOT,
        "{\"lat\":%.3f,\"lon\":%.3f}",
        random.nextInt(4_000) / 1_000.0 - 2,
        lon > 180 ? lon - 360 : lon);
  }

  private static void maybe(Random random, StringBuilder doc, String field, String value) {
    if (random.nextInt(5) > 0) {
      doc.append(",\"").append(field).append("\":\"").append(value).append('"');
    }
  }

  private static String list(Random random, int most, IntFunction<String> item) {
    return IntStream.range(0, random.nextInt(most + 1))
        .mapToObj(item)
        .collect(Collectors.joining(","));
  }

  /** Words, frequent ones more often. */
  static String words(Random random, int least, int most) {
    return IntStream.range(0, least + random.nextInt(most - least + 1))
        .mapToObj(i -> word(random))
        .collect(Collectors.joining(" "));
  }

  static String word(Random random) {
    return "w" + skewed(random, WORDS);
  }

  private static int skewed(Random random, int bound) {
    return (int) (bound * Math.pow(random.nextDouble(), 3));
  }
}
