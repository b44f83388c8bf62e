/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.ExitableDirectoryReader;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SoftDeletesDirectoryReaderWrapper;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.QuickRun;
import org.luceneoffload.maintain.IndexImport;
import org.luceneoffload.maintain.MaintenanceProgress;
import org.luceneoffload.maintain.MaintenanceReport;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.store.image.ImageDirectory;

/** Imported indexes answer what stock Lucene answers, from the device. */
class TestImport extends ExistingIndexTestCase {
  /** Random shapes of indexes; more of them: {@code -Dtests.iters}. */
  private static final int ROUNDS = Integer.getInteger("tests.iters", QuickRun.times(2, 4));

  @Test
  void indexesOfAllShapes() throws IOException {
    queries.addAll(QueryAnswers.phrases(seed, 10));
    for (int round = 0; round < ROUNDS; round++) {
      index = temp.resolve("shape" + round);
      StockIndex.Shape shape = StockIndex.Shape.random(random);
      writeStock(shape);
      List<String> expected = QueryAnswers.ofStock(index, queries);
      Map<String, Long> files = luceneFiles(index);

      MaintenanceReport report = importAll(index);
      assertTrue(report.segmentsWritten() >= shape.segments(), shape.toString());
      assertEquals(files, luceneFiles(index), "the index stays as it is");
      assertOffloaded(expected);
      assertEquals(files, luceneFiles(index), "searching changes nothing either");
      assertComplete(index);
      assertColumns(index);
      assertEquals(expected, QueryAnswers.ofStock(index, queries));
      try (Directory plain = FSDirectory.open(index);
          CheckIndex check = new CheckIndex(plain)) {
        assertTrue(check.checkIndex().clean);
      }
    }
  }

  @Test
  void importingAgainDoesNothing() throws IOException {
    writeStock(PLAIN);
    MaintenanceReport first = importAll(index);
    assertTrue(first.postings() > 0 && first.lists() > 0 && first.pages() > 0, first.toString());
    MaintenanceReport second = importAll(index);
    assertEquals(second.segments(), second.segmentsPresent());
    assertEquals(0, second.bytes());
  }

  @Test
  void progressReachesTheEnd() throws IOException {
    writeStock(PLAIN);
    List<Long> seen = new ArrayList<>();
    try (OffloadDirectory directory = open(index)) {
      IndexImport.run(
          directory,
          (segment, postings, of) -> {
            assertTrue(postings <= of && (seen.isEmpty() || postings >= seen.getLast()));
            seen.add(postings);
          });
    }
    assertTrue(seen.size() >= 3);
    assertTrue(seen.getLast() > 0);
  }

  /** An image that is looked up first when the directory is closed is out of reach, not bad. */
  @Test
  void aReaderThatOutlivesItsDirectory() throws IOException {
    writeStock(PLAIN);
    importAll(index);
    List<String> expected = QueryAnswers.ofStock(index, queries);
    OffloadDirectory directory = OffloadDirectory.open(index, DEVICE);
    try (OffloadDirectory keepsTheDevice = OffloadDirectory.open(index, DEVICE);
        DirectoryReader first = DirectoryReader.open(directory);
        DirectoryReader second = DirectoryReader.open(directory)) {
      assertSame(
          ImageDirectory.find(directory).handle(), ImageDirectory.find(keepsTheDevice).handle());
      assertOffloaded(expected, directory, first);
      directory.close();
      assertEquals(expected, QueryAnswers.of(new OffloadIndexSearcher(second), queries));
      assertOffloaded(expected, directory, first);
      assertEquals(0, directory.stats().get(Counter.IMAGES_BAD), directory.stats().toString());
    }
  }

  @Test
  void changesAfterTheImport() throws IOException {
    StockIndex stock = writeStock(PLAIN);
    importAll(index);
    Map<Path, byte[]> stubs = new HashMap<>();
    for (Path stub : sidecars(index, "odp")) {
      stubs.put(stub, Files.readAllBytes(stub));
    }
    // Deletes and updates of imported segments, and new ones by a writer that knows nothing of the
    // device.
    try (Directory plain = FSDirectory.open(index);
        IndexWriter writer =
            new IndexWriter(plain, stock.config(StockIndex.codec(random, false)))) {
      stock.change(writer);
      stock.add(writer);
    }
    List<String> expected = QueryAnswers.ofStock(index, queries);
    assertTrue(assertAnswers(expected) > 0, "the imported segments are still the device's");
    MaintenanceReport more = importAll(index);
    assertTrue(more.segmentsWritten() > 0 && more.lists() > 0, more.toString());
    for (Map.Entry<Path, byte[]> stub : stubs.entrySet()) {
      assertArrayEquals(stub.getValue(), Files.readAllBytes(stub.getKey()), "the lists stay");
    }
    assertOffloaded(expected);
    assertComplete(index);
    assertColumns(index);
  }

  @Test
  void mergesTakeTheImportAway() throws IOException {
    StockIndex stock = writeStock(PLAIN);
    importAll(index);
    try (OffloadDirectory directory = open(index)) {
      IndexWriterConfig config =
          stock.config(new OffloadCodec()).setMergePolicy(new TieredMergePolicy());
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        writer.forceMerge(1);
      }
      assertEquals(List.of(), sidecars(index, "od."));
      assertEquals(
          2,
          ImageDirectory.find(directory).handle().volume().list().size(),
          "lists and columns of the merged segment");
    }
    assertOffloaded(QueryAnswers.ofStock(index, queries));
  }

  @Test
  void whatAStockWriterLeavesIsReclaimed() throws IOException {
    StockIndex stock = writeStock(PLAIN);
    importAll(index);
    IndexWriterConfig config =
        stock.config(StockIndex.codec(random, false)).setMergePolicy(new TieredMergePolicy());
    try (Directory plain = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(plain, config)) {
      writer.forceMerge(1);
    }
    assertFalse(sidecars(index, "od.").isEmpty());
    List<String> expected = QueryAnswers.ofStock(index, queries);
    assertEquals(0, assertAnswers(expected));
    openForWriting(index).close();
    assertEquals(List.of(), sidecars(index, "od."));
    importAll(index);
    assertOffloaded(expected);
  }

  @Test
  void addIndexesOfAnImportedIndex() throws IOException {
    StockIndex stock = writeStock(PLAIN);
    importAll(index);
    Path target = temp.resolve("target");
    IndexWriterConfig config = stock.config(new OffloadCodec());
    try (OffloadDirectory from = open(index);
        OffloadDirectory to = open(target);
        DirectoryReader reader = DirectoryReader.open(from);
        IndexWriter writer = new IndexWriter(to, config)) {
      writer.addIndexes(from); // segments as they are: their lists stay behind
      List<CodecReader> readers = new ArrayList<>();
      for (LeafReaderContext leaf : reader.leaves()) {
        readers.add((CodecReader) leaf.reader());
      }
      writer.addIndexes(readers.toArray(CodecReader[]::new)); // a merge
    }
    index = target;
    List<String> expected = QueryAnswers.ofStock(index, queries);
    assertTrue(assertAnswers(expected) > 0);
    importAll(index);
    assertOffloaded(expected);
  }

  @Test
  void readersThatAreOpenMeanwhile() throws IOException {
    writeStock(PLAIN);
    List<String> expected = QueryAnswers.ofStock(index, queries);
    try (OffloadDirectory directory = OffloadDirectory.open(index, DEVICE);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher before = new OffloadIndexSearcher(reader);
      assertEquals(expected, QueryAnswers.of(before, queries));
      importAll(index);
      assertEquals(expected, QueryAnswers.of(before, queries));
      assertEquals(0, directory.stats().get(Counter.LEAVES_OFFLOADED));
      assertOffloaded(expected, directory, reader);
    }
  }

  @Test
  void filteredReaders() throws IOException {
    StockIndex.Shape shape = new StockIndex.Shape(2, 600, false, true, false, true, true);
    writeStock(shape);
    importAll(index);
    try (OffloadDirectory directory = OffloadDirectory.open(index, DEVICE);
        DirectoryReader plain = DirectoryReader.open(directory)) {
      DirectoryReader soft = new SoftDeletesDirectoryReaderWrapper(plain, StockIndex.SOFT_DELETES);
      assertOffloaded(QueryAnswers.of(new IndexSearcher(soft), queries), directory, soft);
      // This one shows terms of its own.
      DirectoryReader exitable = ExitableDirectoryReader.wrap(plain, () -> false);
      long before = directory.stats().get(Counter.LEAVES_OFFLOADED);
      assertEquals(
          QueryAnswers.of(new IndexSearcher(exitable), queries),
          QueryAnswers.of(new OffloadIndexSearcher(exitable), queries));
      assertEquals(before, directory.stats().get(Counter.LEAVES_OFFLOADED));
    }
  }

  @Test
  void whileAWriterIsOpen() throws IOException {
    StockIndex stock = writeStock(PLAIN);
    try (OffloadDirectory directory = open(index);
        IndexWriter writer = new IndexWriter(directory, stock.config(new OffloadCodec()))) {
      stock.change(writer);
      importAll(index);
      writer.commit();
      stock.add(writer);
    }
    List<String> expected = QueryAnswers.ofStock(index, queries);
    assertOffloaded(expected);
  }

  @Test
  void anIndexThatWasWrittenWithoutADevice() throws IOException {
    StockIndex stock = new StockIndex(random, PLAIN);
    try (OffloadDirectory directory = OffloadDirectory.open(index, "host")) {
      stock.write(directory, new OffloadCodec());
    }
    List<String> expected = QueryAnswers.ofStock(index, queries);
    assertEquals(0, assertAnswers(expected));
    importAll(index);
    assertOffloaded(expected);
    assertComplete(index);
    assertColumns(index);
  }

  @Test
  void aDeviceThatIsFull() throws IOException {
    writeStock(new StockIndex.Shape(2, 2000, false, false, false, false, false));
    String small = "sim:capacity=192k,dram=32m,sessions=16";
    List<String> expected = QueryAnswers.ofStock(index, queries);
    long bytes;
    try (OffloadDirectory directory = OffloadDirectory.open(index, small, STRICT)) {
      MaintenanceReport report = IndexImport.run(directory, MaintenanceProgress.NONE);
      // A segment whose posting lists have room, but not its columns, is both.
      int written = report.segmentsWritten();
      assertTrue(report.leftOut().size() + written >= 2, report.toString());
      assertFalse(report.leftOut().isEmpty(), report.toString());
      assertTrue(report.leftOut().get(0).contains("full"), report.toString());
      assertEquals(written, sidecars(index, "odp").size());
      assertEquals(written, sidecars(index, "odh").size());
      assertEquals(
          sidecars(index, "od[pv]").size(),
          ImageDirectory.find(directory).handle().volume().list().size());
      bytes = report.bytes();
    }
    assertTrue(bytes < 192 << 10);
    try (OffloadDirectory directory = OffloadDirectory.open(index, small);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(expected, QueryAnswers.of(new OffloadIndexSearcher(reader), queries));
    }
  }

  @Test
  void whatCannotBeImported() throws IOException {
    try (OffloadDirectory directory = open(index)) {
      assertThrows(
          IndexNotFoundException.class, () -> IndexImport.run(directory, MaintenanceProgress.NONE));
    }
    writeStock(PLAIN);
    try (OffloadDirectory directory = OffloadDirectory.open(index, "host")) {
      IOException refused =
          assertThrows(
              IOException.class, () -> IndexImport.run(directory, MaintenanceProgress.NONE));
      assertTrue(refused.getMessage().contains("has no device"), refused.getMessage());
    }
    try (OffloadDirectory directory = OffloadDirectory.open(index, DEVICE + ",readonly=true")) {
      IOException refused =
          assertThrows(
              IOException.class, () -> IndexImport.run(directory, MaintenanceProgress.NONE));
      assertTrue(refused.getMessage().contains("reading only"), refused.getMessage());
    }
  }
}
