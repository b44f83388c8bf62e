/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadStats;

/**
 * One segment of generated text in a temporary folder, with its image on the simulated device.
 * Words are {@code w0}, {@code w1}, ..., drawn so that word i is about as frequent as 1/(i+1): w0
 * is in nearly every document, w1000 in few.
 */
final class GeneratedIndex implements Closeable {
  private static final int WORDS = 50_000;
  private static final int LEAST_LENGTH = 20;
  private static final int MOST_LENGTH = 200;

  private final Path folder;
  private final OffloadDirectory directory;
  private final DirectoryReader reader;

  /**
   * Builds an index.
   *
   * @param documents how many
   * @param seed of the text
   */
  GeneratedIndex(int documents, long seed) throws IOException {
    folder = Files.createTempDirectory("offload-benchmark-");
    directory = OffloadDirectory.open(folder, "sim");
    Random random = new Random(seed);
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setCodec(new OffloadCodec());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < documents; i++) {
        Document document = new Document();
        document.add(new TextField("body", text(random), Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    reader = DirectoryReader.open(directory);
  }

  private static String text(Random random) {
    int length = LEAST_LENGTH + random.nextInt(MOST_LENGTH - LEAST_LENGTH);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      // The exponential of an even draw between 0 and ln(WORDS): density 1/x.
      int word = (int) Math.exp(random.nextDouble() * Math.log(WORDS)) - 1;
      text.append('w').append(word).append(' ');
    }
    return text.toString();
  }

  DirectoryReader reader() {
    return reader;
  }

  /** What the device did. */
  OffloadStats stats() {
    return directory.stats();
  }

  @Override
  public void close() throws IOException {
    reader.close();
    directory.close();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException failure)
              throws IOException {
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
