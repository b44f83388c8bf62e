/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import java.nio.file.Path;

/** Searches an index with stock Lucene; names no class of this library. */
final class StockChild {
  private StockChild() {}

  /** Arguments: index, seed. */
  public static void main(String[] args) throws Exception {
    QueryAnswers.ofStock(Path.of(args[0]), QueryAnswers.queries(Long.parseLong(args[1]), 40))
        .forEach(Child::print);
  }
}
