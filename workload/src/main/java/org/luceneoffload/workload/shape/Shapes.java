/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.shape;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.luceneoffload.workload.InputException;
import org.luceneoffload.workload.Queries;

/**
 * The shapes of queries that are swept: pure Booleans of terms, what hardly any document tells
 * apart, long disjunctions, sets, multi-terms, unions of terms, phrases, rare words and the most
 * frequent ones in every form, filters of values, learned sparse vectors, and ways to collect.
 */
public final class Shapes {
  private Shapes() {}

  /**
   * Returns all shapes, with words of an index; those that need typed fields only if it has such.
   *
   * @throws InputException if the index has too few words
   */
  public static List<Shape> of(DirectoryReader reader) throws IOException {
    IndexWords words = new IndexWords(reader, Queries.DEFAULT_FIELD);
    if (words.isEmpty()) {
      throw new InputException(
          "field \"" + Queries.DEFAULT_FIELD + "\" has too few words to make queries of");
    }
    List<Shape> shapes = new ArrayList<>();
    TextShapes.equalScores(new ShapeList(shapes, words, "equal scores"));
    TextShapes.disjunctions(new ShapeList(shapes, words, "disjunctions"));
    TextShapes.paging(new ShapeList(shapes, words, "paging"));
    TextShapes.collectors(new ShapeList(shapes, words, "collectors"));
    OtherShapes.sets(new ShapeList(shapes, words, "sets"));
    OtherShapes.multiTerms(new ShapeList(shapes, words, "multi-terms"));
    UnionShapes.add(new ShapeList(shapes, words, "unions"));
    OtherShapes.positions(new ShapeList(shapes, words, "positions"));
    RareShapes.add(new ShapeList(shapes, words, "rare words"));
    CommonShapes.add(new ShapeList(shapes, words, "common words"));
    OtherShapes.scores(new ShapeList(shapes, words, "scores"));
    OtherShapes.values(new ShapeList(shapes, words, "values"), reader);
    FeatureShapes.add(new ShapeList(shapes, words, "learned sparse"), reader);
    return shapes;
  }
}
