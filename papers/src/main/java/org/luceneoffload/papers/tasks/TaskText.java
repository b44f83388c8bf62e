/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
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
  private static final int DRAWN = 60_000;
  private static final int MIN_WORDS = 6;
  private static final int MORE_WORDS = 13;
  private static final double LOG_OF_WORDS = 10.5; // 36,000 words, the n-th as rare as 1 in n
  private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]");

  /**
   * Draws records as bibliographic ones are: 6 to 18 words, few of which are frequent. The same
   * each time, on every machine.
   */
  public static TaskText drawn() {
    List<String> titles = new ArrayList<>();
    long seed = 2017;
    for (int i = 0; i < DRAWN; i++) {
      StringBuilder title = new StringBuilder();
      seed = mix(seed + i);
      for (int words = MIN_WORDS + Math.floorMod(seed, MORE_WORDS); words > 0; words--) {
        seed = mix(seed + words);
        double uniform = (seed >>> 11) * 0x1p-53;
        title.append('w').append((int) StrictMath.exp(LOG_OF_WORDS * uniform)).append(' ');
      }
      titles.add(title.toString());
    }
    return new TaskText("drawn, a word as frequent as its rank says", titles);
  }

  private static long mix(long z) {
    long mixed = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
    return (mixed ^ (mixed >>> 31)) + 0x9E3779B97F4A7C15L;
  }

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
}
