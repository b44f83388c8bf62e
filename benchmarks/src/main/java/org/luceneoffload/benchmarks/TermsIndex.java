/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;

/** An index of one segment in a folder of its own, with a given number of terms in one field. */
final class TermsIndex implements AutoCloseable {
  static final String FIELD = "terms";

  private final Path folder;
  private final Directory directory;

  private TermsIndex(Path folder, Directory directory) {
    this.folder = folder;
    this.directory = directory;
  }

  /**
   * Makes an index.
   *
   * @param kind {@code ids}, terms of one document, or {@code words}, terms of two documents
   * @param terms how many
   * @param side {@code lucene} or {@code offload}
   */
  static TermsIndex make(String kind, int terms, String side) throws IOException {
    Path folder = Files.createTempDirectory("offload-terms-");
    boolean stock = BenchmarkFiles.isStock(side);
    Directory directory =
        stock ? FSDirectory.open(folder) : OffloadDirectory.open(folder, BenchmarkFiles.device());
    IndexWriterConfig config = new IndexWriterConfig().setUseCompoundFile(false);
    if (!stock) {
      config.setCodec(new OffloadCodec());
    }
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      boolean shared =
          switch (kind) {
            case "ids" -> false;
            case "words" -> true;
            default -> throw new IllegalArgumentException("kind is ids or words, not " + kind);
          };
      for (int i = 0; i < terms; i++) {
        Document document = new Document();
        document.add(new StringField(FIELD, term(i), Field.Store.NO));
        if (shared) {
          document.add(new StringField(FIELD, term((i + 1) % terms), Field.Store.NO));
        }
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    TermsIndex index = new TermsIndex(folder, directory);
    System.out.println(index.bytesByExtension());
    return index;
  }

  /** Returns a term; numbers that follow each other have terms far apart. */
  static String term(int number) {
    return String.format(Locale.ROOT, "%08x%04x", number * 0x9E3779B1, number & 0xFFFF);
  }

  Directory directory() {
    return directory;
  }

  private Map<String, Long> bytesByExtension() throws IOException {
    Map<String, Long> bytes = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        bytes.merge(name.substring(name.lastIndexOf('.') + 1), Files.size(file), Long::sum);
      }
    }
    return bytes;
  }

  @Override
  public void close() throws IOException {
    directory.close();
    BenchmarkFiles.removeFolder(folder);
  }
}
