/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;

/**
 * Indexes for ever: adds, updates, deletes, flushes, commits, merges. Each commit notes its number
 * and the live docs in its user data, and is reported on standard output when it has returned.
 */
final class KilledChild {
  /** Docs have one of so many IDs: the index does not grow without bounds. */
  static final int IDS = 3_000;

  static final String NUMBER = "number";
  static final String DOCS = "docs";

  private KilledChild() {}

  /** Arguments: index, seed. */
  public static void main(String[] args) throws Exception {
    Random random = new Random(Long.parseLong(args[1]));
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setCodec(new OffloadCodec())
            .setRAMBufferSizeMB(1 + random.nextInt(4))
            .setUseCompoundFile(random.nextBoolean());
    try (OffloadDirectory directory = OffloadDirectory.open(Path.of(args[0]), TestKilled.DEVICE);
        IndexWriter writer = new IndexWriter(directory, config)) {
      long number = 0;
      for (Map.Entry<String, String> entry : writer.getLiveCommitData()) {
        if (entry.getKey().equals(NUMBER)) {
          number = Long.parseLong(entry.getValue());
        }
      }
      System.out.println("open");
      while (true) {
        work(writer, random);
        if (random.nextInt(3) == 0) {
          number++;
          commit(writer, number);
          System.out.println("commit " + number);
        }
      }
    }
  }

  private static void commit(IndexWriter writer, long number) throws Exception {
    int docs;
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      docs = reader.numDocs();
    }
    Map<String, String> data = Map.of(NUMBER, Long.toString(number), DOCS, Integer.toString(docs));
    writer.setLiveCommitData(data.entrySet());
    writer.commit();
  }

  private static void work(IndexWriter writer, Random random) throws Exception {
    for (int i = 20 + random.nextInt(120); i > 0; i--) {
      String id = Integer.toString(random.nextInt(IDS));
      Document document = new Document();
      document.add(new StringField("id", id, Field.Store.NO));
      StringBuilder text = new StringBuilder();
      for (int w = 3 + random.nextInt(30); w > 0; w--) {
        double skew = random.nextDouble();
        text.append('w').append((int) (skew * skew * FaultIndex.WORDS)).append(' ');
      }
      document.add(new TextField("body", text.toString(), Field.Store.NO));
      writer.updateDocument(new Term("id", id), document);
    }
    switch (random.nextInt(8)) {
      case 0 -> writer.flush();
      case 1 -> writer.deleteDocuments(new Term("body", "w" + random.nextInt(FaultIndex.WORDS)));
      case 2 -> writer.maybeMerge();
      case 3 -> writer.forceMerge(1 + random.nextInt(3));
      case 4 -> writer.forceMergeDeletes();
      default -> {}
    }
  }
}
