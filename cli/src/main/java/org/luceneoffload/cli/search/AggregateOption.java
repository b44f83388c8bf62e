/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.Term;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.AggregationResults.AutoDateCounts;
import org.luceneoffload.aggregate.AggregationResults.BucketResults;
import org.luceneoffload.aggregate.AggregationResults.DateCounts;
import org.luceneoffload.aggregate.AggregationResults.DistinctCount;
import org.luceneoffload.aggregate.AggregationResults.DoubleStats;
import org.luceneoffload.aggregate.AggregationResults.HistogramCounts;
import org.luceneoffload.aggregate.AggregationResults.LongStats;
import org.luceneoffload.aggregate.AggregationResults.RangeCounts;
import org.luceneoffload.aggregate.AggregationResults.TermCounts;
import org.luceneoffload.aggregate.AggregationResults.ValueCounts;
import org.luceneoffload.aggregate.CalendarInterval;
import org.luceneoffload.aggregate.CalendarInterval.Unit;
import org.luceneoffload.aggregate.DoubleEncoding;
import org.luceneoffload.aggregate.ValueRange;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.search.AggregateAnswer.Bucket;
import org.luceneoffload.workload.TypedField;
import org.luceneoffload.workload.TypedField.Type;
import org.luceneoffload.workload.TypedFields;

/**
 * An aggregation as the command line says it: {@code stats:FIELD}, {@code terms:FIELD[:N]}, {@code
 * distinct:FIELD}, {@code histogram:FIELD:WIDTH}, {@code calendar:FIELD:UNIT[:ZONE]}, {@code
 * auto:FIELD[:N]} or {@code ranges:FIELD:FROM..TO,...}; or one with another for each of its
 * buckets: {@code terms:FIELD>stats:FIELD}.
 */
final class AggregateOption {
  private static final int TERMS = 10;
  private static final String FORMS =
      "stats:FIELD, terms:FIELD[:N], distinct:FIELD, histogram:FIELD:WIDTH,"
          + " calendar:FIELD:UNIT[:ZONE], auto:FIELD[:N] or ranges:FIELD:FROM..TO,... is needed";

  private final String text;
  private final TypedField field;
  private final String detail; // null: none
  private Aggregation<?> aggregation;
  private long width;
  private ZoneId zone;
  private final List<String> ranges = new ArrayList<>();
  private AggregateOption buckets; // null: there is nothing inside
  private AggregateOption inside;

  private AggregateOption(String text, TypedField field, String detail) {
    this.text = text;
    this.field = field;
    this.detail = detail;
  }

  /**
   * Parses what the command line says.
   *
   * @throws Failure of usage that names what is wrong
   */
  static AggregateOption parse(String text, TypedFields fields) {
    int inside = text.indexOf('>');
    return inside < 0
        ? parseOne(text, fields)
        : nested(text, text.substring(0, inside), text.substring(inside + 1), fields);
  }

  private static AggregateOption nested(
      String text, String buckets, String inside, TypedFields fields) {
    AggregateOption outer = parseOne(buckets, fields);
    AggregateOption option = new AggregateOption(text, outer.field, null);
    option.buckets = outer;
    option.inside = parse(inside, fields);
    try {
      option.aggregation = Aggregation.inside(outer.aggregation, option.inside.aggregation);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--aggregate " + text + ": " + buckets + " has no buckets", e);
    }
    return option;
  }

  private static AggregateOption parseOne(String text, TypedFields fields) {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw wrong(text, FORMS);
    }
    String rest = text.substring(colon + 1);
    String name = rest;
    // Names may have colons; the shortest that is a field's counts.
    for (int i = rest.indexOf(':'); i >= 0 && fields.get(name) == null; ) {
      name = rest.substring(0, i);
      i = fields.get(name) == null ? rest.indexOf(':', i + 1) : -1;
    }
    if (fields.get(name) == null) {
      int end = rest.indexOf(':');
      String asked = end < 0 ? rest : rest.substring(0, end);
      throw wrong(text, SortOrder.unknown(asked, fields));
    }
    String detail = name.length() == rest.length() ? null : rest.substring(name.length() + 1);
    AggregateOption option = new AggregateOption(text, fields.get(name), detail);
    if (option.field.type() == Type.GEO) {
      throw wrong(text, option.needs("numbers, dates or keywords"));
    }
    option.aggregation =
        switch (text.substring(0, colon)) {
          case "stats" -> option.stats();
          case "terms" -> option.terms();
          case "distinct" -> option.distinct();
          case "histogram" -> option.histogram();
          case "calendar" -> option.calendar();
          case "ranges" -> option.ranges();
          case "auto" -> option.auto();
          default -> throw wrong(text, FORMS);
        };
    return option;
  }

  private static Failure wrong(String text, String why) {
    return Failure.usage("--aggregate " + text + ": " + why);
  }

  private Aggregation<?> stats() {
    if (field.type() == Type.KEYWORD || detail != null) {
      throw wrong(text, detail == null ? needs("numbers or dates") : FORMS);
    }
    return field.type() == Type.DOUBLE
        ? Aggregation.statsOfDoubles(field.name(), DoubleEncoding.SORTABLE_DOUBLE)
        : Aggregation.stats(field.name());
  }

  private String needs(String kind) {
    return "a field of " + kind + " is needed, " + field + " is none";
  }

  private Aggregation<?> terms() {
    long n = detail == null ? TERMS : positive(detail, "number of keywords");
    int wanted = (int) Math.min(n, Integer.MAX_VALUE);
    if (field.type() == Type.KEYWORD) {
      return Aggregation.terms(field.name(), wanted);
    }
    if (field.type() == Type.DOUBLE) {
      throw wrong(text, needs("keywords, whole numbers or dates"));
    }
    return Aggregation.values(field.name(), wanted);
  }

  private Aggregation<?> distinct() {
    if (detail != null) {
      throw wrong(text, FORMS);
    }
    return field.type() == Type.KEYWORD
        ? Aggregation.distinctTerms(field.name())
        : Aggregation.distinctValues(field.name());
  }

  private long positive(String number, String what) {
    try {
      long value = Long.parseLong(number);
      if (value > 0) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw wrong(
        text, "the " + what + " must be a whole number of at least 1, not '" + number + "'");
  }

  private void checkWhole() {
    if (field.type() != Type.LONG && field.type() != Type.DATE) {
      throw wrong(text, needs("whole numbers or dates"));
    }
  }

  private Aggregation<?> histogram() {
    checkWhole();
    if (detail == null) {
      throw wrong(text, FORMS);
    }
    width = field.type() == Type.LONG ? positive(detail, "width") : duration();
    return Aggregation.histogram(field.name(), width);
  }

  private Aggregation<?> calendar() {
    if (field.type() != Type.DATE) {
      throw wrong(text, needs("dates"));
    }
    if (detail == null) {
      throw wrong(text, FORMS);
    }
    int colon = detail.indexOf(':');
    String unit = colon < 0 ? detail : detail.substring(0, colon);
    try {
      zone = colon < 0 ? ZoneOffset.UTC : ZoneId.of(detail.substring(colon + 1));
    } catch (DateTimeException e) {
      throw Failure.usage("--aggregate " + text + ": " + e.getMessage(), e);
    }
    CalendarInterval interval =
        switch (unit) {
          case "day" -> new CalendarInterval(Unit.DAY, 1, zone);
          case "week" -> new CalendarInterval(Unit.WEEK, 1, zone);
          case "month" -> new CalendarInterval(Unit.MONTH, 1, zone);
          case "quarter" -> new CalendarInterval(Unit.MONTH, 3, zone);
          case "year" -> new CalendarInterval(Unit.YEAR, 1, zone);
          default ->
              throw wrong(
                  text, "the unit is day, week, month, quarter or year, not '" + unit + "'");
        };
    return Aggregation.dates(field.name(), interval);
  }

  private Aggregation<?> auto() {
    if (field.type() != Type.DATE) {
      throw wrong(text, needs("dates"));
    }
    long n = detail == null ? TERMS : positive(detail, "number of intervals");
    return Aggregation.autoDates(field.name(), (int) Math.min(n, Integer.MAX_VALUE));
  }

  private long duration() {
    String number = detail.substring(0, Math.max(0, detail.length() - 1));
    long units = number.matches("[0-9]+") ? positive(number, "width") : 0;
    TimeUnit unit =
        switch (detail.isEmpty() ? ' ' : detail.charAt(detail.length() - 1)) {
          case 'd' -> TimeUnit.DAYS;
          case 'h' -> TimeUnit.HOURS;
          case 'm' -> TimeUnit.MINUTES;
          case 's' -> TimeUnit.SECONDS;
          default -> null;
        };
    if (unit == null || units == 0) {
      throw wrong(text, "the width of dates is such as 7d, 12h, 30m or 10s, not '" + detail + "'");
    }
    return unit.toMillis(units);
  }

  private Aggregation<?> ranges() {
    checkWhole();
    if (detail == null) {
      throw wrong(text, FORMS);
    }
    List<ValueRange> values = new ArrayList<>();
    for (String part : detail.split(",", -1)) {
      int dots = part.indexOf("..");
      if (dots < 0 || part.length() == 2) {
        throw wrong(text, "a range is FROM..TO, FROM.. or ..TO, not '" + part + "'");
      }
      String from = part.substring(0, dots);
      String to = part.substring(dots + 2);
      try {
        values.add(field.numbers(from.isEmpty() ? null : from, to.isEmpty() ? null : to));
      } catch (IllegalArgumentException e) {
        throw Failure.usage("--aggregate " + text + ": " + e.getMessage(), e);
      }
      ranges.add(part);
    }
    return Aggregation.ranges(field.name(), values.toArray(ValueRange[]::new));
  }

  /** Returns the aggregation that the library is asked for. */
  Aggregation<?> aggregation() {
    return aggregation;
  }

  /** Returns what was found. */
  AggregateAnswer answer(AggregationResults results) {
    return answer(results.get(aggregation));
  }

  private AggregateAnswer answer(Object result) {
    return switch (result) {
      case BucketResults<?> found -> of(found);
      case AutoDateCounts found -> of(found);
      case LongStats found -> of(found);
      case DoubleStats found -> of(found);
      case TermCounts found -> of(found);
      case ValueCounts found -> of(found);
      case DistinctCount found -> of(found);
      case HistogramCounts found -> of(found);
      case DateCounts found -> of(found);
      case RangeCounts found -> of(found);
      case Object other -> throw new IllegalStateException(String.valueOf(other));
    };
  }

  /** Shows the buckets as they are shown alone, with what is inside each. */
  private AggregateAnswer of(BucketResults<?> found) {
    AggregateAnswer alone = buckets.answer(found.buckets());
    List<Bucket> all = new ArrayList<>();
    for (int i = 0; i < found.inside().size(); i++) {
      Bucket bucket = alone.buckets().get(i);
      all.add(new Bucket(bucket.name(), bucket.count(), inside.answer(found.inside().get(i))));
    }
    return new AggregateAnswer(
        text,
        alone.docs(),
        alone.missing(),
        alone.values(),
        null,
        null,
        null,
        null,
        alone.distinct(),
        alone.inAny(),
        all);
  }

  private AggregateAnswer of(AutoDateCounts found) {
    DateCounts counts = found.counts();
    return buckets(
        counts.docs(),
        counts.missing(),
        null,
        null,
        null,
        counts.buckets().stream()
            .map(bucket -> new Bucket(field.show(bucket.from()), bucket.count()))
            .toList());
  }

  private AggregateAnswer of(LongStats found) {
    boolean any = found.values() > 0;
    boolean date = field.type() == Type.DATE;
    return new AggregateAnswer(
        text,
        found.docs(),
        found.missing(),
        found.values(),
        date ? null : found.sum(),
        date || !any ? null : (double) found.sum() / found.values(),
        !any ? null : date ? field.show(found.min()) : (Object) found.min(),
        !any ? null : date ? field.show(found.max()) : (Object) found.max(),
        null,
        null,
        null);
  }

  private AggregateAnswer of(DoubleStats found) {
    boolean any = found.values() > 0;
    return new AggregateAnswer(
        text,
        found.docs(),
        found.missing(),
        found.values(),
        found.sum(),
        any ? found.sum() / found.values() : null,
        any ? found.min() : null,
        any ? found.max() : null,
        null,
        null,
        null);
  }

  private AggregateAnswer of(TermCounts found) {
    return buckets(
        found.docs(),
        found.missing(),
        found.values(),
        found.distinct(),
        null,
        found.top().stream()
            .map(term -> new Bucket(Term.toString(term.term()), term.count()))
            .toList());
  }

  private AggregateAnswer of(ValueCounts found) {
    return buckets(
        found.docs(),
        found.missing(),
        found.values(),
        found.distinct(),
        null,
        found.top().stream()
            .map(value -> new Bucket(field.show(value.value()), value.count()))
            .toList());
  }

  private AggregateAnswer of(DistinctCount found) {
    return buckets(found.docs(), found.missing(), null, found.count(), null, null);
  }

  /** Shows counts by date, whose days are those of the time zone. */
  private AggregateAnswer of(DateCounts found) {
    return buckets(
        found.docs(),
        found.missing(),
        null,
        null,
        null,
        found.buckets().stream()
            .map(
                bucket ->
                    new Bucket(
                        Instant.ofEpochMilli(bucket.from()).atZone(zone).toLocalDate().toString(),
                        bucket.count()))
            .toList());
  }

  private AggregateAnswer of(HistogramCounts found) {
    return buckets(
        found.docs(),
        found.missing(),
        null,
        null,
        null,
        found.buckets().stream()
            .map(bucket -> new Bucket(field.show(bucket.number() * width), bucket.count()))
            .toList());
  }

  private AggregateAnswer of(RangeCounts found) {
    List<Bucket> buckets = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      buckets.add(new Bucket(ranges.get(i), found.counts().get(i)));
    }
    return buckets(found.docs(), found.missing(), null, null, found.inAny(), buckets);
  }

  private AggregateAnswer buckets(
      long docs, long missing, Long values, Long distinct, Long inAny, List<Bucket> buckets) {
    return new AggregateAnswer(
        text, docs, missing, values, null, null, null, null, distinct, inAny, buckets);
  }

  /** Returns the heading of a table of buckets. */
  static String heading(String aggregate) {
    return switch (aggregate.substring(0, aggregate.indexOf(':')).toLowerCase(Locale.ROOT)) {
      case "terms" -> "value";
      case "ranges" -> "range";
      default -> "from";
    };
  }
}
