/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;

/** The queries that are measured, parsed and sorted by shape and class. */
public final class BenchQueries {
  private final List<QueryLine> lines;
  private final List<Query> queries;
  private final List<QueryShape> shapes;
  private final BenchFilters filters;
  private final Sort sort;
  private final BenchAggregates aggregates;

  private BenchQueries(
      List<QueryLine> lines,
      List<Query> queries,
      BenchFilters filters,
      Sort sort,
      BenchAggregates aggregates) {
    this.lines = lines;
    this.sort = sort;
    this.aggregates = aggregates;
    this.filters = filters;
    this.queries = queries;
    this.shapes = queries.stream().map(QueryShape::of).toList();
  }

  /**
   * Reads a file of queries.
   *
   * @param reader of the index
   * @throws RuntimeException if it cannot be read, holds none or a wrong one; the message says
   *     which
   */
  public static BenchQueries read(Path file, DirectoryReader reader) throws IOException {
    List<QueryLine> lines = QueryLine.readAll(file);
    Queries parser = new Queries(TypedFields.of(reader));
    return new BenchQueries(
        lines,
        lines.stream().map(parser::parse).toList(),
        BenchFilters.of(reader),
        BenchFilters.sort(reader),
        BenchAggregates.of(reader));
  }

  /** Returns how many queries there are. */
  public int size() {
    return queries.size();
  }

  /** Returns a query, as a kind of work asks for it. */
  public BenchTask get(BenchKind kind, int query) {
    Query plain = queries.get(query);
    return new BenchTask(
        kind.isFiltered() ? filters.filtered(query, plain) : plain,
        kind.isSorted() ? sort : null,
        kind.isAggregate() ? aggregates.get(query) : null);
  }

  /** Returns the kinds of work that can be measured: those that read values take typed fields. */
  public List<BenchKind> kinds() {
    return Arrays.stream(BenchKind.values())
        .filter(kind -> !kind.isFiltered() || !filters.isEmpty())
        .filter(kind -> !kind.isSorted() || sort != null)
        .filter(kind -> !kind.isAggregate() || !aggregates.isEmpty())
        .toList();
  }

  /** Returns the file and the line of one of them. */
  public String where(int query) {
    return lines.get(query).where();
  }

  /**
   * Returns the queries of one shape.
   *
   * @param shape AND, OR, NOT or MIXED
   */
  public List<BenchTask> ofShape(String shape) {
    int[] members = byShape().get(QueryShape.valueOf(shape));
    return members == null
        ? List.of()
        : IntStream.of(members).mapToObj(i -> BenchTask.of(queries.get(i))).toList();
  }

  /** Returns the numbers of the queries of each shape that occurs. */
  public Map<QueryShape, int[]> byShape() {
    Map<QueryShape, int[]> groups = new EnumMap<>(QueryShape.class);
    group(range(), shapes::get).forEach((shape, members) -> groups.put(shape, array(members)));
    return groups;
  }

  /**
   * Groups the queries of each shape by class for a kind of work, or by filter or aggregation,
   * where there is one.
   */
  public List<Group> byClass(BenchKind kind, IndexReader reader) throws IOException {
    if (kind.isFiltered()) {
      return byName("filter", filters::name);
    }
    return kind.isAggregate() ? byName("aggregate", aggregates::name) : byClass(reader);
  }

  private List<Group> byName(String by, Function<Integer, String> nameOf) {
    List<Group> groups = new ArrayList<>();
    byShape()
        .forEach(
            (shape, members) ->
                group(IntStream.of(members).boxed().toList(), nameOf)
                    .forEach((name, some) -> groups.add(new Group(shape, by, name, array(some)))));
    return groups;
  }

  private List<Group> byClass(IndexReader reader) throws IOException {
    BenchClass[] classes = new BenchClass[size()];
    for (int i = 0; i < classes.length; i++) {
      classes[i] = BenchClass.of(queries.get(i), reader);
    }
    List<Group> groups = new ArrayList<>();
    byShape()
        .forEach(
            (shape, members) -> {
              List<Integer> all = IntStream.of(members).boxed().toList();
              group(all, i -> classes[i].terms())
                  .forEach(
                      (name, some) -> groups.add(new Group(shape, "terms", name, array(some))));
              List<Integer> two =
                  all.stream().filter(i -> classes[i].frequencies() != null).toList();
              group(two, i -> classes[i].frequencies())
                  .forEach(
                      (name, some) -> groups.add(new Group(shape, "frequency", name, array(some))));
            });
    return groups;
  }

  private List<Integer> range() {
    return IntStream.range(0, size()).boxed().toList();
  }

  private static <K> Map<K, List<Integer>> group(
      Collection<Integer> members, Function<Integer, K> key) {
    return members.stream().collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
  }

  private static int[] array(List<Integer> numbers) {
    return numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  /**
   * Queries that are alike.
   *
   * @param shape their shape
   * @param by {@code terms}, {@code frequency}, {@code filter} or {@code aggregate}: what they have
   *     in common
   * @param name as {@link BenchClass} calls it
   * @param queries their numbers
   */
  public record Group(QueryShape shape, String by, String name, int[] queries) {}
}
