/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.codec.DeviceIndexTestCase;

/** A device in memory, an index on it, and documents with doc values of every kind. */
abstract class ColumnTestCase extends DeviceIndexTestCase {
  /** Fields of {@link #document} that get columns. */
  static final List<String> COLUMNS =
      List.of("day", "sparse", "wild", "key", "rareKey", "numbers", "keys", "later");

  final Random random = new Random(20260102);

  final void replace(String name, byte[] bytes) throws IOException {
    plain.deleteFile(name);
    try (IndexOutput out = plain.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
    }
  }

  static IndexWriterConfig config(boolean compound, boolean merges) {
    IndexWriterConfig config =
        new IndexWriterConfig(null)
            .setCodec(new OffloadCodec())
            .setUseCompoundFile(compound)
            .setSoftDeletesField("gone");
    if (merges) {
      config.getMergePolicy().setNoCFSRatio(compound ? 1.0 : 0.0);
    } else {
      config.setMergePolicy(NoMergePolicy.INSTANCE);
    }
    return config;
  }

  final void addDocuments(IndexWriter writer, int from, int to, int perSegment) throws IOException {
    for (int i = from; i < to; i++) {
      writer.addDocument(document(i));
      if (i % perSegment == perSegment - 1) {
        writer.flush();
      }
    }
  }

  /** Document {@code i}: its values are of all kinds, and some fields are missing. */
  final Document document(int i) {
    Document document = new Document();
    document.add(new StringField("id", "id" + i, Field.Store.NO));
    document.add(new NumericDocValuesField("day", 19_000 + random.nextInt(3650)));
    document.add(new NumericDocValuesField("later", i));
    if (i % 7 == 3) {
      document.add(new NumericDocValuesField("sparse", 1000L * random.nextInt(100)));
    }
    document.add(new NumericDocValuesField("wild", wild()));
    document.add(new SortedDocValuesField("key", new BytesRef("key" + random.nextInt(176))));
    if (i % 50 == 20) {
      document.add(new SortedDocValuesField("rareKey", new BytesRef("rare" + i)));
    }
    for (int n = random.nextInt(5); n > 0; n--) {
      document.add(
          new SortedNumericDocValuesField("numbers", n == 4 ? wild() : random.nextInt(20)));
      document.add(new SortedSetDocValuesField("keys", new BytesRef("k" + random.nextInt(40))));
    }
    return document;
  }

  private long wild() {
    return switch (random.nextInt(6)) {
      case 0 -> Long.MIN_VALUE;
      case 1 -> Long.MAX_VALUE;
      case 2 -> Double.doubleToRawLongBits(random.nextGaussian());
      case 3 -> 0;
      default -> random.nextLong();
    };
  }

  static ColumnCheck.Result assertComplete(Directory directory) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      return assertComplete(reader);
    }
  }

  /** Every field that should have a column has one, and each is as stock's doc values are. */
  static ColumnCheck.Result assertComplete(DirectoryReader reader) throws IOException {
    for (LeafReaderContext leaf : reader.leaves()) {
      for (String field : COLUMNS) {
        LeafReader segment = leaf.reader();
        boolean any = segment.getFieldInfos().fieldInfo(field) != null;
        assertEquals(any, DeviceColumns.of(segment, field) != null, field);
      }
    }
    ColumnCheck.Result result = ColumnCheck.run(reader);
    assertEquals(List.of(), result.problems());
    assertEquals(List.of(), result.unusable());
    return result;
  }
}
