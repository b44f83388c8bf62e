/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.shape;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.IOFunction;
import org.luceneoffload.workload.BenchWork;

/** Collects shapes of one group. */
final class ShapeList {
  /** Queries of a shape. */
  static final int QUERIES = 8;

  private final List<Shape> shapes;
  private final IndexWords words;
  private final String group;

  ShapeList(List<Shape> shapes, IndexWords words, String group) {
    this.shapes = shapes;
    this.words = words;
    this.group = group;
  }

  /** Adds a shape whose ten best hits are wanted. */
  ShapeList top(String name, IOFunction<Draw, Query> maker) throws IOException {
    return add(name + ", top 10", SearchCall.TOP_10, maker);
  }

  /** Adds a shape. Its words depend on its name only, so that shapes can be left out. */
  ShapeList add(String name, SearchCall asked, IOFunction<Draw, Query> maker) throws IOException {
    List<BenchWork> works = new ArrayList<>();
    for (int i = 0; i < QUERIES; i++) {
      Query query = maker.apply(new Draw(words, name.hashCode() * (long) QUERIES + i));
      works.add(searcher -> asked.run(searcher, query));
    }
    shapes.add(new Shape(group, name, works));
    return this;
  }
}
