/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.luceneoffload.OffloadCodec;

/** A device in memory, an index on it, and documents of which lists of all lengths come about. */
abstract class ImageTestCase extends DeviceIndexTestCase {
  final Random random = new Random(20260101);

  final Analyzer analyzer = new StandardAnalyzer();

  final void replace(String name, byte[] bytes, boolean footer) throws IOException {
    plain.deleteFile(name);
    try (IndexOutput out = plain.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
      if (footer) {
        CodecUtil.writeFooter(out);
      }
    }
  }

  final IndexWriter writer(Directory directory, boolean compound, boolean merges)
      throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(analyzer).setCodec(new OffloadCodec()).setUseCompoundFile(compound);
    if (merges) {
      config.getMergePolicy().setNoCFSRatio(compound ? 1.0 : 0.0);
    } else {
      config.setMergePolicy(NoMergePolicy.INSTANCE);
    }
    return new IndexWriter(directory, config);
  }

  final void addDocuments(IndexWriter writer, int count, int perSegment) throws IOException {
    for (int i = 0; i < count; i++) {
      Document document = new Document();
      document.add(new StringField("id", "id" + i, Field.Store.NO));
      document.add(new TextField("body", text(), Field.Store.NO));
      writer.addDocument(document);
      if (i % perSegment == perSegment - 1) {
        writer.flush();
      }
    }
  }

  /** Words whose frequency falls with their number, so that lists of all lengths come about. */
  final String text() {
    StringBuilder text = new StringBuilder();
    int words = 1 + random.nextInt(40);
    for (int i = 0; i < words; i++) {
      text.append('w').append((int) Math.pow(500, random.nextDouble()) - 1).append(' ');
    }
    return text.toString();
  }

  static ImageCheck.Result assertComplete(Directory directory) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      return assertComplete(reader);
    }
  }

  static ImageCheck.Result assertComplete(DirectoryReader reader) throws IOException {
    ImageCheck.Result result = ImageCheck.run(reader, (done, of) -> {});
    assertEquals(List.of(), result.problems());
    assertEquals(List.of(), result.withoutImage());
    assertEquals(result.segments(), result.segmentsChecked());
    assertTrue(result.postings() > 0);
    return result;
  }
}
