/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.NRTCachingDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.maintain.IndexDetach;
import org.luceneoffload.maintain.IndexRepair;
import org.luceneoffload.maintain.MaintenanceProgress;
import org.luceneoffload.maintain.MaintenanceReport;
import org.luceneoffload.store.image.ImageDirectory;

/**
 * Column files of segments of our codec, and of generations, each lost or damaged and made again.
 */
class TestColumnRepair extends ColumnTestCase {
  /** Two segments, of which the first has generations of two fields. */
  private void write(boolean compound) throws IOException {
    try (OffloadDirectory directory = open();
        IndexWriter writer = new IndexWriter(directory, config(compound, false))) {
      addDocuments(writer, 0, 1000, 500);
      writer.commit();
      writer.updateNumericDocValue(new Term("id", "id3"), "later", 1L << 40);
      writer.updateNumericDocValue(new Term("id", "id4"), "sparse", 17);
    }
  }

  private OffloadDirectory open() throws IOException {
    return OffloadDirectory.wrap(plain, device);
  }

  private static MaintenanceReport repair(OffloadDirectory directory) throws IOException {
    MaintenanceReport report = IndexRepair.run(directory, MaintenanceProgress.NONE);
    assertEquals(List.of(), report.leftOut());
    return report;
  }

  private static LeafReader first(DirectoryReader reader) {
    return reader.leaves().getFirst().reader();
  }

  private List<String> files(String pattern) throws IOException {
    return Arrays.stream(plain.listAll()).filter(name -> name.matches(pattern)).toList();
  }

  private int imagesOnDevice(OffloadDirectory directory) {
    return ImageDirectory.find(directory).handle().volume().list().size();
  }

  private void assertWhole(OffloadDirectory directory) throws IOException {
    assertComplete(directory);
    assertEquals(2, repair(directory).segmentsPresent());
    try (CheckIndex check = new CheckIndex(directory)) {
      assertTrue(check.checkIndex().clean);
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      NumericDocValues later = first(reader).getNumericDocValues("later");
      assertTrue(later.advanceExact(3));
      assertEquals(1L << 40, later.longValue());
      assertEquals(1L << 40, DeviceColumns.of(first(reader), "later").max());
    }
  }

  private static Set<String> unusable(DirectoryReader reader) throws IOException {
    Set<String> fields = new TreeSet<>();
    for (String field : COLUMNS) {
      DeviceColumn column = DeviceColumns.of(first(reader), field);
      if (column == null || !column.image().usable()) {
        fields.add(field);
      }
    }
    return fields;
  }

  /** Lost, cut off, or with a bit flipped. */
  private void harm(String file, int how) throws IOException {
    byte[] bytes = read(file);
    switch (how) {
      case 0 -> plain.deleteFile(file);
      case 1 -> replace(file, Arrays.copyOf(bytes, bytes.length / 2));
      default -> {
        bytes[bytes.length / 2] ^= 4;
        replace(file, bytes);
      }
    }
  }

  /** A file that a cache in front has not written yet is not lost: it is not there. */
  @Test
  void aCacheInFrontWritesGenerations() throws IOException {
    try (OffloadDirectory behind = open();
        NRTCachingDirectory directory = new NRTCachingDirectory(behind, 10, 100);
        IndexWriter writer = new IndexWriter(directory, config(false, false))) {
      addDocuments(writer, 0, 1000, 500);
      writer.commit();
      writer.updateNumericDocValue(new Term("id", "id3"), "later", 1L << 40);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertEquals(2, reader.leaves().size());
        assertTrue(Set.of(directory.listAll()).contains("_0_1.odm"));
        assertThrows(NoSuchFileException.class, () -> behind.fileLength("_0_1.odm"));
      }
      writer.commit();
      assertTrue(behind.fileLength("_0_1.odm") > 0);
    }
  }

  @ParameterizedTest
  @CsvSource({"_0.odm, 6", "_0.odv, 6", "_0_1.odm, 1", "_0_1.odv, 1", "_0_2.odm, 1"})
  void eachFile(String file, int fields) throws IOException {
    write(false);
    for (int how = 0; how < 3; how++) {
      harm(file, how);
      try (OffloadDirectory directory = open()) {
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          assertEquals(fields, unusable(reader).size(), unusable(reader).toString());
          ColumnCheck.Result check = ColumnCheck.run(reader);
          assertEquals(1, check.problems().size() + check.unusable().size(), check.toString());
        }
        MaintenanceReport report = repair(directory);
        assertEquals(1, report.segmentsWritten());
        assertTrue(report.columns() >= fields, report.toString());
        assertEquals(List.of(), files("offload.*"), "in its place");
        assertWhole(directory);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void allFilesAtOnce(boolean withDevice) throws IOException {
    write(false);
    for (String file : files("_.*[.]od[mv]")) {
      plain.deleteFile(file);
    }
    try (OffloadDirectory directory = open()) {
      if (withDevice) {
        IndexDetach.run(directory);
      }
      MaintenanceReport report = repair(directory);
      assertEquals(2, report.segmentsWritten());
      assertEquals(2 * COLUMNS.size(), report.columns());
      assertEquals(List.of(), files("offload.*"));
      assertWhole(directory);
    }
  }

  /** What is in a compound file is not written again: columns go beside the segment. */
  @Test
  void metadataInACompoundFile() throws IOException {
    write(true);
    byte[] packed = read("_0.cfs");
    byte[] codec = "OffloadColumns".getBytes(StandardCharsets.US_ASCII);
    int at = 0;
    while (!Arrays.equals(packed, at, at + codec.length, codec, 0, codec.length)) {
      at++;
    }
    packed[at + 60] ^= 4;
    replace("_0.cfs", packed);
    try (OffloadDirectory directory = open()) {
      int images = imagesOnDevice(directory);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(6, unusable(reader).size());
        assertEquals(1, ColumnCheck.run(reader).problems().size());
      }
      MaintenanceReport report = repair(directory);
      assertEquals(6, report.columns());
      assertEquals(1, files("offload.*odv").size());
      assertEquals(images, imagesOnDevice(directory), "the one that nobody can read is gone");
      assertComplete(directory);
      assertEquals(2, repair(directory).segmentsPresent());
      IndexDetach.run(directory);
      assertEquals(0, imagesOnDevice(directory));
      assertEquals(List.of(), files("offload.*"));
    }
  }

  /** What a repair makes is what the options name, and nothing if they name nothing. */
  @Test
  void theOptionsSayWhichFields() throws IOException {
    write(false);
    harm("_0.odm", 2);
    harm("_0_1.odm", 2);
    OffloadOptions one = OffloadOptions.DEFAULT.withColumns("day");
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device, one)) {
      assertEquals(1, repair(directory).columns());
      assertEquals(2, repair(directory).segmentsPresent());
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertNotNull(DeviceColumns.of(first(reader), "day"));
        assertNull(DeviceColumns.of(first(reader), "key"));
        assertEquals(List.of(), ColumnCheck.run(reader).problems());
      }
    }
  }

  /** Without the files of a generation, Lucene commits and merges. */
  @ParameterizedTest
  @ValueSource(strings = {"_0_1.odm", "_0_1.odv"})
  void aWriterGoesOnWithoutAFile(String file) throws IOException {
    write(false);
    plain.deleteFile(file);
    try (OffloadDirectory directory = open()) {
      try (CheckIndex check = new CheckIndex(directory)) {
        assertTrue(check.checkIndex().clean);
      }
      try (IndexWriter writer = new IndexWriter(directory, config(false, true))) {
        addDocuments(writer, 1000, 1010, 10);
        writer.commit();
        writer.forceMerge(1);
      }
      assertComplete(directory);
    }
  }
}
