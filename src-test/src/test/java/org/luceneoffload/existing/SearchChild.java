/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;

/** Searches an index through this library, with nothing but its one jar. */
final class SearchChild {
  private SearchChild() {}

  /** Arguments: index, device, seed. */
  public static void main(String[] args) throws Exception {
    try (Directory directory = OffloadDirectory.open(Path.of(args[0]), args[1]);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      QueryAnswers.of(
              new OffloadIndexSearcher(reader), QueryAnswers.queries(Long.parseLong(args[2]), 40))
          .forEach(Child::print);
    } catch (IllegalArgumentException e) {
      Child.print(e.getMessage());
    }
  }
}
