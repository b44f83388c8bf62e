/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import java.util.Random;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.index.IndexOptions;
import org.luceneoffload.fuzz.base.Seeds;

/**
 * A text field of a schema: how it is indexed and what stands in it.
 *
 * @param name its name
 * @param type how it is indexed
 * @param analysis how its text becomes tokens
 * @param words size of its vocabulary
 * @param skew 1: all words are as frequent; more: the first ones are ever more so
 * @param length words of a value, on average
 * @param absentPercent of the documents without the field
 */
public record FieldPlan(
    String name,
    FieldType type,
    FuzzAnalyzer.Kind analysis,
    int words,
    double skew,
    int length,
    int absentPercent) {

  public static FieldPlan random(String name, Random random) {
    FieldType type = new FieldType();
    type.setTokenized(true);
    IndexOptions[] options = {
      IndexOptions.DOCS,
      IndexOptions.DOCS_AND_FREQS,
      IndexOptions.DOCS_AND_FREQS_AND_POSITIONS,
      IndexOptions.DOCS_AND_FREQS_AND_POSITIONS,
      IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS
    };
    type.setIndexOptions(options[random.nextInt(options.length)]);
    boolean positions =
        type.indexOptions().compareTo(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS) >= 0;
    type.setOmitNorms(Seeds.oneIn(random, 4));
    type.setStored(Seeds.oneIn(random, 4));
    if (Seeds.oneIn(random, 4)) {
      type.setStoreTermVectors(true);
      type.setStoreTermVectorPositions(positions && random.nextBoolean());
      type.setStoreTermVectorOffsets(positions && random.nextBoolean());
    }
    type.freeze();
    int words = Seeds.oneIn(random, 6) ? 1 + random.nextInt(3) : 5 + random.nextInt(120);
    int length =
        switch (random.nextInt(4)) {
          case 0 -> 1 + random.nextInt(3);
          case 1 -> 20 + random.nextInt(40);
          default -> 3 + random.nextInt(12);
        };
    return new FieldPlan(
        name,
        type,
        FuzzAnalyzer.Kind.random(random, type),
        words,
        1 + 2.5 * random.nextDouble(),
        length,
        random.nextBoolean() ? 0 : random.nextInt(90));
  }

  /** A field of short values, which nearly every document has. */
  static FieldPlan ofLongLists(String name, Random random) {
    return ofFewWords(
        name, IndexOptions.DOCS_AND_FREQS, 3 + random.nextInt(60), 2 + random.nextInt(5), random);
  }

  /** A field of values that have many words of its vocabulary near each other. */
  static FieldPlan ofDenseMatches(String name, Random random) {
    return ofFewWords(
        name,
        IndexOptions.DOCS_AND_FREQS_AND_POSITIONS,
        5 + random.nextInt(80),
        4 + random.nextInt(26),
        random);
  }

  private static FieldPlan ofFewWords(
      String name, IndexOptions options, int words, int length, Random random) {
    FieldType type = new FieldType();
    type.setTokenized(true);
    type.setIndexOptions(options);
    type.setOmitNorms(Seeds.oneIn(random, 6));
    type.freeze();
    double skew = 1 + 1.5 * random.nextDouble();
    return new FieldPlan(
        name, type, FuzzAnalyzer.Kind.PLAIN, words, skew, length, random.nextInt(20));
  }

  public boolean hasPositions() {
    return type.indexOptions().compareTo(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS) >= 0;
  }

  /** A word of the vocabulary, or rarely one that is nowhere. */
  public String word(Random random) {
    if (Seeds.oneIn(random, 60)) {
      return "absent";
    }
    return "w" + (int) (words * Math.pow(random.nextDouble(), skew));
  }

  /** A word of the vocabulary, most of which few documents have. */
  public String rareWord(Random random) {
    return "w" + random.nextInt(words);
  }

  /** A value. */
  public String text(Random random) {
    int count = random.nextInt(2 * length + 1);
    if (Seeds.oneIn(random, 50)) {
      count = random.nextInt(600); // norms beyond the exact ones, high frequencies
    }
    StringBuilder text = new StringBuilder();
    String last = "w0";
    for (int i = 0; i < count; i++) {
      last = Seeds.oneIn(random, 4) ? last : word(random);
      text.append(last).append(' ');
    }
    return text.toString();
  }

  @Override
  public String toString() {
    return name
        + "("
        + type.indexOptions()
        + (type.omitNorms() ? ", no norms" : "")
        + (type.storeTermVectors() ? ", vectors" : "")
        + ", "
        + analysis
        + ", "
        + words
        + " words)";
  }
}
