/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.workload.BenchKind;

/**
 * A generated index of one segment, and queries over it: words whose frequencies fall from one to
 * the next, in documents that are drawn from a seed.
 */
final class LabIndex {
  private static final String FIELD = "body";
  private static final int WORDS = 64;
  private static final double COMMONEST = 0.3;

  /** How much rarer a word is than the one before. */
  private static final double FALL = Math.pow(2, -1.0 / 8);

  /** The shapes of queries, each with the number of its words. */
  enum Shape {
    AND(2),
    AND_OF_THREE(3),
    OR(2),
    OR_OF_FOUR(4),
    NOT(2),
    PHRASE(2);

    private final int words;

    Shape(int words) {
      this.words = words;
    }
  }

  /**
   * A query and what is asked.
   *
   * @param shape its shape
   * @param kind TOP_10 or COUNT
   * @param query the query
   */
  record Task(Shape shape, BenchKind kind, Query query) {
    /** Returns the name of the row that the task belongs to. */
    String row() {
      return shape + " " + kind;
    }

    /** Returns how many words are looked up. */
    int words() {
      return shape.words;
    }

    /** Returns how many lists are read: of a phrase, those of the positions, too. */
    int lists() {
      return shape == Shape.PHRASE ? 2 * shape.words : shape.words;
    }
  }

  private LabIndex() {}

  /**
   * Writes the index.
   *
   * @param device name of the device that gets the lists
   */
  static void write(Path folder, String device, int documents) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setCodec(new OffloadCodec())
            .setUseCompoundFile(false);
    try (OffloadDirectory directory = OffloadDirectory.open(folder, device);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < documents; i++) {
        Document document = new Document();
        document.add(new TextField(FIELD, text(random), Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
  }

  private static String text(SplittableRandom random) {
    StringBuilder text = new StringBuilder();
    double share = COMMONEST;
    for (int word = 0; word < WORDS; word++, share *= FALL) {
      while (random.nextDouble() < share) {
        text.append(word(word)).append(' ');
      }
    }
    return text.toString();
  }

  private static String word(int number) {
    return "w" + number;
  }

  /**
   * Returns queries of every shape, for the ten best hits and, but for phrases, for the count.
   *
   * @param each queries of a shape
   * @param seed other seeds, other queries
   */
  static List<Task> tasks(int each, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Task> tasks = new ArrayList<>();
    for (Shape shape : Shape.values()) {
      for (int i = 0; i < each; i++) {
        Query query = query(shape, random);
        tasks.add(new Task(shape, BenchKind.TOP_10, query));
        tasks.add(new Task(shape, BenchKind.COUNT, query));
      }
    }
    return tasks;
  }

  private static Query query(Shape shape, SplittableRandom random) {
    int[] words = random.ints(0, WORDS - 1).distinct().limit(shape.words).toArray();
    if (shape == Shape.PHRASE) {
      // Words of a document stand in their order.
      return new PhraseQuery(FIELD, word(words[0]), word(words[0] + 1));
    }
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 0; i < words.length; i++) {
      builder.add(new TermQuery(new Term(FIELD, word(words[i]))), occur(shape, i));
    }
    return builder.build();
  }

  private static Occur occur(Shape shape, int clause) {
    return switch (shape) {
      case OR, OR_OF_FOUR -> Occur.SHOULD;
      case NOT -> clause == 0 ? Occur.MUST : Occur.MUST_NOT;
      default -> Occur.MUST;
    };
  }
}
