/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.codec.ImageCheck;
import org.luceneoffload.codec.column.ColumnCheck;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.codec.column.DeviceColumns;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.maintain.IndexImport;
import org.luceneoffload.maintain.IndexRepair;
import org.luceneoffload.maintain.MaintenanceProgress;
import org.luceneoffload.maintain.MaintenanceReport;
import org.luceneoffload.report.OffloadStats.Counter;

/** A folder, a seed, queries, and ways to ask who answers them. */
abstract class ExistingIndexTestCase {
  static final String STORE = "offload.vol";
  static final String DEVICE = "sim:capacity=1g,dram=32m,sessions=16";
  static final OffloadOptions STRICT = OffloadOptions.DEFAULT.withStrict(true);
  static final StockIndex.Shape PLAIN =
      new StockIndex.Shape(2, 700, false, false, false, false, true);

  @TempDir Path temp;
  Path index;
  long seed;
  Random random;
  List<Query> queries;

  @BeforeEach
  final void prepare() throws IOException {
    seed = Long.getLong("tests.seed", System.nanoTime());
    System.out.println("seed of " + getClass().getSimpleName() + ": -Dtests.seed=" + seed);
    random = new Random(seed);
    queries = QueryAnswers.queries(seed, 40);
    index = Files.createDirectory(temp.resolve("index"));
  }

  /** Puts an index that is among the resources into the folder of the index. */
  final void unpack(String name) throws IOException {
    try (InputStream file =
            ExistingIndexTestCase.class.getResourceAsStream("/existing/" + name + ".zip");
        ZipInputStream zip = new ZipInputStream(file)) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Files.copy(zip, index.resolve(entry.getName()));
      }
    }
  }

  final StockIndex writeStock(StockIndex.Shape shape) throws IOException {
    StockIndex stock = new StockIndex(random, shape);
    try (Directory plain = FSDirectory.open(index)) {
      stock.write(plain);
    }
    return stock;
  }

  static OffloadDirectory open(Path index) throws IOException {
    return OffloadDirectory.open(index, DEVICE, STRICT);
  }

  /** Opens an index for writing, whereupon what a crash or others have left is cleared away. */
  static OffloadDirectory openForWriting(Path index) throws IOException {
    OffloadDirectory directory = open(index);
    assertNull(directory.whyNoImages());
    return directory;
  }

  static MaintenanceReport importAll(Path index) throws IOException {
    try (OffloadDirectory directory = open(index)) {
      MaintenanceReport report = IndexImport.run(directory, MaintenanceProgress.NONE);
      assertEquals(List.of(), report.leftOut());
      assertEquals(report.segments(), report.segmentsPresent() + report.segmentsWritten());
      return report;
    }
  }

  static MaintenanceReport repair(Path index) throws IOException {
    try (OffloadDirectory directory = open(index)) {
      return IndexRepair.run(directory, MaintenanceProgress.NONE);
    }
  }

  /** Asserts that stock's answers are given, and by the device alone. */
  final void assertOffloaded(List<String> expected) throws IOException {
    try (OffloadDirectory directory = open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertOffloaded(expected, directory, reader);
    }
  }

  final void assertOffloaded(
      List<String> expected, OffloadDirectory directory, DirectoryReader reader)
      throws IOException {
    long before = directory.stats().get(Counter.LEAVES_OFFLOADED);
    long host = directory.stats().get(Counter.LEAVES_ON_HOST);
    assertEquals(expected, QueryAnswers.of(new OffloadIndexSearcher(reader), queries));
    assertTrue(directory.stats().get(Counter.LEAVES_OFFLOADED) > before);
    assertEquals(host, directory.stats().get(Counter.LEAVES_ON_HOST), directory.stats().toString());
    assertEquals(0, directory.stats().get(Counter.LEAVES_FALLEN_BACK));
  }

  /** Asserts that stock's answers are given; returns how many segments the device answered. */
  final long assertAnswers(List<String> expected) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(index, DEVICE);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(expected, QueryAnswers.of(new OffloadIndexSearcher(reader), queries));
      return directory.stats().get(Counter.LEAVES_OFFLOADED);
    }
  }

  static ImageCheck.Result check(Path index) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(index, DEVICE);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      return ImageCheck.run(reader, (done, of) -> {});
    }
  }

  static void assertComplete(Path index) throws IOException {
    ImageCheck.Result result = check(index);
    assertEquals(List.of(), result.problems());
    assertEquals(List.of(), result.withoutImage());
    assertEquals(result.segments(), result.segmentsChecked());
    try (OffloadDirectory directory = OffloadDirectory.open(index, DEVICE);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      ColumnCheck.Result columns = ColumnCheck.run(reader);
      assertEquals(List.of(), columns.problems());
      assertEquals(List.of(), columns.unusable());
    }
  }

  /** Asserts that the fields of {@link StockIndex} have columns that can be used, everywhere. */
  static void assertColumns(Path index) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(index, DEVICE);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        for (String field : List.of("number", "value")) {
          DeviceColumn column = DeviceColumns.of(leaf.reader(), field);
          assertTrue(column != null && column.image().usable(), leaf + ", " + field);
        }
      }
    }
  }

  /** Names of the files in a folder, with their checksums; those of this library left out. */
  static Map<String, Long> luceneFiles(Path folder) throws IOException {
    Map<String, Long> files = new TreeMap<>();
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(folder)) {
      for (Path path : paths) {
        String name = path.getFileName().toString();
        if (!name.startsWith("offload") && !name.equals("write.lock")) {
          CRC32C crc = new CRC32C();
          crc.update(Files.readAllBytes(path));
          files.put(name, crc.getValue());
        }
      }
    }
    return files;
  }

  /** Names of the files that lie beside segments. */
  static List<Path> sidecars(Path folder, String extension) throws IOException {
    try (var paths = Files.list(folder)) {
      return paths
          .filter(path -> path.getFileName().toString().matches("offload-.*\\." + extension))
          .sorted()
          .toList();
    }
  }

  final void flipBit(Path file, long position) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, position);
      one.put(0, (byte) (one.get(0) ^ 1 << random.nextInt(8)));
      channel.write(one.flip(), position);
    }
  }

  static void copyFiles(Path from, Path to, boolean store) throws IOException {
    Files.createDirectories(to);
    try (DirectoryStream<Path> paths = Files.newDirectoryStream(from)) {
      for (Path path : paths) {
        if (store || !path.getFileName().toString().equals(STORE)) {
          Files.copy(path, to.resolve(path.getFileName()));
        }
      }
    }
  }
}
