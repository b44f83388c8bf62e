/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;

/** Searches an index in a JVM of its own, in which the native library cannot be found. */
final class NoLibraryChild {
  private NoLibraryChild() {}

  /** Arguments: index, seed, whether strict, file for the answers or the error. */
  public static void main(String[] args) throws Exception {
    OffloadOptions options = OffloadOptions.DEFAULT.withStrict(Boolean.parseBoolean(args[2]));
    List<String> lines;
    try (Directory directory = OffloadDirectory.open(Path.of(args[0]), FaultIndex.DEVICE, options);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      lines =
          FaultIndex.answers(
              new OffloadIndexSearcher(reader), FaultIndex.queries(Long.parseLong(args[1])));
    } catch (Exception e) {
      lines = List.of(e.toString());
    }
    Files.write(Path.of(args[3]), lines);
  }

  /** Runs the child and returns its lines. */
  static List<String> run(Path index, long seed, String library, boolean strict) throws Exception {
    Path answers = Files.createTempFile("answers", ".txt");
    try {
      Process child =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-Dorg.luceneoffload.library=" + library,
                  "-cp",
                  System.getProperty("java.class.path"),
                  NoLibraryChild.class.getName(),
                  index.toString(),
                  Long.toString(seed),
                  Boolean.toString(strict),
                  answers.toString())
              .redirectErrorStream(true)
              .start();
      String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (child.waitFor() != 0) {
        throw new AssertionError("the child failed: " + output);
      }
      return Files.readAllLines(answers);
    } finally {
      Files.delete(answers);
    }
  }
}
