/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The files that are measured: the sample corpus with its index and queries, unless system
 * properties name other files. A forked JVM inherits the properties.
 */
final class BenchmarkFiles {
  /** Property: directory of an index that {@code ./offload index} made. */
  static final String INDEX = "offload.index";

  /** Property: file of queries, one a line. */
  static final String QUERIES = "offload.queries";

  /** Property: JSON Lines of documents, for {@link IndexingBenchmark}. */
  static final String CORPUS = "offload.corpus";

  /** Property: name of the device; {@code sim} if it is not set. */
  static final String DEVICE = "offload.device";

  /** Property: top directory of the project, where the sample corpus is; run.sh sets it. */
  static final String HOME = "offload.home";

  private BenchmarkFiles() {}

  static Path index() {
    return find(INDEX, "demo-index");
  }

  static Path queries() {
    return find(QUERIES, "corpus/queries.txt");
  }

  static Path corpus() {
    return find(CORPUS, "corpus/javadoc.jsonl");
  }

  static String device() {
    return System.getProperty(DEVICE, "sim");
  }

  /** Returns whether a side is stock Lucene; throws if it is neither that nor ours. */
  static boolean isStock(String side) {
    return switch (side) {
      case "lucene" -> true;
      case "offload" -> false;
      default -> throw new IllegalArgumentException("side is lucene or offload, not " + side);
    };
  }

  /** Removes a folder with what is in it. */
  static void removeFolder(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static Path find(String property, String ofSample) {
    String value = System.getProperty(property);
    Path sample = Path.of(System.getProperty(HOME, ""), "sample-corpus", "target", ofSample);
    Path path = value == null ? sample : Path.of(value);
    if (Files.notExists(path)) {
      throw new IllegalStateException(
          path.toAbsolutePath()
              + " is missing: "
              + (value == null ? "./offload demo makes it" : "-D" + property + " names it"));
    }
    return path;
  }
}
