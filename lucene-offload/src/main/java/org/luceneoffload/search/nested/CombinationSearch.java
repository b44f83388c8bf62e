/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.nested;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.search.Query;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.Aggregation.Combinations;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.AggregationResults.CombinationCounts;
import org.luceneoffload.aggregate.AggregationResults.TermCounts;
import org.luceneoffload.aggregate.AggregationResults.ValueCounts;
import org.luceneoffload.search.aggregate.BestCombinations;
import org.luceneoffload.search.aggregate.Tallies;
import org.luceneoffload.search.aggregate.ValueFilters;
import org.luceneoffload.util.SortedBlocks;

/**
 * Counts combinations of values: of each value of one field, or combination of values of several,
 * one pass over its matches counts the values of the next.
 */
final class CombinationSearch {
  private final Passes passes;
  private final Combinations asked;
  private final BestCombinations best;
  private int[] order; // of the fields, in which their values are looked for

  /** A value of a field and the matches that have it. */
  private record Counted(Object key, long count) {}

  CombinationSearch(Passes passes, Combinations asked) {
    this.passes = passes;
    this.asked = asked;
    best = new BestCombinations(asked);
  }

  /** Returns what has to be known of all matches. */
  static List<Aggregation<?>> firstPass(Combinations asked) {
    List<Aggregation<?>> all = new ArrayList<>();
    asked.fields().forEach(field -> all.add(field.all()));
    return all;
  }

  private static List<Counted> values(Object counts) {
    List<Counted> values = new ArrayList<>();
    if (counts instanceof TermCounts terms) {
      terms.top().forEach(one -> values.add(new Counted(one.term(), one.count())));
    } else {
      ((ValueCounts) counts)
          .top()
          .forEach(one -> values.add(new Counted(one.value(), one.count())));
    }
    values.sort((a, b) -> BestCombinations.compare(List.of(a.key()), List.of(b.key())));
    return values;
  }

  /**
   * Returns the counts.
   *
   * @param first results of {@link #firstPass}
   * @param onDevice whether the device had a part in them
   */
  CombinationCounts run(Query query, AggregationResults first, boolean onDevice)
      throws IOException {
    List<List<Counted>> values = new ArrayList<>();
    asked.fields().forEach(field -> values.add(values(first.get(field.all()))));
    order = order(values);
    if (passes.hostMayAnswer() && !pays(query, first.matches(), values, onDevice)) {
      Tallies tallies = Tallies.of(List.of(asked));
      passes.tally(query, tallies);
      return tallies.results().get(asked);
    }
    Object[] keys = new Object[order.length];
    add(query, 0, keys, values.get(order[0]));
    return best.result();
  }

  /**
   * Returns the order of the fields: those of few values first; by key, the first field first, so
   * that a look at few is enough.
   */
  private int[] order(List<List<Counted>> values) {
    IntStream fields = IntStream.range(0, values.size());
    return asked.byKey()
        ? fields.toArray()
        : fields
            .boxed()
            .sorted(Comparator.comparingInt(i -> values.get(i).size()))
            .mapToInt(Integer::intValue)
            .toArray();
  }

  private boolean pays(Query query, long matches, List<List<Counted>> values, boolean onDevice) {
    long plans = 1;
    for (int i = 0; i < order.length - 1; i++) {
      long each = values.get(order[i]).size();
      plans = Math.min(Integer.MAX_VALUE, plans * Math.max(1, each));
    }
    if (asked.byKey()) {
      plans = Math.min(plans, (long) asked.n() * (order.length - 1));
    }
    return order.length == 1
        || (onDevice
            && asked.fields().stream()
                .noneMatch(field -> SortedBlocks.areBy(passes.reader(), field.field()))
            && PassCosts.plansPay(passes.reader(), query, (int) plans, matches, order.length));
  }

  /**
   * Adds the combinations that begin with some keys.
   *
   * @param depth how many keys there are, in the order of fields
   * @param values those that the matches of the query have in the next field
   */
  private void add(Query query, int depth, Object[] keys, List<Counted> values) throws IOException {
    boolean last = depth == order.length - 1;
    for (Counted value : values) {
      keys[order[depth]] = value.key();
      if (asked.byKey() && (best.isFull() || isBefore(keys, depth))) {
        continue;
      }
      if (last) {
        best.add(List.of(keys), value.count());
        continue;
      }
      Query filtered = NestedSearch.both(query, exactly(order[depth], value.key()));
      Aggregation<?> next = asked.fields().get(order[depth + 1]).all();
      AggregationResults found = passes.aggregate(filtered, List.of(next));
      add(filtered, depth + 1, keys, values(found.get(next)));
    }
  }

  /**
   * Returns whether nothing that begins with some keys comes after the one that is gone on from.
   */
  private boolean isBefore(Object[] keys, int depth) {
    return asked.after() != null
        && BestCombinations.compare(
                Arrays.asList(keys).subList(0, depth + 1), asked.after().subList(0, depth + 1))
            < 0;
  }

  private Query exactly(int field, Object key) {
    String name = asked.fields().get(field).field();
    return ValueFilters.exactly(passes.reader(), name, key);
  }
}
