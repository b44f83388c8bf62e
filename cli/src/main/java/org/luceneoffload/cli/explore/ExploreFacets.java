/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.explore;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.Query;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.search.AggregateAnswer;
import org.luceneoffload.cli.search.AggregateAnswer.Bucket;
import org.luceneoffload.cli.search.Answer;
import org.luceneoffload.cli.search.Comparison;
import org.luceneoffload.cli.search.SearchSide;
import org.luceneoffload.cli.search.Wanted;
import org.luceneoffload.workload.TypedField;
import org.luceneoffload.workload.TypedFields;

/** Asks about the values of all matches: first of all fields, then of ranges of whole numbers. */
final class ExploreFacets {
  private static final int MAX_FIELDS = 12;
  private static final int BUCKETS = 8;

  private final Query query;
  private final TypedFields fields;
  private final SearchSide device;
  private final SearchSide host;
  private String difference;

  private ExploreFacets(Query query, TypedFields fields, SearchSide device, SearchSide host) {
    this.query = query;
    this.fields = fields;
    this.device = device;
    this.host = host;
  }

  /** Returns what both sides find. */
  static ExploreReport.Facets of(
      Query query,
      TypedFields fields,
      OffloadDirectory directory,
      DirectoryReader reader,
      boolean strict)
      throws IOException {
    SearchSide device = SearchSide.device(reader, directory, strict, null);
    return new ExploreFacets(query, fields, device, SearchSide.host(reader)).answer();
  }

  private ExploreReport.Facets answer() throws IOException {
    List<TypedField> asked =
        fields.all().stream()
            .filter(field -> field.type() != TypedField.Type.GEO)
            .limit(MAX_FIELDS)
            .toList();
    List<AggregateAnswer> answers = ask(asked.stream().map(ExploreFacets::aggregate).toList());
    List<String> ofRanges = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      if (asked.get(i).type() == TypedField.Type.LONG) {
        ofRanges.add(ranges(asked.get(i), answers.get(i)));
      }
    }
    List<AggregateAnswer> ranges = ask(ofRanges);
    List<ExploreReport.Facet> facets = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      TypedField field = asked.get(i);
      AggregateAnswer answer =
          field.type() == TypedField.Type.LONG ? ranges.removeFirst() : answers.get(i);
      facets.add(
          new ExploreReport.Facet(
              field.name(),
              field.type().name().toLowerCase(Locale.ROOT),
              answer,
              answer.buckets() == null ? null : filters(field, answer.buckets())));
    }
    return new ExploreReport.Facets(difference == null, difference, facets);
  }

  private List<AggregateAnswer> ask(List<String> aggregates) throws IOException {
    if (aggregates.isEmpty()) {
      return List.of();
    }
    Wanted wanted = Wanted.aggregates(aggregates, fields);
    Answer onDevice = device.answer(query, wanted);
    Answer onHost = host.answer(query, wanted);
    if (difference == null) {
      difference = Comparison.firstDifference(onDevice, onHost);
    }
    return new ArrayList<>(onDevice.aggregates());
  }

  private static String aggregate(TypedField field) {
    return switch (field.type()) {
      case KEYWORD -> "terms:" + field.name() + ":" + BUCKETS;
      case DATE -> "auto:" + field.name() + ":" + BUCKETS;
      default -> "stats:" + field.name();
    };
  }

  /** Returns the aggregate of ranges of a round width around the mean; the last one has no end. */
  private static String ranges(TypedField field, AggregateAnswer stats) {
    long least = stats.min() instanceof Number number ? number.longValue() : 0;
    double mean = stats.mean() == null ? least : stats.mean();
    double wanted = Math.max(1, 2 * (mean - least) / BUCKETS);
    double power = Math.pow(10, Math.floor(Math.log10(wanted)));
    double factor = wanted <= power ? 1 : wanted <= 2 * power ? 2 : wanted <= 5 * power ? 5 : 10;
    long width = (long) Math.min(factor * power, Long.MAX_VALUE / (4.0 * BUCKETS));
    long from = least < Long.MIN_VALUE / 2 ? least : Math.floorDiv(least, width) * width;
    StringJoiner ranges = new StringJoiner(",", "ranges:" + field.name() + ":", "");
    for (int i = 1; i < BUCKETS && from <= Long.MAX_VALUE - 2 * width; i++, from += width) {
      ranges.add(from + ".." + (from + width - 1));
    }
    return ranges.add(from + "..").toString();
  }

  private static List<String> filters(TypedField field, List<Bucket> buckets) {
    String name = QueryParser.escape(field.name()) + ":";
    List<String> filters = new ArrayList<>();
    for (int i = 0; i < buckets.size(); i++) {
      String value = buckets.get(i).name();
      filters.add(
          switch (field.type()) {
            case KEYWORD -> name + '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
            case LONG -> name + range(value);
            default -> name + until(value, i + 1 < buckets.size() ? buckets.get(i + 1) : null);
          });
    }
    return filters;
  }

  /** Returns the range of a query for one that is shown as {@code FROM..TO}. */
  private static String range(String shown) {
    String[] ends = shown.split("\\.\\.", 2);
    return "[\"" + ends[0] + "\" TO " + (ends[1].isEmpty() ? "*" : '"' + ends[1] + '"') + "]";
  }

  /** Returns the range from a date to that of the next bucket. */
  private static String until(String from, Bucket next) {
    return "[\"" + from + "\" TO " + (next == null ? "*]" : '"' + next.name() + "\"}");
  }
}
