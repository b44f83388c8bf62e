/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.corpus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Writes queries in Lucene's classic syntax whose words occur in the corpus.
 *
 * <p>Words are drawn by document frequency: rare (at least 5 documents), medium (at least 0.1 % of
 * the documents) and common (at least 2 %). The required words of a query come from one document,
 * so a conjunction has at least that hit; an excluded word does not stand in it. The same corpus
 * gives the same queries.
 */
final class CorpusQueries {
  /** Queries of each shape. */
  static final int PER_SHAPE = 100;

  private static final long SEED = 20250101L;
  private static final int RARE_DOCS = 5;
  private static final double MEDIUM_SHARE = 0.001;
  private static final double COMMON_SHARE = 0.02;
  private static final int ATTEMPTS = 200;

  /** Document-frequency strata. */
  private enum Stratum {
    RARE,
    MEDIUM,
    COMMON
  }

  /** Shapes, named as the benchmark names them. */
  private enum Shape {
    AND,
    OR,
    NOT,
    MIXED
  }

  private final TermTable table;
  private final SplittableRandom random = new SplittableRandom(SEED);

  CorpusQueries(TermTable table) {
    this.table = table;
  }

  /** Returns the lines of a query file: a comment before each shape, then one query a line. */
  List<String> generate() {
    List<String> lines = new ArrayList<>();
    lines.add("# Generated from the corpus: words of rare, medium and common document frequency.");
    for (Shape shape : Shape.values()) {
      Set<String> queries = new LinkedHashSet<>();
      for (int i = 0; i < PER_SHAPE; i++) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
          String query = query(shape, i);
          if (query != null && queries.add(query)) {
            break;
          }
        }
      }
      lines.add("# " + shape);
      lines.addAll(queries);
    }
    return lines;
  }

  /** Draws a query, or null if the document that was drawn has no fitting words. */
  private String query(Shape shape, int number) {
    if (table.docCount() == 0) {
      return null;
    }
    int doc = random.nextInt(table.docCount());
    int size = 2 + number % 4;
    return switch (shape) {
      case AND -> join("+", words(doc, size));
      case OR -> join("", words(doc, size));
      case NOT -> not(doc, size);
      case MIXED -> mixed(doc, number);
    };
  }

  private String not(int doc, int size) {
    List<String> wanted = words(doc, size - 1);
    String excluded = wordOutside(doc);
    return wanted == null || excluded == null ? null : join("+", wanted) + " -" + excluded;
  }

  private String mixed(int doc, int number) {
    List<String> w = words(doc, 4);
    String out = wordOutside(doc);
    if (w == null || out == null) {
      return null;
    }
    return switch (number % 6) {
      case 0 -> "+" + w.get(0) + " " + w.get(1) + " -" + out;
      case 1 -> "+" + w.get(0) + " +(" + w.get(1) + " " + w.get(2) + ")";
      case 2 -> "+" + w.get(0) + " " + w.get(1) + " " + w.get(2) + "^2";
      case 3 -> "(+" + w.get(0) + " +" + w.get(1) + ") " + w.get(2) + " " + w.get(3);
      case 4 -> "+(" + w.get(0) + " " + w.get(1) + ") +(" + w.get(2) + " " + out + ")";
      default -> w.get(0) + " " + w.get(1) + " -" + out;
    };
  }

  /**
   * Returns different words of a document, each of a stratum drawn anew; null if it has too few.
   */
  private List<String> words(int doc, int count) {
    int[] all = table.termsOf(doc);
    Set<String> words = new LinkedHashSet<>();
    for (int i = 0; i < count; i++) {
      Stratum stratum = Stratum.values()[random.nextInt(Stratum.values().length)];
      int[] fitting =
          Arrays.stream(all)
              .filter(t -> stratumOf(t) == stratum && !words.contains(table.term(t)))
              .toArray();
      if (fitting.length == 0) {
        return null;
      }
      words.add(table.term(fitting[random.nextInt(fitting.length)]));
    }
    return List.copyOf(words);
  }

  /** Returns a medium or common word of some other document that does not stand in this one. */
  private String wordOutside(int doc) {
    int[] other = table.termsOf(random.nextInt(table.docCount()));
    int[] fitting =
        Arrays.stream(other)
            .filter(t -> stratumOf(t) == Stratum.MEDIUM || stratumOf(t) == Stratum.COMMON)
            .filter(t -> Arrays.binarySearch(table.termsOf(doc), t) < 0)
            .toArray();
    return fitting.length == 0 ? null : table.term(fitting[random.nextInt(fitting.length)]);
  }

  /** Returns the stratum of a word, or null if it is too rare to be drawn. */
  private Stratum stratumOf(int term) {
    int docs = table.docFreq(term);
    if (docs >= COMMON_SHARE * table.docCount()) {
      return Stratum.COMMON;
    } else if (docs >= MEDIUM_SHARE * table.docCount()) {
      return docs >= RARE_DOCS ? Stratum.MEDIUM : null;
    }
    return docs >= RARE_DOCS ? Stratum.RARE : null;
  }

  private static String join(String sign, List<String> words) {
    return words == null ? null : sign + String.join(" " + sign, words);
  }
}
