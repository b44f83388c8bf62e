/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.explore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;

/** An index for tests of the page: the small corpus with values, and names with HTML in them. */
public final class ExploreTestIndex {
  static final String MARKUP = "<img src=x onerror=markupRan=1>";

  private ExploreTestIndex() {}

  /** Makes the index, of two segments, with all fields that a page shows. */
  static Path make(Path folder, String device) throws IOException {
    Path index = folder.resolve("index-" + device);
    List<String> lines = new ArrayList<>();
    for (String line : SmallCorpus.lines(42, SmallCorpus.DOCUMENTS).lines().toList()) {
      lines.add(values(lines.size()) + line.substring(1));
    }
    append(index, device, lines.subList(0, 2000), false);
    lines.add(
        "{\"id\":\"markup\",\"title\":\"" + MARKUP + "\",\"body\":\"markup\",\"kind\":\"<b>&\"}");
    append(index, device, lines.subList(2000, lines.size()), true);
    return index;
  }

  /** The first values of a document's line. */
  private static String values(int doc) {
    return String.format(
        Locale.ROOT,
        "{\"kind\":\"%s\",\"words\":%d,\"share\":%d.5,\"made\":\"20%02d-0%d-01\",",
        List.of("a \\\"q\\\"", "b\\\\c", "<b>&").get(doc % 3),
        doc % 700 - 50,
        doc % 10,
        doc % 20,
        1 + doc % 9);
  }

  /** Adds documents, as a segment of their own. */
  static void append(Path index, String device, List<String> lines, boolean there)
      throws IOException {
    Path part = Files.write(index.resolveSibling("part.jsonl"), lines);
    List<Object> args =
        new ArrayList<>(List.of("index", "--index", index, "--device", device, "--corpus", part));
    args.addAll(List.of("--threads", 1));
    for (String field : List.of("kind:keyword", "words:long", "share:double", "made:date")) {
      args.addAll(List.of("--field", field));
    }
    if (there) {
      args.add("--append");
    }
    CliRun.of(args.toArray()).ok();
  }

  /**
   * Makes an index on the simulator for the test in a browser.
   *
   * @param args the folder that it goes to
   */
  public static void main(String[] args) throws IOException {
    System.out.println(make(Path.of(args[0]), "sim"));
  }
}
