/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.DeviceTerms;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.maintain.IndexDetach;
import org.luceneoffload.maintain.IndexImport;
import org.luceneoffload.maintain.IndexRepair;
import org.luceneoffload.maintain.MaintenanceProgress;
import org.luceneoffload.maintain.MaintenanceReport;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.SidecarFiles;

/** Columns beside segments that were written without. */
class TestImportedColumns extends ColumnTestCase {
  private static final OffloadOptions NO_COLUMNS = OffloadOptions.DEFAULT.withColumns();

  private static IndexWriterConfig stockConfig(boolean compound) {
    return config(compound, false).setCodec(Codec.getDefault());
  }

  /** Two segments, without deletes or updates. */
  private void writeStock(boolean compound) throws IOException {
    try (IndexWriter writer = new IndexWriter(plain, stockConfig(compound))) {
      addDocuments(writer, 0, 1000, 500);
    }
  }

  /** An update of the first segment alone. */
  private void update(long value) throws IOException {
    try (IndexWriter writer = new IndexWriter(plain, stockConfig(true))) {
      writer.updateNumericDocValue(new Term("id", "id3"), "later", value);
    }
  }

  private OffloadDirectory open(OffloadOptions options) throws IOException {
    return OffloadDirectory.wrap(plain, device, options);
  }

  private OffloadDirectory open() throws IOException {
    return open(OffloadOptions.DEFAULT);
  }

  private static MaintenanceReport importAll(OffloadDirectory directory) throws IOException {
    MaintenanceReport report = IndexImport.run(directory, MaintenanceProgress.NONE);
    assertEquals(List.of(), report.leftOut());
    assertEquals(report.segments(), report.segmentsWritten() + report.segmentsPresent());
    return report;
  }

  private static MaintenanceReport repair(OffloadDirectory directory) throws IOException {
    MaintenanceReport report = IndexRepair.run(directory, MaintenanceProgress.NONE);
    assertEquals(List.of(), report.leftOut());
    return report;
  }

  private static LeafReader first(DirectoryReader reader) {
    return reader.leaves().getFirst().reader();
  }

  private static void assertUpdated(DirectoryReader reader, long value) throws IOException {
    NumericDocValues later = first(reader).getNumericDocValues("later");
    assertTrue(later.advanceExact(3));
    assertEquals(value, later.longValue());
  }

  /** All files that are not of this library, with their bytes. */
  private Map<String, byte[]> luceneFiles() throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    for (String name : plain.listAll()) {
      if (!name.startsWith("offload")) {
        files.put(name, read(name));
      }
    }
    return files;
  }

  private void assertLuceneFiles(Map<String, byte[]> expected) throws IOException {
    Map<String, byte[]> files = luceneFiles();
    assertEquals(expected.keySet(), files.keySet());
    for (String name : expected.keySet()) {
      assertArrayEquals(expected.get(name), files.get(name), name);
    }
    try (CheckIndex check = new CheckIndex(plain)) {
      assertTrue(check.checkIndex().clean);
    }
  }

  private Set<String> onDevice(OffloadDirectory directory) {
    return ImageDirectory.find(directory).handle().volume().list();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anImportBringsColumns(boolean compound) throws IOException {
    writeStock(compound);
    Map<String, byte[]> files = luceneFiles();
    try (OffloadDirectory directory = open()) {
      MaintenanceReport report = importAll(directory);
      assertEquals(2 * COLUMNS.size(), report.columns());
      assertTrue(report.lists() > 0);
      assertEquals(2 * COLUMNS.size(), assertComplete(directory).columns());
      assertEquals(2, importAll(directory).segmentsPresent());
      assertEquals(2, repair(directory).segmentsPresent());
      assertLuceneFiles(files);
      assertEquals(4, IndexDetach.run(directory).images());
      assertEquals(Set.of(), onDevice(directory));
      assertEquals(Set.of(), SidecarFiles.ids(plain));
      assertLuceneFiles(files);
    }
  }

  @Test
  void anImportWithoutRoomForColumnsBringsLists() throws IOException {
    try (IndexWriter writer = new IndexWriter(plain, stockConfig(true))) {
      for (int i = 0; i < 30_000; i++) {
        Document document = new Document();
        document.add(new StringField("id", "id" + i % 2, Field.Store.NO));
        document.add(new NumericDocValuesField("day", random.nextLong()));
        writer.addDocument(document);
      }
    }
    try (RamBlockDevice small = new RamBlockDevice(64);
        OffloadDirectory directory = OffloadDirectory.wrap(plain, small)) {
      MaintenanceReport report = IndexImport.run(directory, MaintenanceProgress.NONE);
      assertEquals(1, report.segmentsWritten(), report.toString());
      assertEquals(0, report.columns());
      assertEquals(2, report.lists());
      assertTrue(report.leftOut().getFirst().contains("no columns"), report.toString());
      assertEquals(1, onDevice(directory).size());
      assertEquals(2, offloadFiles().size(), offloadFiles().toString());
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertNull(DeviceColumns.of(first(reader), "day"));
        assertTrue(DeviceTerms.anyImage(first(reader)).usable());
      }
    }
  }

  private List<String> offloadFiles() throws IOException {
    return Arrays.stream(plain.listAll()).filter(name -> name.startsWith("offload")).toList();
  }

  /** The lists came before there were columns, or without them. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anImportAddsColumnsToLists(boolean ours) throws IOException {
    if (ours) {
      try (OffloadDirectory directory = open(NO_COLUMNS);
          IndexWriter writer = new IndexWriter(directory, config(true, false))) {
        addDocuments(writer, 0, 1000, 500);
      }
    } else {
      writeStock(true);
      try (OffloadDirectory directory = open(NO_COLUMNS)) {
        assertEquals(0, importAll(directory).columns());
        assertEquals(2, importAll(directory).segmentsPresent());
      }
    }
    Map<String, byte[]> files = luceneFiles();
    try (OffloadDirectory directory = open();
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertNull(DeviceColumns.of(first(reader), "day"));
      Set<String> lists = onDevice(directory);
      assertEquals(2, lists.size());
      MaintenanceReport report = importAll(directory);
      assertEquals(0, report.lists());
      assertEquals(2 * COLUMNS.size(), report.columns());
      assertEquals(4, onDevice(directory).size());
      assertTrue(onDevice(directory).containsAll(lists), "the lists stay");
      assertTrue(DeviceTerms.anyImage(first(reader)).usable());
      assertComplete(reader);
      assertComplete(directory);
      assertEquals(2, importAll(directory).segmentsPresent());
    }
    assertLuceneFiles(files);
  }

  @Test
  void theOptionsSayWhichFields() throws IOException {
    writeStock(false);
    try (OffloadDirectory directory = open(OffloadOptions.DEFAULT.withColumns("day", "keys"));
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(4, importAll(directory).columns());
      assertNotNull(DeviceColumns.of(first(reader), "keys"));
      assertNull(DeviceColumns.of(first(reader), "key"));
      assertEquals(2, importAll(directory).segmentsPresent());
      for (String name : offloadFiles()) {
        if (name.endsWith(".odv")) {
          plain.deleteFile(name);
        }
      }
      assertEquals(4, repair(directory).columns());
    }
    try (OffloadDirectory directory = open()) {
      assertEquals(2 * COLUMNS.size(), importAll(directory).columns());
      assertComplete(directory);
    }
  }

  @Test
  void segmentsWithoutTerms() throws IOException {
    try (IndexWriter writer = new IndexWriter(plain, stockConfig(true))) {
      for (int i = 0; i < 500; i++) {
        Document document = new Document();
        document.add(new NumericDocValuesField("day", random.nextInt(100)));
        writer.addDocument(document);
      }
    }
    try (OffloadDirectory directory = open()) {
      MaintenanceReport report = importAll(directory);
      assertEquals(1, report.columns());
      assertEquals(0, report.lists());
      assertEquals(1, importAll(directory).segmentsPresent());
      assertEquals(1, repair(directory).segmentsPresent());
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(500, ColumnCheck.run(reader).values());
      }
      // The files go with their segment.
      try (IndexWriter writer = new IndexWriter(directory, config(true, true))) {
        writer.deleteAll();
      }
      assertEquals(List.of(), offloadFiles());
      assertEquals(Set.of(), onDevice(directory));
    }
  }

  @Test
  void aFieldThatCanHaveNoColumn() throws IOException {
    try (IndexWriter writer = new IndexWriter(plain, stockConfig(true))) {
      for (int i = 0; i < 1000; i++) {
        Document document = new Document();
        document.add(new StringField("id", "id" + i, Field.Store.NO));
        for (int n = 0; n < (i == 900 ? 1000 : 1); n++) {
          document.add(new SortedNumericDocValuesField("many", random.nextLong()));
        }
        document.add(new NumericDocValuesField("day", i));
        writer.addDocument(document);
      }
    }
    try (OffloadDirectory directory = open(OffloadOptions.DEFAULT.withColumns("many"))) {
      assertEquals(0, importAll(directory).columns());
      assertEquals(2, offloadFiles().size(), "lists alone");
      assertEquals(1, importAll(directory).segmentsPresent());
    }
    try (OffloadDirectory directory = open()) {
      assertEquals(1, importAll(directory).columns());
      assertEquals(1, importAll(directory).segmentsPresent());
      assertEquals(1, repair(directory).segmentsPresent());
    }
  }

  /** Each reader has the column of what it shows, or none. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void generations(boolean compound) throws IOException {
    writeStock(compound);
    try (OffloadDirectory directory = open()) {
      importAll(directory);
      try (DirectoryReader before = DirectoryReader.open(directory)) {
        update(1L << 40);
        try (DirectoryReader after = DirectoryReader.openIfChanged(before)) {
          assertNull(DeviceColumns.of(first(after), "later"));
          assertNotNull(DeviceColumns.of(first(after), "day"));
          assertUpdated(after, 1L << 40);
          assertEquals(499, DeviceColumns.of(first(before), "later").max());

          MaintenanceReport report = importAll(directory);
          assertEquals(1, report.segmentsWritten());
          assertEquals(COLUMNS.size(), report.columns());
          assertEquals(1L << 40, DeviceColumns.of(first(after), "later").max());
          assertComplete(after);
          assertNull(DeviceColumns.of(first(before), "later"), "its column was replaced");
          assertEquals(0, ColumnCheck.run(before).problems().size());

          update(7);
          try (DirectoryReader last = DirectoryReader.openIfChanged(after)) {
            assertNull(DeviceColumns.of(first(last), "later"));
            assertEquals(1L << 40, DeviceColumns.of(first(after), "later").max());
          }
        }
      }
      assertEquals(2, repair(directory).segmentsPresent(), "nothing is lost");
      assertEquals(COLUMNS.size(), importAll(directory).columns());
      assertComplete(directory);
      assertEquals(4, onDevice(directory).size());
    }
  }

  /** A column that the segment never had, which an update brings. */
  @Test
  void aFieldThatUpdatesBring() throws IOException {
    try (IndexWriter writer = new IndexWriter(plain, stockConfig(true))) {
      for (int i = 0; i < 400; i++) {
        Document document = new Document();
        document.add(new StringField("id", "id" + i, Field.Store.NO));
        if (i >= 200) {
          document.add(new NumericDocValuesField("late", i));
        }
        writer.addDocument(document);
        if (i == 199) {
          writer.flush();
        }
      }
      writer.updateNumericDocValue(new Term("id", "id3"), "late", 5);
    }
    try (OffloadDirectory directory = open();
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(2, importAll(directory).columns());
      DeviceColumn column = DeviceColumns.of(first(reader), "late");
      assertEquals(1, column.docCount());
      assertEquals(5, column.max());
      assertEquals(List.of(), ColumnCheck.run(reader).problems());
    }
  }

  /**
   * A writer that goes back to an earlier commit gives the number of a generation that is gone to
   * another one.
   */
  @Test
  void theSameGenerationWithOtherValues() throws IOException {
    writeStock(false);
    IndexWriterConfig keepAll =
        stockConfig(false).setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(plain, keepAll)) {
      writer.updateNumericDocValue(new Term("id", "id3"), "later", 1L << 40);
    }
    Set<String> generation = generationFiles();
    try (OffloadDirectory directory = open()) {
      importAll(directory);
      assertComplete(directory);
    }
    IndexCommit earlier = DirectoryReader.listCommits(plain).getFirst();
    try (IndexWriter writer = new IndexWriter(plain, stockConfig(false).setIndexCommit(earlier))) {
      assertTrue(writer.isOpen());
      writer.setLiveCommitData(Map.of("back", "true").entrySet());
    }
    assertEquals(Set.of(), generationFiles(), "the update is gone");
    update(1L << 41);
    assertEquals(generation, generationFiles());
    try (OffloadDirectory directory = open()) {
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertUpdated(reader, 1L << 41);
        assertNull(DeviceColumns.of(first(reader), "later"));
        assertNotNull(DeviceColumns.of(first(reader), "day"));
      }
      importAll(directory);
      assertComplete(directory);
    }
  }

  private Set<String> generationFiles() throws IOException {
    return Set.copyOf(
        Arrays.stream(plain.listAll()).filter(name -> name.matches("_._[1-9a-z].*dvd")).toList());
  }

  /** Lost, truncated, with a bit flipped, or, of what says which columns there are, another's. */
  @ParameterizedTest
  @ValueSource(strings = {"odv", "odm"})
  void damageOfAFileIsRepaired(String extension) throws IOException {
    writeStock(true);
    update(1L << 40);
    try (OffloadDirectory directory = open()) {
      importAll(directory);
      List<String> files =
          offloadFiles().stream().filter(name -> name.endsWith(extension)).toList();
      for (int harm = 0; harm < (extension.equals("odm") ? 4 : 3); harm++) {
        byte[] bytes = read(files.getFirst());
        switch (harm) {
          case 0 -> plain.deleteFile(files.getFirst());
          case 1 -> replace(files.getFirst(), Arrays.copyOf(bytes, bytes.length / 2));
          case 2 -> {
            bytes[bytes.length / 2] ^= 4;
            replace(files.getFirst(), bytes);
          }
          default -> replace(files.getFirst(), read(files.getLast()));
        }
        assertOneUnusable(directory);
        MaintenanceReport report = repair(directory);
        assertEquals(1, report.segmentsWritten(), "harm " + harm);
        assertEquals(COLUMNS.size(), report.columns());
        assertEquals(0, report.lists());
        assertComplete(directory);
        assertEquals(2, repair(directory).segmentsPresent());
      }
      IndexDetach.run(directory);
      assertEquals(List.of(), offloadFiles());
      if (extension.equals("odm")) {
        assertEquals(Set.of(), onDevice(directory)); // but what no stub names stays for a while
      }
    }
  }

  /** The host answers for one of two segments, and a check says so. */
  private static void assertOneUnusable(Directory directory) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      int unusable = 0;
      for (LeafReaderContext leaf : reader.leaves()) {
        DeviceColumn column = DeviceColumns.of(leaf.reader(), "day");
        unusable += column == null || !column.image().usable() ? 1 : 0;
      }
      assertEquals(1, unusable);
      ColumnCheck.Result check = ColumnCheck.run(reader);
      assertEquals(1, check.problems().size() + check.unusable().size(), check.toString());
      assertUpdated(reader, 1L << 40);
    }
  }
}
