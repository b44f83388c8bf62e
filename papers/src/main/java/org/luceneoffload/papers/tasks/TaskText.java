/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.luceneoffload.workload.CorpusFile;
import org.luceneoffload.workload.CorpusLine;
import org.luceneoffload.workload.InputException;
import org.luceneoffload.workload.LineReader;

/**
 * Text for the similarity join.
 *
 * @param name what it is, for the report
 * @param titles records of the join
 */
public record TaskText(String name, List<String> titles) {
  private static final int RECORD_WORDS = 12;
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]");

  /**
   * Reads a text: a corpus (a file that ends in .jsonl, with title and id), or any file, whose
   * lines are records; both may be packed.
   *
   * @throws InputException naming the file, and the line, that cannot be read or has no word
   */
  public static TaskText read(Path file) throws IOException {
    String name = String.valueOf(file.getFileName());
    List<String> titles = new ArrayList<>();
    boolean json = name.matches("(?s).*\\.jsonl(\\.gz|\\.zst)?");
    try (LineReader reader = new LineReader(CorpusFile.open(file, new AtomicLong()))) {
      for (byte[] line = reader.next(); line != null; line = reader.next()) {
        String origin = file + ":" + reader.lineNumber();
        titles.add(json ? record(CorpusLine.tree(line, origin)) : CorpusLine.decode(line, origin));
      }
    }
    if (titles.stream().noneMatch(title -> WORD.matcher(title).find())) {
      throw new InputException(file + ": holds no word");
    }
    return new TaskText((json ? "titles and names of " : "lines of ") + name, titles);
  }

  private static String record(JsonNode document) {
    return document.path("title").asText() + " " + document.path("id").asText();
  }

  /**
   * Reads the words of the project's own documents, in the order of their names. A record has a
   * dozen, as many as bibliographic ones have.
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
