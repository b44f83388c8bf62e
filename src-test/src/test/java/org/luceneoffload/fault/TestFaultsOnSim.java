/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.NamedThreadFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.wire.OffloadException;

/**
 * Whatever happens to the device's store, the answer is stock Lucene's, or a clear error in strict
 * mode. {@code -Dtests.seed=<number>} replays a seed.
 */
class TestFaultsOnSim {
  private static final OffloadOptions STRICT = OffloadOptions.DEFAULT.withStrict(true);
  private static final int LBA_BYTES = 4096;

  @TempDir Path folder;
  private long seed;
  private Random random;
  private List<Query> queries;
  private List<String> expected;

  @BeforeEach
  void writeIndex() throws IOException {
    seed = Long.getLong("tests.seed", System.nanoTime());
    System.out.println("seed of TestFaultsOnSim: -Dtests.seed=" + seed);
    random = new Random(seed);
    FaultIndex.write(folder, seed);
    queries = FaultIndex.queries(seed);
    expected = FaultIndex.stockAnswers(folder, queries);
  }

  private Path store() {
    return folder.resolve(FaultIndex.STORE);
  }

  /** Asserts that the answers are stock's, and returns how many segments the device answered. */
  private long assertAnswers() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(folder, FaultIndex.DEVICE);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(expected, FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
      return directory.stats().get(Counter.LEAVES_OFFLOADED);
    }
  }

  private Exception assertStrictFails(Class<? extends Exception> type) {
    return assertThrows(
        type,
        () -> {
          try (Directory directory = OffloadDirectory.open(folder, FaultIndex.DEVICE, STRICT);
              DirectoryReader reader = DirectoryReader.open(directory)) {
            FaultIndex.answers(new OffloadIndexSearcher(reader), queries);
          }
        });
  }

  private void flipBit(long position) throws IOException {
    try (FileChannel channel =
        FileChannel.open(store(), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, position);
      one.put(0, (byte) (one.get(0) ^ 1 << random.nextInt(8)));
      channel.write(one.flip(), position);
    }
  }

  private void truncate(long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(store(), StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
    }
  }

  @Test
  void undamagedTheDeviceAnswers() throws IOException {
    assertTrue(assertAnswers() > 0);
  }

  @Test
  void flippedBits() throws IOException {
    long lbas = Files.size(store()) / LBA_BYTES;
    for (int round = 0; round < 4; round++) {
      for (int flip = 0; flip < 10; flip++) {
        flipBit(random.nextLong(lbas * LBA_BYTES));
      }
      assertAnswers();
    }
  }

  @Test
  void aFlippedBitInEveryPage() throws IOException {
    long lbas = Files.size(store()) / LBA_BYTES;
    for (long lba = 0; lba < lbas; lba++) {
      flipBit(lba * LBA_BYTES + random.nextInt(LBA_BYTES));
    }
    assertEquals(0, assertAnswers());
    assertStrictFails(Exception.class);
  }

  @Test
  void aTruncatedStore() throws IOException {
    long bytes = Files.size(store());
    truncate(bytes / 2 / LBA_BYTES * LBA_BYTES);
    assertAnswers();
    truncate(bytes / 3);
    assertAnswers();
    truncate(LBA_BYTES);
    assertEquals(0, assertAnswers());
    truncate(0);
    assertEquals(0, assertAnswers());
    assertStrictFails(UnsupportedOperationException.class);
  }

  @Test
  void aStoreTruncatedUnderAReader() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(folder, FaultIndex.DEVICE);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      truncate(LBA_BYTES);
      assertEquals(expected, FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
      assertTrue(directory.stats().get(Counter.LEAVES_FALLEN_BACK) > 0);
      OffloadIndexSearcher strict = new OffloadIndexSearcher(reader);
      strict.setStrict(true);
      assertThrows(Exception.class, () -> FaultIndex.answers(strict, queries));
    }
  }

  @Test
  void aLostStore() throws IOException {
    Files.delete(store());
    assertEquals(0, assertAnswers());
    assertStrictFails(UnsupportedOperationException.class);
  }

  @Test
  void aStoreThatIsSomethingElse() throws IOException {
    byte[] other = new byte[3 * LBA_BYTES];
    random.nextBytes(other);
    Files.write(store(), other);
    assertEquals(0, assertAnswers());
    Exception refusal = assertStrictFails(IOException.class);
    assertTrue(refusal.getMessage().contains("volume"), refusal.getMessage());
    assertEquals(ByteBuffer.wrap(other), ByteBuffer.wrap(Files.readAllBytes(store())));
  }

  @Test
  void aDeviceClosedUnderRunningQueries() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3, new NamedThreadFactory("searcher"));
    try (OffloadDirectory directory = OffloadDirectory.open(folder, FaultIndex.DEVICE);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      AtomicInteger rounds = new AtomicInteger();
      Callable<List<List<String>>> search =
          () -> {
            List<List<String>> answers = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
              answers.add(FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
              rounds.incrementAndGet();
            }
            return answers;
          };
      List<Future<List<List<String>>>> futures = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        futures.add(threads.submit(search));
      }
      while (rounds.get() < 3) {
        Thread.onSpinWait();
      }
      ImageDirectory.find(directory).handle().device().close();
      for (Future<List<List<String>>> future : futures) {
        for (List<String> answers : future.get()) {
          assertEquals(expected, answers);
        }
      }
      assertTrue(directory.stats().get(Counter.LEAVES_OFFLOADED) > 0);
      OffloadIndexSearcher strict = new OffloadIndexSearcher(reader);
      strict.setStrict(true);
      OffloadException closed =
          assertThrows(OffloadException.class, () -> strict.search(queries.get(0), 10));
      assertTrue(closed.getMessage().startsWith("CLOSED"), closed.getMessage());
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void anUnknownBackend() {
    IllegalArgumentException unknown =
        assertThrows(IllegalArgumentException.class, () -> OffloadDirectory.open(folder, "abacus"));
    assertTrue(unknown.getMessage().contains("abacus"), unknown.getMessage());
    assertTrue(unknown.getMessage().contains("sim"), unknown.getMessage());
  }

  @Test
  void noNativeLibrary() throws Exception {
    String missing = folder.resolve("nowhere.so").toString();
    assertEquals(expected, NoLibraryChild.run(folder, seed, missing, false));
    String failure = String.join("\n", NoLibraryChild.run(folder, seed, missing, true));
    assertTrue(failure.contains(missing), failure);
  }
}
