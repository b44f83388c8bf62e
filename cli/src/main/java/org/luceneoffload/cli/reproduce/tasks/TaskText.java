/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.reproduce.tasks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Text for the similarity join.
 *
 * @param name what it is, for the report
 * @param titles records of the join
 */
public record TaskText(String name, List<String> titles) {
  private static final int RECORD_WORDS = 12;

  /**
   * Reads a text: a corpus (a file that ends in .jsonl, with title and id), or any file, whose
   * lines are records.
   */
  public static TaskText read(Path file) throws IOException {
    String name = String.valueOf(file.getFileName());
    List<String> titles = new ArrayList<>();
    boolean json = name.endsWith(".jsonl");
    ObjectMapper mapper = new ObjectMapper();
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (!json) {
          titles.add(line);
          continue;
        }
        JsonNode document = mapper.readTree(line);
        titles.add(document.path("title").asText() + " " + document.path("id").asText());
      }
    }
    return new TaskText((json ? "titles and names of " : "lines of ") + name, titles);
  }

  /**
   * The words of the project's own documents, in the order of their names, in records of a dozen,
   * as many as bibliographic ones have.
   */
  public static TaskText documents(Path home) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path folder : List.of(home, home.resolve("docs"))) {
      try (Stream<Path> all = Files.list(folder)) {
        all.filter(file -> file.toString().endsWith(".md"))
            .sorted(Comparator.comparing(Path::toString))
            .forEach(files::add);
      }
    }
    List<String> words = new ArrayList<>();
    for (Path file : files) {
      words.addAll(List.of(Files.readString(file).strip().split("\\s+")));
    }
    List<String> lines = new ArrayList<>();
    for (int at = 0; at + RECORD_WORDS <= words.size(); at += RECORD_WORDS) {
      lines.add(String.join(" ", words.subList(at, at + RECORD_WORDS)));
    }
    return new TaskText("words of the project's documents", lines);
  }
}
