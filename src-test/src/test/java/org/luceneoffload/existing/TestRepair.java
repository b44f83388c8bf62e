/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.KeepOnlyLastCommitDeletionPolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SnapshotDeletionPolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.LockObtainFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.QuickRun;
import org.luceneoffload.maintain.IndexDetach;
import org.luceneoffload.maintain.IndexRepair;
import org.luceneoffload.maintain.MaintenanceProgress;
import org.luceneoffload.maintain.MaintenanceReport;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.volume.Volume;
import org.luceneoffload.store.volume.VolumeReader;

/** Whatever became of the device's lists, a repair brings them back, and no answer ever differs. */
class TestRepair extends ExistingIndexTestCase {
  private static final int LBA_BYTES = 4096;

  /** Where the lists came from. */
  enum Origin {
    WRITTEN,
    WRITTEN_COMPOUND,
    IMPORTED,
    BOTH
  }

  private StockIndex stock;
  private List<String> expected;

  private static List<Origin> origins() {
    return QuickRun.drawn(2, List.of(Origin.values()));
  }

  private void write(Origin origin) throws IOException {
    stock =
        new StockIndex(
            random,
            new StockIndex.Shape(
                2, 600, false, origin == Origin.WRITTEN_COMPOUND, false, false, true));
    if (origin == Origin.IMPORTED || origin == Origin.BOTH) {
      try (Directory plain = FSDirectory.open(index)) {
        stock.write(plain);
      }
      importAll(index);
    }
    if (origin != Origin.IMPORTED) {
      try (OffloadDirectory directory = open(index)) {
        stock.write(directory, new OffloadCodec());
      }
    }
    queries.addAll(QueryAnswers.phrases(seed, 10));
    expected = QueryAnswers.ofStock(index, queries);
    assertOffloaded(expected);
  }

  private Path store() {
    return index.resolve(STORE);
  }

  private static MaintenanceReport assertRepaired(MaintenanceReport report) {
    assertEquals(List.of(), report.leftOut());
    assertTrue(report.segmentsWritten() > 0, report.toString());
    return report;
  }

  /** Repairs, and asserts that everything is on the device again, once. */
  private MaintenanceReport repairAll() throws IOException {
    MaintenanceReport report = assertRepaired(repair(index));
    assertOffloaded(expected);
    assertComplete(index);
    assertEquals(expected, QueryAnswers.ofStock(index, queries));
    MaintenanceReport again = repair(index);
    assertEquals(again.segments(), again.segmentsPresent(), again.toString());
    try (OffloadDirectory directory = open(index);
        Stream<Path> files = Files.list(index)) {
      long stubs = files.filter(file -> file.toString().matches(".*\\.od[cpv]")).count();
      assertEquals(
          stubs,
          ImageDirectory.find(directory).handle().volume().list().size(),
          "no image is there twice");
    }
    return report;
  }

  @ParameterizedTest
  @MethodSource("origins")
  void aLostStore(Origin origin) throws IOException {
    write(origin);
    Files.delete(store());
    assertEquals(0, assertAnswers(expected));
    MaintenanceReport report = repairAll();
    assertEquals(report.segments(), report.segmentsWritten());
    if (origin != Origin.IMPORTED && origin != Origin.BOTH) {
      assertEquals(List.of(), sidecars(index, "od."), "made again in their places");
      assertColumns(index);
    }
  }

  /** Under a writer, for a reader that was opened before, and no file of the commit is touched. */
  @ParameterizedTest
  @MethodSource("origins")
  void aLostStoreOfAnOpenIndex(Origin origin) throws IOException {
    write(origin);
    Files.delete(store());
    Map<String, Long> files = luceneFiles(index);
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setIndexDeletionPolicy(
                new SnapshotDeletionPolicy(new KeepOnlyLastCommitDeletionPolicy()));
    try (OffloadDirectory directory = OffloadDirectory.open(index, DEVICE);
        IndexWriter writer = new IndexWriter(directory, config);
        DirectoryReader reader = DirectoryReader.open(writer)) {
      assertEquals(expected, QueryAnswers.of(new OffloadIndexSearcher(reader), queries));
      assertEquals(0, directory.stats().get(Counter.LEAVES_OFFLOADED));
      IndexCommit kept = ((SnapshotDeletionPolicy) config.getIndexDeletionPolicy()).snapshot();
      MaintenanceReport done =
          assertRepaired(IndexRepair.runBeside(directory, kept, true, MaintenanceProgress.NONE));
      assertEquals(done.segments(), done.segmentsWritten());
      long host = directory.stats().get(Counter.LEAVES_ON_HOST);
      assertEquals(expected, QueryAnswers.of(new OffloadIndexSearcher(reader), queries));
      assertTrue(directory.stats().get(Counter.LEAVES_OFFLOADED) > 0);
      assertEquals(host, directory.stats().get(Counter.LEAVES_ON_HOST), "host answered");
      assertEquals(files, luceneFiles(index));
      done = IndexRepair.runBeside(directory, kept, true, MaintenanceProgress.NONE);
      assertEquals(done.segments(), done.segmentsPresent(), "repaired twice");

      IndexDetach.Report gone = IndexDetach.runBeside(directory);
      assertTrue(gone.bytes() > 0 && gone.images() > 0, gone.toString());
      assertEquals(List.of(), sidecars(index, "od."));
      assertEquals(expected, QueryAnswers.of(new OffloadIndexSearcher(reader), queries));
    }
    assertEquals(0, assertAnswers(expected));
  }

  @ParameterizedTest
  @EnumSource(names = {"WRITTEN_COMPOUND", "BOTH"})
  void aTruncatedStore(Origin origin) throws IOException {
    write(origin);
    try (FileChannel channel = FileChannel.open(store(), StandardOpenOption.WRITE)) {
      channel.truncate(Files.size(store()) / 2 / LBA_BYTES * LBA_BYTES);
    }
    assertAnswers(expected);
    repairAll();
  }

  @ParameterizedTest
  @EnumSource(names = {"WRITTEN", "IMPORTED"})
  void flippedBits(Origin origin) throws IOException {
    write(origin);
    long first = firstImageByte();
    long bytes = Files.size(store()) - first;
    for (int round = 0; round < 3; round++) {
      flipBit(store(), first + random.nextLong(bytes));
      assertAnswers(expected);
    }
    boolean found = !check(index).problems().isEmpty();
    MaintenanceReport report = repair(index);
    assertTrue(!found || report.segmentsWritten() > 0, "what the check finds is repaired");
    assertOffloaded(expected);
    assertComplete(index);
  }

  /** Metadata of the volume come before its files. */
  private long firstImageByte() throws IOException {
    long first = Long.MAX_VALUE;
    try (OffloadDirectory directory = open(index)) {
      Volume volume = ImageDirectory.find(directory).handle().volume();
      for (String name : volume.list()) {
        try (VolumeReader file = volume.openFile(name)) {
          first = Math.min(first, file.extents().getFirst().lba() * LBA_BYTES);
        }
      }
    }
    return first;
  }

  @Test
  void anyFlippedBitOfAnImportedHash() throws IOException {
    write(Origin.IMPORTED);
    Path hash = sidecars(index, "odh").getFirst();
    byte[] good = Files.readAllBytes(hash);
    for (int round = 0; round < 8; round++) {
      flipBit(hash, random.nextLong(good.length));
      assertAnswers(expected);
      if (round % 4 == 0) {
        assertFalse(check(index).problems().isEmpty());
      }
      Files.write(hash, good);
    }
    assertOffloaded(expected);
    Files.write(hash, new byte[0]);
    assertAnswers(expected);
    repairAll();
  }

  @Test
  void aMissingHashOrStub() throws IOException {
    write(Origin.IMPORTED);
    Files.delete(sidecars(index, "odh").getFirst());
    assertAnswers(expected);
    Files.delete(sidecars(index, "odp").getLast());
    assertAnswers(expected);
    openForWriting(index).close();
    assertEquals(List.of(), sidecars(index, "od[hp]"), "halves are cleared away");
    assertEquals(4, sidecars(index, "od[mv]").size(), "columns do without lists");
    importAll(index);
    assertOffloaded(expected);
  }

  /** So is the term hash of a segment; answers come from the device meanwhile. */
  @Test
  void aTermHashOfASegment() throws IOException {
    write(Origin.WRITTEN);
    List<Path> hashes;
    try (Stream<Path> files = Files.list(index)) {
      hashes = files.filter(f -> f.getFileName().toString().matches("_.*[.]odh")).sorted().toList();
    }
    assertEquals(2, hashes.size());
    byte[] good = Files.readAllBytes(hashes.getFirst());
    for (int harm = 0; harm < 4; harm++) {
      switch (harm) {
        case 0 -> Files.delete(hashes.getFirst());
        case 1 -> Files.write(hashes.getFirst(), Arrays.copyOf(good, good.length / 2));
        case 2 -> flipBit(hashes.getFirst(), random.nextLong(good.length));
        default ->
            Files.copy(hashes.getLast(), hashes.getFirst(), StandardCopyOption.REPLACE_EXISTING);
      }
      assertOffloaded(expected);
      assertEquals(1, check(index).problems().size(), check(index).problems().toString());
      try (OffloadDirectory host = OffloadDirectory.open(index, "host");
          DirectoryReader reader = DirectoryReader.open(host)) {
        assertEquals(expected, QueryAnswers.of(new OffloadIndexSearcher(reader), queries));
      }
      assertEquals(expected, QueryAnswers.ofStock(index, queries));
      assertEquals(1, repairAll().segmentsWritten());
      assertArrayEquals(good, Files.readAllBytes(hashes.getFirst()));
    }
  }

  /** The stub of an image that the segment was written with is made again, too. */
  @ParameterizedTest
  @EnumSource(names = {"WRITTEN", "WRITTEN_COMPOUND", "BOTH"})
  void aMissingStubOfASegment(Origin origin) throws IOException {
    write(origin);
    List<Path> stubs;
    try (Stream<Path> files = Files.list(index)) {
      stubs = files.filter(f -> f.getFileName().toString().matches("_.*[.]odp")).toList();
    }
    assertFalse(stubs.isEmpty());
    for (Path stub : stubs) {
      Files.delete(stub);
    }
    assertAnswers(expected);
    repairAll();
  }

  @ParameterizedTest
  @EnumSource(names = {"WRITTEN", "BOTH"})
  void aCopyWithoutTheStore(Origin origin) throws IOException {
    write(origin);
    Path original = index;
    index = temp.resolve("copy");
    copyFiles(original, index, false);
    assertEquals(0, assertAnswers(expected));
    repairAll();
    index = original;
    assertOffloaded(expected);
  }

  @Test
  void aCopyWithTheStore() throws IOException {
    write(Origin.BOTH);
    Path original = index;
    index = temp.resolve("copy");
    copyFiles(original, index, true);
    assertOffloaded(expected);
    assertComplete(index);
  }

  @ParameterizedTest
  @EnumSource(names = {"WRITTEN_COMPOUND", "BOTH"})
  void detachedAndBack(Origin origin) throws IOException {
    write(origin);
    long size = Files.size(store());
    IndexDetach.Report report = IndexDetach.run(index, DEVICE);
    assertEquals(List.of(), report.leftOut());
    assertTrue(report.images() > 0 && report.bytes() > 0 && report.bytes() < size);
    assertTrue(report.storeRemoved());
    assertFalse(Files.exists(store()));
    assertEquals(List.of(), sidecars(index, "od."));
    assertEquals(0, assertAnswers(expected));
    assertEquals(expected, QueryAnswers.ofStock(index, queries));
    assertEquals(0, IndexDetach.run(index, DEVICE).images());

    MaintenanceReport repaired = repair(index);
    assertEquals(origin == Origin.BOTH, !repaired.leftOut().isEmpty(), repaired.toString());
    importAll(index);
    assertOffloaded(expected);
    assertComplete(index);
  }

  @Test
  void whileAReaderIsOpen() throws IOException {
    write(Origin.BOTH);
    try (OffloadDirectory directory = open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertOffloaded(expected, directory, reader);
      IndexDetach.Report report = IndexDetach.run(index, DEVICE);
      assertTrue(report.images() > 0);
      assertFalse(report.storeRemoved(), "somebody has it open");
      assertOffloaded(expected, directory, reader);
      try (DirectoryReader later = DirectoryReader.open(directory)) {
        OffloadIndexSearcher searcher = new OffloadIndexSearcher(later);
        searcher.setStrict(false);
        assertEquals(expected, QueryAnswers.of(searcher, queries));
      }
      assertRepairedWith(directory);
      importAll(index);
      try (DirectoryReader later = DirectoryReader.open(directory)) {
        assertOffloaded(expected, directory, later);
      }
    }
    assertOffloaded(expected);
  }

  private static void assertRepairedWith(OffloadDirectory directory) throws IOException {
    MaintenanceReport report = IndexRepair.run(directory, MaintenanceProgress.NONE);
    assertTrue(report.segmentsWritten() > 0, report.toString());
  }

  @Test
  void whileAWriterIsOpen() throws IOException {
    write(Origin.WRITTEN);
    List<Exception> refused = new ArrayList<>();
    try (OffloadDirectory directory = open(index);
        IndexWriter writer = new IndexWriter(directory, stock.config(new OffloadCodec()))) {
      refused.add(assertThrows(LockObtainFailedException.class, () -> repair(index)));
      refused.add(
          assertThrows(LockObtainFailedException.class, () -> IndexDetach.run(index, DEVICE)));
      stock.change(writer);
    }
    assertEquals(2, refused.size());
    expected = QueryAnswers.ofStock(index, queries);
    assertOffloaded(expected);
  }

  @Test
  void imagesOfOtherIndexesInTheStoreStay() throws IOException {
    Path shared = temp.resolve("shared.vol");
    String device = DEVICE + ",store=" + shared;
    Path other = Files.createDirectory(temp.resolve("other"));
    for (Path folder : List.of(index, other)) {
      try (OffloadDirectory directory = OffloadDirectory.open(folder, device)) {
        new StockIndex(random, PLAIN).write(directory, new OffloadCodec());
      }
    }
    IndexDetach.Report report = IndexDetach.run(index, device);
    assertTrue(report.images() > 0);
    assertFalse(report.storeRemoved());
    List<String> answers = QueryAnswers.ofStock(other, queries);
    try (OffloadDirectory directory = OffloadDirectory.open(other, device, STRICT);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertOffloaded(answers, directory, reader);
    }
    assertTrue(IndexDetach.run(other, device).storeRemoved());
    assertFalse(Files.exists(shared));
  }
}
