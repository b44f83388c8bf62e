/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.maintain.IndexDetach;
import org.luceneoffload.maintain.IndexImport;
import org.luceneoffload.maintain.IndexRepair;
import org.luceneoffload.maintain.MaintenanceProgress;
import org.luceneoffload.maintain.MaintenanceReport;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.wire.OffloadWire;

/** Columns that are lost, damaged, given up, removed and made again. */
class TestColumnUpkeep extends ColumnTestCase {
  /** Two segments, of which the first has generations of two fields. */
  private void write(Directory directory, boolean compound) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config(compound, false))) {
      addDocuments(writer, 0, 1000, 500);
      writer.commit();
      writer.updateNumericDocValue(new Term("id", "id3"), "later", 1L << 40);
      writer.updateNumericDocValue(new Term("id", "id4"), "sparse", 17);
    }
  }

  private void assertOnHost(Directory directory) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        for (String field : COLUMNS) {
          DeviceColumn column = DeviceColumns.of(leaf.reader(), field);
          assertTrue(column == null || !column.image().usable(), field);
        }
      }
      assertStock(reader);
    }
  }

  private static void assertStock(DirectoryReader reader) throws IOException {
    assertEquals(1000, reader.numDocs());
    NumericDocValues later = reader.leaves().getFirst().reader().getNumericDocValues("later");
    assertTrue(later.advanceExact(3));
    assertEquals(1L << 40, later.longValue());
  }

  private void checkIndex(Directory directory) throws IOException {
    try (CheckIndex check = new CheckIndex(directory)) {
      assertTrue(check.checkIndex().clean);
    }
  }

  @Test
  void importNamesASegmentOnceThatHasLostSeveralImages() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      write(directory, false);
      IndexDetach.run(directory);
      MaintenanceReport report = IndexImport.run(directory, MaintenanceProgress.NONE);
      List<String> leftOut = report.leftOut();
      assertEquals(2, report.segments());
      assertEquals(2, leftOut.size(), leftOut.toString());
      for (int i = 0; i < 2; i++) {
        String reason = leftOut.get(i);
        assertTrue(reason.startsWith("segment _" + i + ": its own image is to be "), reason);
      }
      assertEquals(0, report.segmentsPresent());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void repairMakesDetachedColumnsAgain(boolean compound) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      write(directory, compound);
      assertComplete(directory);
      int images = ImageDirectory.find(directory).handle().volume().list().size();
      assertEquals(6, images, "lists and columns of two segments, and two generations");
      assertEquals(images, IndexDetach.run(directory).images());
      assertEquals(Set.of(), ImageDirectory.find(directory).handle().volume().list());
      assertOnHost(directory);
      MaintenanceReport report = IndexRepair.run(directory, MaintenanceProgress.NONE);
      assertEquals(List.of(), report.leftOut());
      assertEquals(2 * COLUMNS.size() + 2, report.columns());
      assertEquals(2, report.segmentsWritten());
      assertComplete(directory);
      assertEquals(images, ImageDirectory.find(directory).handle().volume().list().size());
      checkIndex(directory);
      assertEquals(2, IndexRepair.run(directory, MaintenanceProgress.NONE).segmentsPresent());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStockIndexKeepsUpdates(boolean compound) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      write(directory, compound);
      IndexDetach.run(directory, IndexDetach.Codec.STOCK);
      assertOnHost(directory);
      checkIndex(directory);
    }
    assertFalse(
        Arrays.stream(plain.listAll()).anyMatch(f -> f.matches(".*[.]od[mv]")),
        Arrays.toString(plain.listAll()));
    checkIndex(plain);
    try (DirectoryReader reader = DirectoryReader.open(plain)) {
      assertStock(reader);
    }
  }

  @Test
  void aFieldWithoutAColumnLeavesAGapThatRepairKeeps() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = new IndexWriter(directory, config(true, false))) {
        for (int i = 0; i < 5000; i++) {
          Document document = new Document();
          document.add(new NumericDocValuesField("a", i));
          for (int n = 0; n < (i == 4900 ? 1000 : 1); n++) {
            document.add(new SortedNumericDocValuesField("b", random.nextLong()));
          }
          document.add(new NumericDocValuesField("c", i));
          writer.addDocument(document);
        }
      }
      DeviceColumn before = column(directory, "c");
      assertTrue(before.firstPage() > column(directory, "a").pageCount() + 1);
      assertNull(column(directory, "b"));
      IndexDetach.run(directory);
      assertEquals(2, IndexRepair.run(directory, MaintenanceProgress.NONE).columns());
      DeviceColumn after = column(directory, "c");
      assertEquals(before.firstPage(), after.firstPage());
      assertComplete(directory);
    }
  }

  private static DeviceColumn column(Directory directory, String field) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      return DeviceColumns.of(reader.leaves().getFirst().reader(), field);
    }
  }

  private void flipBit(long lba) throws IOException {
    ByteBuffer page =
        ByteBuffer.allocateDirect(OffloadWire.PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    page.put(device.lba(lba)).flip();
    page.put(1000, (byte) (page.get(1000) ^ 4));
    device.write(lba, page);
  }

  @Test
  void repairMakesALostStubAgain() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      write(directory, false);
      plain.deleteFile("_0.odv");
      assertEquals(1, IndexRepair.run(directory, MaintenanceProgress.NONE).segmentsWritten());
      assertComplete(directory);
    }
  }

  @Test
  void flippedBitsAreFoundAndRepaired() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      write(directory, false);
      DeviceColumn column = column(directory, "wild");
      long lba = column.image().extents().getFirst().lba() + column.firstPage();
      flipBit(lba);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertFalse(ColumnCheck.run(reader).problems().isEmpty());
        checkIndex(directory);
      }
      assertEquals(1, IndexRepair.run(directory, MaintenanceProgress.NONE).segmentsWritten());
      assertComplete(directory);
    }
  }

  @Test
  void mergingDamagedColumnsMakesSoundOnes() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      write(directory, false);
      DeviceColumn column = column(directory, "wild");
      flipBit(column.image().extents().getFirst().lba() + column.firstPage());
      plain.deleteFile("_1.odm");
      try (IndexWriter writer = new IndexWriter(directory, config(false, true))) {
        writer.forceMerge(1);
      }
      assertComplete(directory);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"_0.odv", "_0.odm"})
  void aWriterGoesOnWithoutAFile(String file) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = new IndexWriter(directory, config(false, false))) {
        addDocuments(writer, 0, 1000, 500);
      }
      plain.deleteFile(file);
      checkIndex(directory);
      try (IndexWriter writer = new IndexWriter(directory, config(false, true))) {
        writer.updateNumericDocValue(new Term("id", "id3"), "later", 1L << 40);
        writer.commit();
        assertOnHostOrSound(directory);
        writer.forceMerge(1);
      }
      assertComplete(directory);
    }
  }

  private static void assertOnHostOrSound(Directory directory) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(1L << 40, DeviceColumns.of(first(reader), "later").max());
      assertStock(reader);
    }
  }

  private static LeafReader first(DirectoryReader reader) {
    return reader.leaves().getFirst().reader();
  }

  @Test
  void aFullDeviceCostsColumnsOnly() throws IOException {
    try (RamBlockDevice small = new RamBlockDevice(64);
        OffloadDirectory directory = OffloadDirectory.wrap(plain, small)) {
      try (IndexWriter writer = new IndexWriter(directory, config(false, false))) {
        for (int i = 0; i < 50_000; i++) {
          Document document = new Document();
          document.add(new NumericDocValuesField("n", random.nextLong()));
          writer.addDocument(document);
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(50_000, reader.numDocs());
        DeviceColumn column = DeviceColumns.of(first(reader), "n");
        assertNotNull(column.image().unusableReason());
      }
      checkIndex(directory);
    }
  }

  @Test
  void aFullDeviceIsAnErrorInStrictMode() throws IOException {
    OffloadOptions strict = OffloadOptions.DEFAULT.withStrict(true);
    try (RamBlockDevice small = new RamBlockDevice(64);
        OffloadDirectory directory = OffloadDirectory.wrap(plain, small, strict)) {
      assertThrows(
          IOException.class,
          () -> {
            try (IndexWriter writer = new IndexWriter(directory, config(false, false))) {
              for (int i = 0; i < 50_000; i++) {
                Document document = new Document();
                document.add(new NumericDocValuesField("n", random.nextLong()));
                writer.addDocument(document);
              }
            }
          });
    }
  }
}
