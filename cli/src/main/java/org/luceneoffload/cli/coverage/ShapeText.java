/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.coverage;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.SortedSetSortField;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.Aggregation.AutoDates;
import org.luceneoffload.aggregate.Aggregation.Combinations;
import org.luceneoffload.aggregate.Aggregation.InsideBuckets;
import org.luceneoffload.aggregate.Aggregation.TopMetrics;
import org.luceneoffload.workload.request.SearchRequest;

/** The shape of a request: Lucene's classes without fields, words and values. */
final class ShapeText {
  private ShapeText() {}

  /** Returns a text such as {@code Boolean(+Term #Range), top 10}. */
  static String of(SearchRequest request) {
    List<String> parts = new ArrayList<>();
    parts.add(of(request.query()));
    if (request.collapse() != null) {
      parts.add("best hit of each value");
    } else if (request.size() > 0) {
      parts.add(
          request.sort() == null
              ? "top hits"
              : "sorted by "
                  + Stream.of(request.sort().getSort())
                      .map(ShapeText::of)
                      .collect(Collectors.joining(", "))
                  + (request.after() == null ? "" : ", after a hit"));
    } else if (request.aggregations().isEmpty() && request.otherWork() == null) {
      parts.add("count");
    }
    Map<String, Long> kinds =
        request.aggregations().stream()
            .collect(
                Collectors.groupingBy(ShapeText::of, LinkedHashMap::new, Collectors.counting()));
    kinds.forEach((kind, times) -> parts.add(times == 1 ? kind : kind + " x " + times));
    if (request.otherWork() != null) {
      parts.add(request.otherWork());
    }
    return String.join("; ", parts);
  }

  private static String of(SortField key) {
    return switch (key.getType()) {
      case SCORE -> "score";
      case DOC -> "doc";
      default -> key.getClass() == SortField.class ? "value" : kind(key);
    };
  }

  private static String kind(SortField key) {
    return key instanceof SortedSetSortField
        ? "keyword"
        : key instanceof SortedNumericSortField ? "number" : "distance";
  }

  private static String of(Aggregation<?> aggregation) {
    return switch (aggregation) {
      case Aggregation.Longs longs -> "stats";
      case Aggregation.Doubles doubles -> "stats of doubles";
      case Aggregation.Terms terms -> "terms";
      case Aggregation.Ordinals ordinals -> "ordinals";
      case Aggregation.DistinctTerms distinct -> "distinct terms";
      case Aggregation.Values values -> "terms of numbers";
      case Aggregation.DistinctValues distinct -> "distinct numbers";
      case Aggregation.Dates dates -> "histogram by the calendar";
      case Aggregation.Histogram histogram -> "histogram";
      case Aggregation.Ranges ranges -> "ranges";
      case InsideBuckets<?> inside -> "aggregations inside others";
      case AutoDates dates -> "histogram of an interval that suits";
      case Combinations combinations ->
          combinations.byKey() ? "combinations by key" : "combinations of values";
      case TopMetrics metrics -> "numbers of the first hits";
    };
  }

  /** Returns a text such as {@code Boolean(+Term -Term)}. */
  static String of(Query query) {
    return switch (query) {
      case BooleanQuery bool -> bool(bool);
      case BoostQuery boost -> of(boost.getQuery());
      case ConstantScoreQuery constant -> "ConstantScore(" + of(constant.getQuery()) + ")";
      case IndexOrDocValuesQuery either -> of(either.getIndexQuery());
      case DisjunctionMaxQuery max ->
          "DisjunctionMax(" + children(max.getDisjuncts().stream().map(ShapeText::of)) + ")";
      case PhraseQuery phrase -> phrase.getSlop() == 0 ? "Phrase" : "Phrase~";
      default -> name(query.getClass());
    };
  }

  private static String name(Class<?> type) {
    Class<?> named = type;
    while (named.isAnonymousClass()) {
      named = named.getSuperclass();
    }
    String name = named.getSimpleName();
    return name.endsWith("Query") ? name.substring(0, name.length() - 5) : name;
  }

  private static String bool(BooleanQuery bool) {
    String clauses =
        children(bool.clauses().stream().map(clause -> clause.occur() + of(clause.query())));
    int least = bool.getMinimumNumberShouldMatch();
    return "Boolean(" + clauses + ")" + (least > 0 ? "~" : "");
  }

  /** Joins texts; equal neighbours are shown once, with a star. */
  private static String children(Stream<String> texts) {
    Map<String, Integer> times = new LinkedHashMap<>();
    texts.forEach(text -> times.merge(text, 1, Integer::sum));
    return times.entrySet().stream()
        .map(entry -> entry.getKey() + (entry.getValue() == 1 ? "" : "*"))
        .collect(Collectors.joining(" "));
  }
}
