/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.guest;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;

/** A small corpus of made-up words, and queries for it; the same each time. */
final class SmallText {
  private static final int WORDS = 400;

  private final Random random = new Random(20_26);

  private SmallText() {}

  /** Writes a corpus file of the tool, and a file of queries. */
  static void write(Path corpus, int documents, Path queries, int queryCount) throws IOException {
    SmallText text = new SmallText();
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(corpus))) {
      for (int i = 0; i < documents; i++) {
        out.printf(
            Locale.ROOT,
            "{\"id\": \"%d\", \"title\": \"%s\", \"body\": \"%s\"}%n",
            i,
            text.words(3),
            text.words(5 + text.random.nextInt(80)));
      }
    }
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(queries))) {
      for (int i = 0; i < queryCount; i++) {
        out.println(text.query());
      }
    }
  }

  private String word() {
    double u = random.nextDouble();
    return "word" + (int) (WORDS * u * u);
  }

  private String words(int count) {
    StringBuilder words = new StringBuilder(word());
    for (int i = 1; i < count; i++) {
      words.append(' ').append(word());
    }
    return words.toString();
  }

  private String query() {
    return switch (random.nextInt(4)) {
      case 0 -> "+" + word() + " +" + word();
      case 1 -> word() + " " + word() + " " + word();
      case 2 -> "+" + word() + " -" + word();
      default -> "+" + word() + " +(" + word() + " " + word() + ") -" + word();
    };
  }
}
