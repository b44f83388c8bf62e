/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.node;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.LockObtainFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.OffloadOptions.IndexCache;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.volume.Volume;
import org.luceneoffload.store.volume.VolumeReader;

/** Files on a node: what they hold, what is cached of them, what a crash or damage leaves. */
class TestNodeDirectory {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final int CRASHES =
      Integer.getInteger("faults.crashes", Boolean.getBoolean("tests.long") ? 2_000 : 60);
  private static final int BEGINNERS = 2;
  private static final int BEGUN = 600;
  private static final int BIG = 3 * 64 * NodePage.PAYLOAD + 1234;

  private final Random random = new Random(SEED);

  @TempDir Path folder;

  private static OffloadDirectory open(RamBlockDevice device, IndexCache cache) throws IOException {
    return OffloadDirectory.open(device, "i", OffloadOptions.DEFAULT.withIndexCache(cache));
  }

  private static OffloadDirectory open(RamBlockDevice device) throws IOException {
    return open(device, IndexCache.DEFAULT);
  }

  private byte[] write(Directory directory, String name, int length) throws IOException {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(bytes, length);
    }
    return bytes;
  }

  private static byte[] read(Directory directory, String name) throws IOException {
    try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
      byte[] bytes = new byte[(int) in.length()];
      in.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }

  private static Volume volume(Directory directory) {
    return ImageDirectory.find(directory).handle().volume();
  }

  @Test
  void filesOfAllSizes() throws IOException {
    System.out.println("seed of TestNodeDirectory: -Dtests.seed=" + SEED);
    RamBlockDevice device = new RamBlockDevice(1 << 12);
    int[] lengths = {
      0, 1, NodePage.PAYLOAD - 1, NodePage.PAYLOAD, NodePage.PAYLOAD + 1, BIG, 2 * NodePage.PAYLOAD
    };
    byte[][] contents = new byte[lengths.length][];
    try (OffloadDirectory directory = open(device)) {
      for (int i = 0; i < lengths.length; i++) {
        contents[i] = write(directory, "_" + i + ".dat", lengths[i]);
        assertArrayEquals(contents[i], read(directory, "_" + i + ".dat"));
      }
      directory.sync(Arrays.asList(directory.listAll()));
    }
    try (OffloadDirectory directory = open(device)) {
      for (int i = 0; i < lengths.length; i++) {
        assertEquals(lengths[i], directory.fileLength("_" + i + ".dat"));
        assertArrayEquals(contents[i], read(directory, "_" + i + ".dat"), lengths[i] + " bytes");
      }
      try (IndexInput in = directory.openInput("_5.dat", IOContext.DEFAULT)) {
        readAtRandom(in, contents[5]);
      }
    }
  }

  /** Reads of all kinds, at random places, also across pages, in slices and clones. */
  private void readAtRandom(IndexInput in, byte[] expected) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(expected).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 2_000; i++) {
      int page = NodePage.PAYLOAD * (1 + random.nextInt(expected.length / NodePage.PAYLOAD - 1));
      int at =
          random.nextBoolean() ? random.nextInt(expected.length - 8) : page - random.nextInt(9);
      IndexInput source = random.nextInt(3) == 0 ? in.clone() : in;
      source.seek(at);
      var slice = in.randomAccessSlice(at / 2, expected.length - at / 2);
      int within = at - at / 2;
      switch (random.nextInt(4)) {
        case 0 -> {
          assertEquals(bytes.getLong(at), source.readLong());
          assertEquals(bytes.getLong(at), slice.readLong(within));
        }
        case 1 -> {
          assertEquals(bytes.getInt(at), source.readInt());
          assertEquals(bytes.getInt(at), slice.readInt(within));
        }
        case 2 -> {
          assertEquals(bytes.getShort(at), source.readShort());
          assertEquals(bytes.getShort(at), slice.readShort(within));
        }
        default -> {
          byte[] some = new byte[random.nextInt(expected.length - at)];
          source.readBytes(some, 0, some.length);
          assertArrayEquals(Arrays.copyOfRange(expected, at, at + some.length), some);
          assertEquals(at + some.length, source.getFilePointer());
        }
      }
    }
    in.prefetch(0, expected.length);
  }

  /** Small files take no LBA, and a commit's worth of them no write but that of the file table. */
  @Test
  void smallFilesArePacked() throws IOException {
    RamBlockDevice device = new RamBlockDevice(1 << 14);
    try (OffloadDirectory directory = open(device)) {
      write(directory, "_0.first", 10);
      directory.sync(List.of("_0.first"));
      long free = volume(directory).freeLbas();
      long written = device.lbasWritten();
      for (int i = 0; i < 50; i++) {
        write(directory, "_" + i + ".si", 100);
      }
      directory.sync(Arrays.asList(directory.listAll()));
      assertEquals(free, volume(directory).freeLbas());
      assertTrue(device.lbasWritten() - written <= 3, device.lbasWritten() - written + " LBAs");
      // When the file table has no more room for them, they go into pages.
      for (int i = 50; i < 300; i++) {
        write(directory, "_" + i + ".si", 2_000);
      }
      directory.sync(Arrays.asList(directory.listAll()));
      assertTrue(volume(directory).freeLbas() < free);
    }
  }

  @Test
  void theCacheIsBoundedAndKeepsWhatIsUsed() throws IOException {
    RamBlockDevice device = new RamBlockDevice(1 << 13);
    try (OffloadDirectory directory = open(device)) {
      write(directory, "_0.big", 1500 * NodePage.PAYLOAD);
      write(directory, "_0.hot", 10 * NodePage.PAYLOAD);
      directory.sync(List.of("_0.big"));
    }
    try (OffloadDirectory directory = open(device, new IndexCache(1 << 20, null, 0));
        IndexInput hot = directory.openInput("_0.hot", IOContext.DEFAULT);
        IndexInput big = directory.openInput("_0.big", IOContext.DEFAULT)) {
      byte[] bytes = new byte[(int) hot.length()];
      for (int i = 0; i < 3; i++) {
        hot.clone().readBytes(bytes, 0, bytes.length);
      }
      byte[] part = new byte[NodePage.PAYLOAD];
      for (int at = 0; at < 1500; at++) {
        big.seek((long) at * part.length);
        big.readBytes(part, 0, part.length);
        if (at % 100 == 0) {
          hot.clone().readBytes(bytes, 0, bytes.length);
        }
      }
      NodeCache cache =
          ImageDirectory.find(directory)
              .handle()
              .attachment(NodeCache.class, handle -> new NodeCache(IndexCache.DEFAULT, null));
      assertTrue(cache.size() <= 256, cache.size() + " pages");
      long read = directory.stats().get(Counter.NODE_PAGES_READ);
      hot.clone().readBytes(bytes, 0, bytes.length);
      assertEquals(read, directory.stats().get(Counter.NODE_PAGES_READ), "driven out by a scan");
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void theFolderOutlivesTheProcess() throws IOException {
    RamBlockDevice device = new RamBlockDevice(1 << 12);
    IndexCache cache = IndexCache.DEFAULT.withFolder(folder.resolve("cache"), 4 << 20);
    byte[] bytes;
    try (OffloadDirectory directory = open(device)) {
      bytes = write(directory, "_0.dat", 200 * NodePage.PAYLOAD);
      directory.sync(List.of("_0.dat"));
    }
    try (OffloadDirectory directory = open(device, cache)) {
      assertArrayEquals(bytes, read(directory, "_0.dat"));
    }
    Path file = folder.resolve("cache").resolve("pages.cache");
    assertTrue(Files.size(file) <= 4 << 20);
    // It holds what the node keeps for its owner alone.
    assertEquals("rw-------", permissions(file));
    assertEquals("rwx------", permissions(file.getParent()));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    try (OffloadDirectory directory = open(device, cache)) {
      assertArrayEquals(bytes, read(directory, "_0.dat"));
      assertTrue(directory.stats().get(Counter.NODE_PAGES_FROM_FOLDER) > 100);
    }
    assertEquals("rw-------", permissions(file));
    byte[] junk = new byte[(int) Files.size(file)];
    random.nextBytes(junk);
    Files.write(file, junk);
    try (OffloadDirectory directory = open(device, cache)) {
      assertArrayEquals(bytes, read(directory, "_0.dat"));
      assertEquals(0, directory.stats().get(Counter.NODE_PAGES_FROM_FOLDER));
    }
  }

  @Test
  void damageIsFound() throws IOException {
    RamBlockDevice device = new RamBlockDevice(1 << 12);
    long lba;
    try (OffloadDirectory directory = open(device)) {
      write(directory, "_0.dat", 3 * NodePage.PAYLOAD);
      directory.sync(List.of("_0.dat"));
      try (VolumeReader reader = volume(directory).openFile("i/_0.dat")) {
        lba = reader.extents().getFirst().lba();
      }
    }
    device.lba(lba + 1)[random.nextInt(NodePage.BYTES)] ^= (byte) (1 << random.nextInt(8));
    try (OffloadDirectory directory = open(device)) {
      CorruptIndexException failure =
          assertThrows(CorruptIndexException.class, () -> read(directory, "_0.dat"));
      assertTrue(failure.getMessage().contains("page 1"), failure.getMessage());
    }
    // Two pages change places: each has its checksum.
    byte[] first = device.lba(lba).clone();
    System.arraycopy(device.lba(lba + 2), 0, device.lba(lba), 0, NodePage.BYTES);
    System.arraycopy(first, 0, device.lba(lba + 2), 0, NodePage.BYTES);
    try (OffloadDirectory directory = open(device)) {
      assertNotThere(directory);
    }
    // The store was cut off: nobody has deleted the file.
    Arrays.fill(device.lba(lba), (byte) 0);
    try (OffloadDirectory directory = open(device)) {
      assertNotThere(directory);
    }
  }

  private static void assertNotThere(OffloadDirectory directory) {
    CorruptIndexException failure =
        assertThrows(CorruptIndexException.class, () -> read(directory, "_0.dat"));
    assertTrue(failure.getMessage().contains("cut off or altered"), failure.getMessage());
  }

  @Test
  void namesAreChecked() throws IOException {
    RamBlockDevice device = new RamBlockDevice(1 << 10);
    for (String name : List.of("", "a/b", "../x", ".a", "ä", "a b", "x".repeat(65))) {
      assertThrows(
          IllegalArgumentException.class,
          () -> OffloadDirectory.open(device, name, OffloadOptions.DEFAULT),
          name);
    }
    for (String name : List.of("sim:/i", "sim", "/tmp/x", "nothing:node/i")) {
      assertFalse(NodeName.isOne(name), name);
      assertThrows(IllegalArgumentException.class, () -> OffloadDirectory.open(name), name);
    }
  }

  @Test
  void severalIndexes() throws IOException {
    RamBlockDevice device = new RamBlockDevice(1 << 12);
    try (OffloadDirectory a = OffloadDirectory.open(device, "a", OffloadOptions.DEFAULT);
        OffloadDirectory b = OffloadDirectory.open(device, "a.b", OffloadOptions.DEFAULT)) {
      byte[] ofA = write(a, "_0.dat", 10);
      byte[] ofB = write(b, "_0.dat", 10_000);
      assertArrayEquals(ofA, read(a, "_0.dat"));
      assertArrayEquals(ofB, read(b, "_0.dat"));
      assertEquals(List.of("_0.dat"), List.of(a.listAll()));
      NodeIndexes.create(volume(a), "empty");
      assertEquals(
          List.of(
              new NodeIndexes.Summary("a", 1, 10),
              new NodeIndexes.Summary("a.b", 1, 10_000),
              new NodeIndexes.Summary("empty", 0, 0)),
          NodeIndexes.list(volume(b)));
      a.deleteFile("_0.dat");
      assertTrue(NodeIndexes.exists(volume(a), "a"));
      NodeIndexes.forget(volume(a), "a");
      assertFalse(NodeIndexes.exists(volume(a), "a"));
      try (var lock = a.obtainLock("write.lock")) {
        lock.ensureValid();
        assertThrows(LockObtainFailedException.class, () -> a.obtainLock("write.lock"));
        b.obtainLock("write.lock").close();
      }
      a.obtainLock("write.lock").close();
    }
  }

  /** The threads of a writer make their first files at once: each of them may find no index yet. */
  @Test
  void threadsBeginAnIndexAtOnce() throws Exception {
    RamBlockDevice device = new RamBlockDevice(1 << 12);
    try (OffloadDirectory directory = open(device);
        ExecutorService threads = Executors.newFixedThreadPool(BEGINNERS)) {
      write(directory, "_0.dat", 10); // the volume is writable
      Volume volume = volume(directory);
      AtomicInteger arrived = new AtomicInteger(); // spun upon: nothing else is as simultaneous
      Queue<IOException> failures = new ConcurrentLinkedQueue<>();
      Runnable begin =
          () -> {
            for (int index = 0; index < BEGUN; index++) {
              arrived.incrementAndGet();
              while (arrived.get() < (index + 1) * BEGINNERS) {
                Thread.onSpinWait();
              }
              try {
                NodeIndexes.note(volume, "i" + index);
              } catch (IOException e) {
                failures.add(e);
              }
            }
          };
      List<Future<?>> beginners = new ArrayList<>();
      for (int i = 0; i < BEGINNERS; i++) {
        beginners.add(threads.submit(begin));
      }
      for (Future<?> beginner : beginners) {
        beginner.get();
      }
      assertNull(failures.peek());
      assertEquals(BEGUN + 1, NodeIndexes.list(volume).size());
    }
  }

  private static void add(IndexWriter writer, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      Document document = new Document();
      document.add(new StringField("id", Integer.toString(i), Field.Store.YES));
      document.add(new TextField("body", "word w" + i % 7 + " v" + i % 3, Field.Store.NO));
      writer.addDocument(document);
    }
  }

  private static IndexWriterConfig config() {
    return new IndexWriterConfig(new StandardAnalyzer()).setCodec(new OffloadCodec());
  }

  private static Set<String> ids(Directory directory) throws IOException {
    Set<String> ids = new TreeSet<>();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      for (int doc = 0; doc < reader.maxDoc(); doc++) {
        ids.add(reader.storedFields().document(doc).get("id"));
      }
    }
    return ids;
  }

  /** Whenever power fails, the index is as a commit left it that returned, or as one under way. */
  @Test
  void aCrashLeavesACommit() throws IOException {
    System.out.println("seed of TestNodeDirectory: -Dtests.seed=" + SEED);
    RamBlockDevice device = new RamBlockDevice(1 << 12);
    int[] commits = new int[5];
    try (OffloadDirectory directory = open(device);
        IndexWriter writer = new IndexWriter(directory, config())) {
      for (int i = 0; i < commits.length; i++) {
        add(writer, 100 * i, 100 * (i + 1));
        if (i == 3) {
          writer.forceMerge(1);
        }
        writer.commit();
        commits[i] = device.journalSize();
      }
    }
    for (int crash = 0; crash < CRASHES; crash++) {
      int at = commits[0] + random.nextInt(device.journalSize() - commits[0] + 1);
      int committed = 0;
      while (committed < commits.length && commits[committed] <= at) {
        committed++;
      }
      RamBlockDevice left = device.crashedAfter(at, random);
      try (OffloadDirectory directory = open(left)) {
        int found = ids(directory).size();
        assertTrue(
            found == 100 * committed || found == 100 * (committed + 1),
            "crash at " + at + ": " + found + " documents, " + committed + " commits");
        try (CheckIndex check = new CheckIndex(directory)) {
          assertTrue(check.checkIndex().clean, "crash at " + at);
        }
        try (IndexWriter writer = new IndexWriter(directory, config())) {
          writer.deleteDocuments(new Term("body", "w0"));
          add(writer, 1000, 1010);
          writer.commit();
        }
        assertTrue(ids(directory).size() >= 10);
      }
    }
  }
}
