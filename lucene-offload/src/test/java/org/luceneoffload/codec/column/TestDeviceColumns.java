/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValuesSkipper;
import org.apache.lucene.index.ExitableDirectoryReader;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.FilterCodecReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ParallelLeafReader;
import org.apache.lucene.index.SortedDocValues;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.index.SortingCodecReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.PassingLeafReader;

/** Which readers' columns are taken for their doc values, and what damage does. */
class TestDeviceColumns extends ColumnTestCase {
  /** Something that is done with a reader of an index with columns. */
  @FunctionalInterface
  private interface Use {
    void use(DirectoryReader reader) throws IOException;
  }

  private void withReader(boolean updated, Use use) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device);
        IndexWriter writer = new IndexWriter(directory, config(false, false))) {
      addDocuments(writer, 0, 100, 100);
      if (updated) {
        writer.updateNumericDocValue(new Term("id", "id3"), "later", 7);
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        use.use(reader);
      }
    }
  }

  private static CodecReader leaf(DirectoryReader reader) {
    return (CodecReader) reader.leaves().getFirst().reader();
  }

  @Test
  void filtersThatPassDocValuesOnHaveTheColumn() throws IOException {
    for (boolean updated : new boolean[] {false, true}) {
      withReader(
          updated,
          reader -> {
            CodecReader leaf = leaf(reader);
            assertNotNull(DeviceColumns.of(new PassingLeafReader(leaf), "day"));
            assertNotNull(DeviceColumns.of(new PassingLeafReader(leaf), "later"));
            assertNotNull(DeviceColumns.of(new PlainCodecReader(leaf), "keys"));
            assertNotNull(DeviceColumns.anyImage(new PassingLeafReader(leaf)));
          });
    }
  }

  @Test
  void readersThatMayShowOtherDocValuesHaveNone() throws IOException {
    withReader(
        false,
        reader -> {
          CodecReader leaf = leaf(reader);
          assertNone(
              new PassingLeafReader(leaf) {
                @Override
                public NumericDocValues getNumericDocValues(String field) {
                  return null;
                }
              });
          assertNone(
              new PassingLeafReader(leaf) {
                @Override
                public SortedDocValues getSortedDocValues(String field) {
                  return null;
                }
              });
          assertNone(
              new PassingLeafReader(leaf) {
                @Override
                public SortedNumericDocValues getSortedNumericDocValues(String field) {
                  return null;
                }
              });
          assertNone(
              new PassingLeafReader(leaf) {
                @Override
                public SortedSetDocValues getSortedSetDocValues(String field) {
                  return null;
                }
              });
          assertNone(
              new PassingLeafReader(leaf) {
                @Override
                public DocValuesSkipper getDocValuesSkipper(String field) {
                  return null;
                }
              });
          assertNone(
              new PassingLeafReader(leaf) {
                @Override
                public FieldInfos getFieldInfos() {
                  return FieldInfos.EMPTY;
                }
              });
          assertNone(
              SortingCodecReader.wrap(leaf, new Sort(new SortField("day", SortField.Type.LONG))));
          try (LeafReader parallel = new ParallelLeafReader(false, leaf)) {
            assertNone(parallel);
          }
          ExitableDirectoryReader exitable = new ExitableDirectoryReader(reader, () -> false);
          assertNone(exitable.leaves().getFirst().reader());
        });
  }

  private static void assertNone(LeafReader reader) throws IOException {
    for (String field : COLUMNS) {
      assertNull(DeviceColumns.of(reader, field), field);
    }
    assertNull(DeviceColumns.anyImage(reader));
  }

  @Test
  void aColumnWhoseImageIsGoneSaysSo() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = new IndexWriter(directory, config(false, false))) {
        addDocuments(writer, 0, 100, 100);
      }
      plain.deleteFile("_0.odv");
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        DeviceColumn column = DeviceColumns.of(leaf(reader), "day");
        assertNotNull(column.image().unusableReason());
        assertEquals(column.image(), DeviceColumns.anyImage(leaf(reader)));
        ColumnCheck.Result result = ColumnCheck.run(reader);
        assertEquals(1, result.unusable().size() + result.problems().size());
        assertEquals(0, result.columns());
      }
    }
  }

  @Test
  void withoutItsMetadataASegmentHasNoColumns() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = new IndexWriter(directory, config(false, false))) {
        addDocuments(writer, 0, 100, 100);
      }
      plain.deleteFile("_0.odm");
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertNone(leaf(reader));
        assertEquals(100, reader.numDocs());
        assertNotNull(reader.leaves().getFirst().reader().getNumericDocValues("day"));
      }
    }
  }

  @Test
  void damagedMetadataCostTheColumnsOnly() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = new IndexWriter(directory, config(false, false))) {
        addDocuments(writer, 0, 100, 100);
      }
      byte[] bytes = read("_0.odm");
      bytes[bytes.length / 2] ^= 4;
      replace("_0.odm", bytes);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertNone(leaf(reader));
        ColumnCheck.Result result = ColumnCheck.run(reader);
        assertEquals(1, result.problems().size());
        assertTrue(result.problems().getFirst().contains("_0.odm"), result.toString());
      }
    }
  }

  /** A codec reader that passes everything on. */
  private static final class PlainCodecReader extends FilterCodecReader {
    PlainCodecReader(CodecReader in) {
      super(in);
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return in.getCoreCacheHelper();
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return in.getReaderCacheHelper();
    }
  }
}
