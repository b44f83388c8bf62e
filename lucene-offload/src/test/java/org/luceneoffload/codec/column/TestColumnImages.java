/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.store.image.ImageDirectory;

/** Columns against stock's doc values, in every way that segments come about. */
class TestColumnImages extends ColumnTestCase {
  private List<String> files(String extension) throws IOException {
    return Arrays.stream(plain.listAll()).filter(f -> f.endsWith("." + extension)).toList();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void flushedSegmentsHaveColumns(boolean compound) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = new IndexWriter(directory, config(compound, false))) {
        addDocuments(writer, 0, 9000, 3000);
      }
      ColumnCheck.Result result = assertComplete(directory);
      assertEquals(3 * COLUMNS.size(), result.columns());
      assertTrue(result.pages() > result.columns(), result.toString());
      assertEquals(
          compound
              ? List.of("_0_c_0.odv", "_1_c_0.odv", "_2_c_0.odv")
              : List.of("_0.odv", "_1.odv", "_2.odv"),
          files("odv"));
      assertEquals(compound ? 0 : 3, files("odm").size());
      assertEquals(6, ImageDirectory.find(directory).handle().volume().list().size());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void mergedSegmentsHaveColumns(boolean compound) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = new IndexWriter(directory, config(compound, true))) {
        addDocuments(writer, 0, 3000, 300);
        writer.deleteDocuments(new Term("id", "id17"), new Term("id", "id1017"));
        writer.forceMerge(1);
      }
      ColumnCheck.Result result = assertComplete(directory);
      assertEquals(COLUMNS.size(), result.columns());
      assertEquals(1, files("odv").size());
      assertEquals(2, ImageDirectory.find(directory).handle().volume().list().size());
    }
  }

  @Test
  void columnsSayWhatTheyHold() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = new IndexWriter(directory, config(true, false))) {
        for (int i = 0; i < 10; i++) {
          Document document = new Document();
          document.add(new SortedNumericDocValuesField("n", i - 4));
          if (i % 2 == 0) {
            document.add(new SortedNumericDocValuesField("n", i - 4));
          }
          writer.addDocument(document);
        }
        writer.addDocument(new Document());
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        LeafReader leaf = reader.leaves().getFirst().reader();
        DeviceColumn column = DeviceColumns.of(leaf, "n");
        assertEquals(DocValuesType.SORTED_NUMERIC, column.type());
        assertEquals(1, column.firstPage());
        assertEquals(1, column.pageCount());
        assertEquals(10, column.docCount());
        assertEquals(15, column.valueCount());
        assertEquals(-4, column.min());
        assertEquals(5, column.max());
        assertFalse(column.isSingleValued());
        assertTrue(column.image().usable());
        assertSame(column.image(), DeviceColumns.anyImage(leaf));
        assertNull(DeviceColumns.of(leaf, "other"));
      }
    }
  }

  @Test
  void sortedIndexesHaveColumns() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      IndexWriterConfig config =
          config(false, true)
              .setIndexSort(
                  new Sort(
                      new SortField("day", SortField.Type.LONG),
                      new SortField("key", SortField.Type.STRING)));
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        addDocuments(writer, 0, 2000, 500);
        try (DirectoryReader reader = DirectoryReader.open(writer)) {
          assertComplete(reader);
        }
        writer.forceMerge(1);
      }
      assertComplete(directory);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eachGenerationHasItsOwnColumn(boolean compound) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device);
        IndexWriter writer = new IndexWriter(directory, config(compound, true))) {
      addDocuments(writer, 0, 1000, 1000);
      writer.commit();
      try (DirectoryReader before = DirectoryReader.open(writer)) {
        DeviceColumn old = DeviceColumns.of(before.leaves().getFirst().reader(), "later");
        assertEquals(999, old.max());
        writer.updateNumericDocValue(new Term("id", "id3"), "later", 1L << 40);
        writer.updateNumericDocValue(new Term("id", "id4"), "sparse", 17);
        writer.commit();
        try (DirectoryReader after = DirectoryReader.openIfChanged(before)) {
          LeafReader leaf = after.leaves().getFirst().reader();
          DeviceColumn updated = DeviceColumns.of(leaf, "later");
          assertEquals(1L << 40, updated.max());
          assertNotSame(old.image(), updated.image());
          assertNotSame(updated.image(), DeviceColumns.of(leaf, "sparse").image());
          assertSame(old.image(), DeviceColumns.of(leaf, "day").image());
          assertComplete(after);
          assertComplete(before);
          assertEquals(999, DeviceColumns.of(before.leaves().getFirst().reader(), "later").max());
        }
      }
      // Further generations, of which the earlier ones go.
      for (int i = 0; i < 40; i++) {
        writer.updateNumericDocValue(new Term("id", "id3"), "later", i);
        writer.commit();
      }
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertEquals(999, DeviceColumns.of(reader.leaves().getFirst().reader(), "later").max());
        assertComplete(reader);
      }
      assertEquals(3, files("odv").size(), files("odv").toString());
      assertComplete(directory);
      writer.forceMerge(1);
      writer.addDocument(document(1000));
      writer.forceMerge(1);
      writer.commit();
      assertComplete(directory);
      assertEquals(1, files("odv").size());
    }
  }

  @Test
  void softDeletesHaveNoColumn() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = new IndexWriter(directory, config(true, false))) {
        addDocuments(writer, 0, 100, 100);
        writer.softUpdateDocument(
            new Term("id", "id5"), document(5), new NumericDocValuesField("gone", 1));
      }
      assertComplete(directory);
      try (DirectoryReader reader =
          new SoftDeletesDirectoryReaderWrapper(DirectoryReader.open(directory), "gone")) {
        assertTrue(reader.hasDeletions());
        assertComplete(reader);
        assertNotNull(reader.leaves().getFirst().reader().getNumericDocValues("gone"));
        assertNull(DeviceColumns.of(reader.leaves().getFirst().reader(), "gone"));
      }
    }
  }

  @Test
  void tooManyValuesAreNoColumn() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = new IndexWriter(directory, config(true, false))) {
        for (int i = 0; i < 5; i++) {
          Document document = document(i);
          for (int n = 0; n < (i == 3 ? 1000 : 1); n++) {
            document.add(new SortedNumericDocValuesField("many", random.nextLong()));
          }
          document.add(new BinaryDocValuesField("binary", new BytesRef("b")));
          writer.addDocument(document);
        }
      }
      assertComplete(directory);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertNull(DeviceColumns.of(reader.leaves().getFirst().reader(), "many"));
        assertNull(DeviceColumns.of(reader.leaves().getFirst().reader(), "binary"));
      }
    }
  }

  @Test
  void aSegmentOfWhichNoFieldHasAColumnHasNoFiles() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = new IndexWriter(directory, config(false, false))) {
        Document document = new Document();
        for (int n = 0; n < 1000; n++) {
          document.add(new SortedNumericDocValuesField("many", random.nextLong()));
        }
        writer.addDocument(document);
      }
      assertEquals(List.of(), files("odv"));
      assertEquals(List.of(), files("odm"));
      assertEquals(0, ImageDirectory.find(directory).handle().volume().list().size());
    }
  }

  @Test
  void optionsAndCodecChooseFields() throws IOException {
    OffloadOptions options = OffloadOptions.DEFAULT.withColumns("day", "key");
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device, options)) {
      IndexWriterConfig config =
          config(true, false)
              .setCodec(new OffloadCodec(new OffloadCodec().delegate(), "day"::equals));
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        addDocuments(writer, 0, 10, 10);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        LeafReader leaf = reader.leaves().getFirst().reader();
        assertNotNull(DeviceColumns.of(leaf, "day"));
        assertNull(DeviceColumns.of(leaf, "key"));
        assertNull(DeviceColumns.of(leaf, "wild"));
      }
    }
  }

  @Test
  void noOptionsNoColumns() throws IOException {
    OffloadOptions options = OffloadOptions.DEFAULT.withColumns();
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device, options)) {
      try (IndexWriter writer = new IndexWriter(directory, config(false, false))) {
        addDocuments(writer, 0, 10, 10);
      }
      assertEquals(List.of(), files("odv"));
      assertEquals(List.of(), files("odm"));
    }
  }

  @Test
  void withoutADeviceNoColumnIsWrittenOrUsed() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = new IndexWriter(directory, config(false, false))) {
        addDocuments(writer, 0, 10, 10);
      }
    }
    try (IndexWriter writer = new IndexWriter(plain, config(false, false))) {
      addDocuments(writer, 10, 20, 20);
    }
    assertEquals(List.of("_0.odv"), files("odv"));
    assertEquals(List.of("_0.odm"), files("odm"));
    try (DirectoryReader reader = DirectoryReader.open(plain)) {
      DeviceColumn column = DeviceColumns.of(reader.leaves().getFirst().reader(), "day");
      assertEquals(
          "the index was not opened through an OffloadDirectory", column.image().unusableReason());
      assertNull(DeviceColumns.of(reader.leaves().getLast().reader(), "day"));
    }
  }

  @Test
  void addedIndexesBringTheirColumns() throws IOException {
    try (RamBlockDevice otherDevice = new RamBlockDevice(DEVICE_LBAS);
        Directory otherFiles = new ByteBuffersDirectory();
        OffloadDirectory other = OffloadDirectory.wrap(otherFiles, otherDevice);
        OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = new IndexWriter(other, config(false, false))) {
        addDocuments(writer, 0, 1000, 500);
        writer.commit();
        writer.updateNumericDocValue(new Term("id", "id3"), "later", 1L << 40);
      }
      try (IndexWriter writer = new IndexWriter(directory, config(false, false))) {
        writer.addIndexes(other);
      }
      assertEquals(2 * COLUMNS.size(), assertComplete(directory).columns());
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(
            1L << 40, DeviceColumns.of(reader.leaves().getFirst().reader(), "later").max());
      }
    }
  }
}
