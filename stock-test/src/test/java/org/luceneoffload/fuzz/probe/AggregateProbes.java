/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.probe;

import java.io.IOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.CalendarInterval;
import org.luceneoffload.aggregate.CombinedField;
import org.luceneoffload.aggregate.DoubleEncoding;
import org.luceneoffload.aggregate.ValueRange;
import org.luceneoffload.fuzz.generate.Schema;

/** Aggregations, some at once: ours, or plain loops over the doc values of stock's matches. */
public final class AggregateProbes {
  private static final String[] NUMBERS = {
    Schema.NUMBER, Schema.POINT, Schema.SKIPPED, Schema.UPDATED, Schema.NUMBERS, Schema.NUMBERS
  };
  private static final String[] KEYWORDS = {Schema.STRING, Schema.KEYWORDS, Schema.FACETS};
  private static final String[] ZONES = {"Z", "Europe/Berlin", "America/St_Johns", "+14:00"};
  private static final String TOO_MANY = "too many buckets";

  private AggregateProbes() {}

  /** As many lines as aggregations, and one for the matches. */
  public static List<String> some(ProbedQuery asked, Random random) throws IOException {
    List<Aggregation<?>> all = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      all.add(random.nextInt(6) == 0 ? severalPasses(random) : aggregation(random));
    }
    try {
      return asked.searcher() instanceof OffloadIndexSearcher searcher
          ? ours(searcher, asked, all)
          : plain(asked, all);
    } catch (IllegalStateException e) {
      boolean buckets = String.valueOf(e.getMessage()).contains("buckets");
      if (buckets) {
        return List.of(TOO_MANY);
      }
      throw e;
    }
  }

  private static List<String> ours(
      OffloadIndexSearcher searcher, ProbedQuery asked, List<Aggregation<?>> all)
      throws IOException {
    AggregationResults results =
        searcher.aggregate(asked.query(), all.toArray(Aggregation<?>[]::new));
    List<String> lines = new ArrayList<>(List.of("matches " + results.matches()));
    all.forEach(aggregation -> lines.add(aggregation + ": " + results.get(aggregation)));
    return lines;
  }

  private static List<String> plain(ProbedQuery asked, List<Aggregation<?>> all)
      throws IOException {
    Set<Integer> docs =
        new TreeSet<>(
            asked
                .searcher()
                .search(asked.query(), new AllHits(false, AllHits.Reading.EACH, Integer.MAX_VALUE))
                .scoreBits()
                .keySet());
    PlainValues values = new PlainValues(asked.searcher().getIndexReader(), docs);
    List<String> lines = new ArrayList<>(List.of("matches " + docs.size()));
    for (Aggregation<?> aggregation : all) {
      lines.add(aggregation + ": " + PlainAggregates.of(aggregation, values));
    }
    return lines;
  }

  private static Aggregation<?> aggregation(Random random) {
    String number = field(random, NUMBERS);
    return switch (random.nextInt(10)) {
      case 0 -> Aggregation.stats(number);
      case 1 -> doubles(random, number);
      case 2, 3 ->
          Aggregation.terms(field(random, KEYWORDS), 1 + random.nextInt(random.nextInt(60) + 1));
      case 4 -> {
        long width = 1 + (random.nextBoolean() ? random.nextInt(40) : random.nextLong() >>> 2);
        yield random.nextInt(4) == 0
            ? Aggregation.histogram(number, width, 1 + random.nextInt(20))
            : Aggregation.histogram(number, width);
      }
      case 5 -> Aggregation.distinctTerms(field(random, KEYWORDS));
      case 6 -> Aggregation.values(number, 1 + random.nextInt(60));
      case 7 -> Aggregation.distinctValues(number);
      case 8 -> Aggregation.dates(number, interval(random), 1 + random.nextInt(2000));
      default -> {
        ValueRange[] ranges = new ValueRange[1 + random.nextInt(6)];
        for (int i = 0; i < ranges.length; i++) {
          ranges[i] = range(random);
        }
        yield Aggregation.ranges(number, ranges);
      }
    };
  }

  /** One that takes several passes; a third of the inner ones does, too. */
  private static Aggregation<?> severalPasses(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> {
        CombinedField[] fields = new CombinedField[1 + random.nextInt(2)];
        for (int i = 0; i < fields.length; i++) {
          fields[i] =
              random.nextBoolean()
                  ? CombinedField.keywords(field(random, KEYWORDS))
                  : CombinedField.numbers(field(random, NUMBERS));
        }
        int n = 1 + random.nextInt(30);
        yield random.nextBoolean()
            ? Aggregation.combinations(n, fields)
            : Aggregation.combinationsByKey(n, null, fields);
      }
      case 1 -> Aggregation.autoDates(field(random, NUMBERS), 1 + random.nextInt(40));
      default -> {
        Aggregation<?> inner = random.nextInt(3) == 0 ? severalPasses(random) : aggregation(random);
        yield Aggregation.inside(buckets(random), inner, Aggregation.stats(field(random, NUMBERS)));
      }
    };
  }

  private static Aggregation<?> buckets(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Aggregation.terms(field(random, KEYWORDS), 1 + random.nextInt(8));
      case 1 -> Aggregation.values(field(random, NUMBERS), 1 + random.nextInt(8));
      case 2 -> Aggregation.ranges(field(random, NUMBERS), range(random), range(random));
      default ->
          Aggregation.histogram(field(random, NUMBERS), 1 + random.nextInt(Schema.MAX_VALUE));
    };
  }

  private static CalendarInterval interval(Random random) {
    CalendarInterval.Unit[] units = CalendarInterval.Unit.values();
    return new CalendarInterval(
        units[random.nextInt(units.length)],
        1 + random.nextInt(3),
        ZoneId.of(ZONES[random.nextInt(ZONES.length)]));
  }

  private static Aggregation<?> doubles(Random random, String number) {
    DoubleEncoding[] encodings = DoubleEncoding.values();
    return random.nextBoolean()
        ? Aggregation.statsOfDoubles(Schema.DOUBLES, DoubleEncoding.SORTABLE_DOUBLE)
        : Aggregation.statsOfDoubles(number, encodings[random.nextInt(encodings.length)]);
  }

  private static String field(Random random, String... fields) {
    return random.nextInt(20) == 0 ? "nofield" : fields[random.nextInt(fields.length)];
  }

  /** A range of numbers, at times without an end. */
  static ValueRange range(Random random) {
    long min = random.nextInt(6) == 0 ? Long.MIN_VALUE : random.nextInt(Schema.MAX_VALUE + 20) - 10;
    long max =
        random.nextInt(6) == 0
            ? Long.MAX_VALUE
            : Math.max(min, random.nextInt(Schema.MAX_VALUE + 20) - 10);
    return new ValueRange(min, max);
  }
}
