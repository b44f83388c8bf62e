/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The pages show of the examples what stands there now. A page says with {@code <!-- example:
 * FILE#NAME: begin -->} where the lines between {@code // NAME: begin} and {@code // NAME: end} of
 * a file go, below further lines if some follow the name. {@code -Dpages.write=true} puts them
 * there.
 */
class TestShownExamples {
  private static final Path TOP = Path.of("..");
  private static final Path PACKAGE = Path.of("org", "luceneoffload", "examples");

  /** Languages, as files and pages say them. */
  private static final Map<String, String> LANGUAGES = Map.of(".java", "java", ".kt", "kotlin");

  private static final boolean WRITE = Boolean.getBoolean("pages.write");

  private static final Pattern SHOWN =
      Pattern.compile(
          "<!-- example: (\\w+)#(\\w+)( [^:]+)?: begin -->\n(.*?)<!-- example: end -->",
          Pattern.DOTALL);

  @Test
  void pagesShowWhatIsThere() throws IOException {
    Set<String> shown = new TreeSet<>();
    for (Path page : pages()) {
      String text = Files.readString(page);
      String now = SHOWN.matcher(text).replaceAll(block -> Matcher.quoteReplacement(filled(block)));
      SHOWN.matcher(text).results().forEach(block -> shown.add(block.group(1)));
      if (WRITE) {
        Files.writeString(page, now);
      } else {
        assertEquals(now, text, page + ": write it with -Dpages.write=true");
      }
    }
    assertEquals(examples(), shown);
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(TOP.resolve("docs"))) {
      return Stream.concat(Stream.of(TOP.resolve("README.md")), docs)
          .filter(page -> page.toString().endsWith(".md"))
          .sorted()
          .toList();
    }
  }

  private static Set<String> examples() throws IOException {
    Set<String> names = new TreeSet<>();
    for (Map.Entry<String, String> language : LANGUAGES.entrySet()) {
      try (Stream<Path> files = Files.list(sources(language.getValue()))) {
        files
            .map(file -> file.getFileName().toString().replace(language.getKey(), ""))
            .forEach(names::add);
      }
    }
    names.remove("package-info");
    return names;
  }

  private static Path sources(String language) {
    return Path.of("src", "main", language).resolve(PACKAGE);
  }

  private static String filled(MatchResult block) {
    String name = block.group(1);
    String suffix = Files.exists(sources("kotlin").resolve(name + ".kt")) ? ".kt" : ".java";
    String language = LANGUAGES.get(suffix);
    List<String> lines = new ArrayList<>();
    if (block.group(3) != null) {
      lines.add(block.group(3).strip() + ";");
      lines.add("");
    }
    lines.addAll(linesOf(sources(language).resolve(name + suffix), block.group(2)));
    String mark = block.group(0).substring(0, block.group(0).indexOf('\n') + 1);
    return mark
        + "```"
        + language
        + "\n"
        + String.join("\n", lines)
        + "\n```\n<!-- example: end -->";
  }

  /** The lines of a part, of all its pieces, less far to the right. */
  private static List<String> linesOf(Path file, String part) {
    List<String> found = new ArrayList<>();
    boolean here = false;
    for (String line : read(file)) {
      if (line.strip().equals("// " + part + ": begin")) {
        here = true;
      } else if (line.strip().equals("// " + part + ": end")) {
        here = false;
      } else if (here) {
        found.add(line);
      }
    }
    assertTrue(!found.isEmpty() && !here, "no lines of " + file + "#" + part);
    return String.join("\n", found).stripTrailing().stripIndent().lines().toList();
  }

  private static List<String> read(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new IllegalArgumentException(file + " is shown and not there", e);
    }
  }
}
