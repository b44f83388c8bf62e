/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.CalendarInterval;
import org.luceneoffload.aggregate.CombinedField;
import org.luceneoffload.aggregate.DoubleEncoding;
import org.luceneoffload.aggregate.ValueRange;
import org.luceneoffload.workload.TypedField;

/** The {@code aggs} part of a body, as aggregations of a searcher. */
final class RequestAggregations {
  private static final int TERMS = 10;
  private static final int BUCKETS = 1 << 16;
  private static final long DAY = TimeUnit.DAYS.toMillis(1);

  private final RequestFields fields;

  RequestAggregations(RequestFields fields) {
    this.fields = fields;
  }

  /**
   * Translates aggregations.
   *
   * @throws UntranslatedException if one is of another kind, or has others inside and no buckets
   * @throws IllegalArgumentException if one is wrong; the message says why
   */
  List<Aggregation<?>> parse(JsonNode aggregations) {
    List<Aggregation<?>> all = new ArrayList<>();
    for (Map.Entry<String, JsonNode> named : aggregations.properties()) {
      all.add(named(named.getKey(), named.getValue()));
    }
    return all;
  }

  private Aggregation<?> named(String name, JsonNode node) {
    String inside = node.has("aggs") ? "aggs" : "aggregations";
    if (!node.has(inside)) {
      return only(name, node);
    }
    if (!node.isObject()) {
      throw JsonBody.wrong("aggregation " + name + " is no object");
    }
    ObjectNode outer = node.deepCopy();
    List<Aggregation<?>> inner = parse(outer.remove(inside));
    Aggregation<?> buckets = only(name, outer);
    if (inner.isEmpty()) {
      return buckets;
    }
    try {
      return Aggregation.inside(buckets, inner.toArray(Aggregation<?>[]::new));
    } catch (IllegalArgumentException e) {
      throw new UntranslatedException("aggregations inside \"" + name + "\", which has no buckets");
    }
  }

  private Aggregation<?> only(String name, JsonNode node) {
    Map.Entry<String, JsonNode> kind = JsonBody.only(node, "aggregation " + name);
    return parse(kind.getKey(), kind.getValue());
  }

  private Aggregation<?> parse(String kind, JsonNode body) {
    return switch (kind) {
      case "stats", "sum", "min", "max", "avg", "value_count" -> stats(field(kind, body));
      case "terms" -> terms(field(kind, body), body);
      case "histogram" -> histogram(field(kind, body), body);
      case "cardinality" -> distinct(field(kind, body));
      case "date_histogram" -> dates(field(kind, body), body);
      case "range" -> ranges(field(kind, body), body);
      case "auto_date_histogram" -> autoDates(field(kind, body), body);
      case "multi_terms" -> multiTerms(body);
      case "composite" -> composite(body);
      case "top_metrics" -> topMetrics(body);
      default -> throw new UntranslatedException("aggregation \"" + kind + "\"");
    };
  }

  private static Aggregation<?> autoDates(TypedField field, JsonNode body) {
    if (body.has("time_zone") || body.has("minimum_interval") || !isWhole(field)) {
      throw new UntranslatedException(
          "aggregation \"auto_date_histogram\" of other than UTC dates");
    }
    return Aggregation.autoDates(field.name(), body.path("buckets").asInt(TERMS));
  }

  private static CombinedField combined(TypedField field) {
    return new CombinedField(field.name(), field.type() == TypedField.Type.KEYWORD);
  }

  private Aggregation<?> multiTerms(JsonNode body) {
    CombinedField[] fields =
        JsonBody.each(body.get("terms"), term -> combined(field("multi_terms", term)))
            .toArray(CombinedField[]::new);
    return Aggregation.combinations(body.path("size").asInt(TERMS), fields);
  }

  private Aggregation<?> composite(JsonNode body) {
    if (body.has("after")) {
      throw new UntranslatedException("aggregation \"composite\" after a key");
    }
    List<CombinedField> fields = new ArrayList<>();
    for (JsonNode named : JsonBody.each(body.get("sources"), source -> source)) {
      JsonNode source = JsonBody.only(named, "a source of \"composite\"").getValue();
      Map.Entry<String, JsonNode> kind = JsonBody.only(source, "a source of \"composite\"");
      if (!kind.getKey().equals("terms") || kind.getValue().path("order").asText().equals("desc")) {
        throw new UntranslatedException("aggregation \"composite\" of other than ascending terms");
      }
      fields.add(combined(field("composite", kind.getValue())));
    }
    return Aggregation.combinationsByKey(
        body.path("size").asInt(TERMS), null, fields.toArray(CombinedField[]::new));
  }

  private Aggregation<?> topMetrics(JsonNode body) {
    JsonNode sort = body.path("sort");
    String[] metrics =
        JsonBody.each(body.get("metrics"), metric -> field("top_metrics", metric).name())
            .toArray(String[]::new);
    Map.Entry<String, JsonNode> key = JsonBody.only(sort, "the sort of \"top_metrics\"");
    JsonNode order = key.getValue().isTextual() ? key.getValue() : key.getValue().path("order");
    return Aggregation.topMetrics(
        fields.need(key.getKey()).sortField(order.asText().equals("desc")),
        body.path("size").asInt(1),
        metrics);
  }

  private TypedField field(String kind, JsonNode body) {
    return fields.need(JsonBody.needed(body, "field", "aggregation \"" + kind + "\""));
  }

  private static Aggregation<?> stats(TypedField field) {
    return switch (field.type()) {
      case KEYWORD -> throw new UntranslatedException("numbers of a field of keywords");
      case DOUBLE -> Aggregation.statsOfDoubles(field.name(), DoubleEncoding.SORTABLE_DOUBLE);
      default -> Aggregation.stats(field.name());
    };
  }

  private static Aggregation<?> terms(TypedField field, JsonNode body) {
    int n = Math.max(1, body.path("size").asInt(TERMS));
    return field.type() == TypedField.Type.KEYWORD
        ? Aggregation.terms(field.name(), n)
        : Aggregation.values(field.name(), n);
  }

  private static Aggregation<?> distinct(TypedField field) {
    return field.type() == TypedField.Type.KEYWORD
        ? Aggregation.distinctTerms(field.name())
        : Aggregation.distinctValues(field.name());
  }

  private static Aggregation<?> histogram(TypedField field, JsonNode body) {
    double interval = body.path("interval").asDouble();
    if (!isWhole(field) || interval < 1 || interval != Math.rint(interval)) {
      throw new UntranslatedException("aggregation \"histogram\" of fractions");
    }
    return Aggregation.histogram(field.name(), (long) interval, BUCKETS);
  }

  private static boolean isWhole(TypedField field) {
    return field.type() == TypedField.Type.LONG || field.type() == TypedField.Type.DATE;
  }

  private static Aggregation<?> dates(TypedField field, JsonNode body) {
    JsonNode fixed = body.path("fixed_interval");
    ZoneId zone = zone(body.path("time_zone").asText("Z"));
    String interval = body.path("calendar_interval").asText();
    long width =
        fixed.isMissingNode()
            ? switch (interval) {
              case "minute", "1m" -> TimeUnit.MINUTES.toMillis(1);
              case "hour", "1h" -> TimeUnit.HOURS.toMillis(1);
              case "day", "1d" -> zone.normalized().equals(ZoneOffset.UTC) ? DAY : 0;
              default -> 0;
            }
            : fixed(fixed.asText());
    if (width == 0) {
      return Aggregation.dates(field.name(), calendar(interval, zone), BUCKETS);
    }
    if (zone.normalized().equals(ZoneOffset.UTC)) {
      return Aggregation.histogram(field.name(), width, BUCKETS);
    }
    // Days begin where clocks say so; shorter intervals begin with a day only in some zones.
    if (width % DAY != 0 || width / DAY > Integer.MAX_VALUE) {
      throw new UntranslatedException(
          "aggregation \"date_histogram\" of parts of days with a time zone");
    }
    CalendarInterval days =
        new CalendarInterval(CalendarInterval.Unit.DAY, (int) (width / DAY), zone);
    return Aggregation.dates(field.name(), days, BUCKETS);
  }

  private static ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw JsonBody.wrong("\"time_zone\" is not known: " + name + ", " + e.getMessage());
    }
  }

  private static CalendarInterval calendar(String interval, ZoneId zone) {
    return switch (interval) {
      case "day", "1d" -> new CalendarInterval(CalendarInterval.Unit.DAY, 1, zone);
      case "week", "1w" -> new CalendarInterval(CalendarInterval.Unit.WEEK, 1, zone);
      case "month", "1M" -> new CalendarInterval(CalendarInterval.Unit.MONTH, 1, zone);
      case "quarter", "1q" -> new CalendarInterval(CalendarInterval.Unit.MONTH, 3, zone);
      case "year", "1y" -> new CalendarInterval(CalendarInterval.Unit.YEAR, 1, zone);
      default ->
          throw new UntranslatedException(
              "aggregation \"date_histogram\" by the calendar (" + interval + ")");
    };
  }

  private static long fixed(String text) {
    if (!text.matches("[1-9][0-9]{0,8}(ms|s|m|h|d)")) {
      throw JsonBody.wrong("\"fixed_interval\" is such as 60d, 12h, 30m, 10s or 5ms, not " + text);
    }
    String unit = text.replaceAll("[0-9]", "");
    long number = Long.parseLong(text.substring(0, text.length() - unit.length()));
    return switch (unit) {
      case "d" -> TimeUnit.DAYS.toMillis(number);
      case "h" -> TimeUnit.HOURS.toMillis(number);
      case "m" -> TimeUnit.MINUTES.toMillis(number);
      case "s" -> TimeUnit.SECONDS.toMillis(number);
      default -> number;
    };
  }

  /** Parses ranges, whose upper ends are exclusive. */
  private static Aggregation<?> ranges(TypedField field, JsonNode body) {
    if (!isWhole(field)) {
      throw new UntranslatedException("aggregation \"range\" of fractions");
    }
    return Aggregation.ranges(
        field.name(),
        JsonBody.each(
                body.get("ranges"),
                range ->
                    new ValueRange(
                        range.path("from").asLong(Long.MIN_VALUE),
                        range.has("to") ? range.get("to").asLong() - 1 : Long.MAX_VALUE))
            .toArray(ValueRange[]::new));
  }
}
