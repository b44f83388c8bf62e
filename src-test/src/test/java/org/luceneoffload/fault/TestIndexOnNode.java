/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.store.NoLockFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;
import org.luceneoffload.maintain.node.NodeAdmin;
import org.luceneoffload.nvme.tcp.CsdDeviceProvider;
import org.luceneoffload.nvme.tcp.CsdTarget;
import org.luceneoffload.report.OffloadStats.Counter;

/**
 * An index of which all files are on a storage node: answers are stock's, another host sees whole
 * commits, and a node that is killed loses none.
 */
class TestIndexOnNode {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

  /** A drive that others use may take its time to write what was written. */
  private static final String PATIENCE = ",timeout=60000";

  private static final OffloadOptions PATIENT =
      OffloadOptions.DEFAULT.withDeviceTimeout(Duration.ofMinutes(1));

  @TempDir Path folder;
  private final List<Query> queries = FaultIndex.queries(SEED).subList(0, 12);

  private CsdTarget node() throws IOException {
    System.out.println("seed of TestIndexOnNode: -Dtests.seed=" + SEED);
    return new CsdTarget(folder, "--capacity", "1G", "--dram", "32M");
  }

  private static String name(CsdTarget node) {
    return "csd:" + node.node() + "/an-index,claim=empty" + PATIENCE;
  }

  /** A device of its own is to the node what another host is. */
  private Device host(CsdTarget node, String options) throws IOException {
    return new CsdDeviceProvider().open(node.node() + options + PATIENCE, folder);
  }

  private static IndexWriterConfig config() {
    return new IndexWriterConfig().setCodec(new OffloadCodec());
  }

  /** What stock Lucene answers over so many documents. */
  private List<String> stock(int documents) throws IOException {
    try (ByteBuffersDirectory plain = new ByteBuffersDirectory()) {
      try (IndexWriter writer = new IndexWriter(plain, new IndexWriterConfig())) {
        FaultIndex.add(writer, SEED, documents);
        writer.forceMerge(1);
      }
      try (DirectoryReader reader = DirectoryReader.open(plain)) {
        return FaultIndex.answers(new IndexSearcher(reader), queries);
      }
    }
  }

  private static void add(OffloadDirectory directory, int documents) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config())) {
      FaultIndex.add(writer, SEED, documents);
      writer.forceMerge(1);
    }
  }

  @Test
  void anotherHostWithAnEmptyDisk() throws Exception {
    try (CsdTarget node = node()) {
      try (OffloadDirectory directory = OffloadDirectory.open(name(node))) {
        assertThrows(IndexNotFoundException.class, () -> DirectoryReader.open(directory));
        add(directory, 3_000);
      }
      List<String> expected = stock(3_000);
      try (Device device = host(node, ",readonly=true");
          OffloadDirectory directory =
              OffloadDirectory.open(device, "an-index", PATIENT.withStrict(true));
          DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(expected, FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
        assertTrue(directory.stats().get(Counter.LEAVES_OFFLOADED) > 0);
        assertEquals(0, directory.stats().get(Counter.LEAVES_FALLEN_BACK));
        assertEquals(expected, FaultIndex.answers(new IndexSearcher(reader), queries));
        assertThrows(IOException.class, () -> add(directory, 1));
      }
      assertEquals("an-index", NodeAdmin.list("csd:" + node.node()).getFirst().name());
      assertTrue(NodeAdmin.delete("csd:" + node.node() + "/an-index"));
      assertEquals(List.of(), NodeAdmin.list("csd:" + node.node()));
    }
  }

  /**
   * Each reader that another host opens meanwhile has the documents of some commit, all of them.
   */
  @Test
  void anotherHostSeesWholeCommits() throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    CountDownLatch opened = new CountDownLatch(1);
    try (CsdTarget node = node();
        OffloadDirectory directory = OffloadDirectory.open(name(node));
        IndexWriter writer = new IndexWriter(directory, config());
        ExecutorService thread = Executors.newSingleThreadExecutor()) {
      FaultIndex.add(writer, SEED, 100);
      writer.commit();
      Future<Integer> seen =
          thread.submit(
              () -> {
                int commits = 0;
                try (Device device = host(node, "");
                    OffloadDirectory other = OffloadDirectory.open(device, "an-index", PATIENT)) {
                  DirectoryReader reader = DirectoryReader.open(other);
                  opened.countDown();
                  while (!over.get() || commits == 0) {
                    assertEquals(0, reader.numDocs() % 100);
                    DirectoryReader next = DirectoryReader.openIfChanged(reader);
                    if (next != null) {
                      reader.close();
                      reader = next;
                      commits++;
                    }
                  }
                  assertThrows(
                      LockObtainFailedException.class, () -> other.obtainLock("write.lock"));
                  reader.close();
                }
                return commits;
              });
      while (!opened.await(10, TimeUnit.MILLISECONDS)) {
        assertFalse(seen.isDone(), "it could not open the index");
      }
      for (int i = 0; i < 12; i++) {
        FaultIndex.add(writer, SEED + i, 100);
        writer.commit();
      }
      over.set(true);
      assertTrue(seen.get() > 0);
    }
  }

  /** What a reader on another host has open stays as it is, however much is written after it. */
  @Test
  void filesThatAnotherHostReadsStay() throws Exception {
    try (CsdTarget node = node();
        OffloadDirectory directory = OffloadDirectory.open(name(node))) {
      add(directory, 3_000);
      List<String> expected = stock(3_000);
      try (Device device = host(node, "");
          OffloadDirectory other =
              OffloadDirectory.open(device, "an-index", PATIENT.withStrict(true));
          DirectoryReader reader = DirectoryReader.open(other)) {
        for (int i = 1; i < 4; i++) {
          try (IndexWriter writer = new IndexWriter(directory, config())) {
            writer.deleteAll();
            FaultIndex.add(writer, SEED + i, 2_000);
            writer.commit();
            writer.forceMerge(1);
          }
        }
        assertEquals(expected, FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
        assertEquals(expected, FaultIndex.answers(new IndexSearcher(reader), queries));
        try (CheckIndex check =
            new CheckIndex(other, NoLockFactory.INSTANCE.obtainLock(other, "l"))) {
          assertTrue(check.checkIndex().clean);
        }
        try (DirectoryReader next = DirectoryReader.openIfChanged(reader)) {
          assertEquals(2_000, next.numDocs());
        }
      }
    }
  }

  /** The writer of {@link #theWriterIsKilled}: adds documents and commits until it is killed. */
  static final class Writer {
    private Writer() {}

    /**
     * Runs it.
     *
     * @param args the index
     */
    public static void main(String[] args) throws IOException {
      try (OffloadDirectory directory = OffloadDirectory.open(args[0]);
          IndexWriter writer = new IndexWriter(directory, config())) {
        while (true) {
          FaultIndex.add(writer, SEED, 100);
          writer.commit();
          System.out.println(writer.getDocStats().numDocs);
        }
      }
    }
  }

  /** Another host goes on from the latest commit, once the lease of the dead one is over. */
  @Test
  void theWriterIsKilled() throws Exception {
    try (CsdTarget node = node()) {
      Path otherTemporary = Files.createDirectory(folder.resolve("another-host"));
      Process writing =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-Djava.io.tmpdir=" + otherTemporary,
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Writer.class.getName(),
                  name(node))
              .redirectError(folder.resolve("writer.log").toFile())
              .start();
      int committed = 0;
      try (OffloadDirectory directory = OffloadDirectory.open(name(node));
          BufferedReader out =
              new BufferedReader(
                  new InputStreamReader(writing.getInputStream(), StandardCharsets.US_ASCII))) {
        for (int i = 0; i < 4; i++) {
          committed = Processes.nextNumber(out, folder.resolve("writer.log"));
          try (DirectoryReader reader = DirectoryReader.open(directory)) {
            assertTrue(reader.numDocs() >= committed && reader.numDocs() % 100 == 0);
          }
        }
        LockObtainFailedException refusal =
            assertThrows(LockObtainFailedException.class, () -> directory.obtainLock("write.lock"));
        assertTrue(refusal.getCause().getMessage().contains("another writer"), refusal.toString());
        writing.destroyForcibly().waitFor();
        Lock lock = null;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (lock == null) {
          try {
            lock = directory.obtainLock("write.lock");
          } catch (LockObtainFailedException e) {
            assertTrue(System.nanoTime() < end, e.toString());
            TimeUnit.MILLISECONDS.sleep(50);
          }
        }
        lock.close();
        int found;
        try (DirectoryReader reader = DirectoryReader.open(directory);
            CheckIndex check = new CheckIndex(directory)) {
          found = reader.numDocs();
          assertTrue(found >= committed && found % 100 == 0, found + " of " + committed);
          assertTrue(check.checkIndex().clean);
        }
        try (IndexWriter writer = new IndexWriter(directory, config())) {
          FaultIndex.add(writer, SEED, 10);
        }
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          assertEquals(found + 10, reader.numDocs());
        }
      } finally {
        writing.destroyForcibly();
      }
    }
  }

  /** A search, a refresh and an opening that meet a node that is down wait for it. */
  @Test
  void theNodeIsKilledUnderAReader() throws Exception {
    List<String> expected = stock(3_000);
    try (CsdTarget node = node()) {
      try (OffloadDirectory directory = OffloadDirectory.open(name(node))) {
        add(directory, 3_000);
      }
      try (Device device = host(node, "");
          OffloadDirectory directory = OffloadDirectory.open(device, "an-index", PATIENT);
          DirectoryReader reader = DirectoryReader.open(directory);
          ExecutorService thread = Executors.newSingleThreadExecutor()) {
        node.kill();
        Future<List<String>> answers =
            thread.submit(() -> FaultIndex.answers(new IndexSearcher(reader), queries));
        TimeUnit.MILLISECONDS.sleep(300);
        node.start();
        assertEquals(expected, answers.get());
        assertEquals(expected, FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
        node.kill();
        Future<DirectoryReader> refreshed =
            thread.submit(() -> DirectoryReader.openIfChanged(reader));
        TimeUnit.MILLISECONDS.sleep(300);
        node.start();
        assertNull(refreshed.get());
        node.kill();
        Future<Integer> opened = thread.submit(() -> numDocs(node));
        TimeUnit.MILLISECONDS.sleep(300);
        node.start();
        assertEquals(3_000, opened.get());
      }
    }
  }

  private static int numDocs(CsdTarget node) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(name(node));
        DirectoryReader reader = DirectoryReader.open(directory)) {
      return reader.numDocs();
    }
  }

  /** What was committed is there; what was not fails to be, and says so. */
  @Test
  void theNodeIsKilledUnderAWriter() throws Exception {
    try (CsdTarget node = node()) {
      for (int round = 0; round < 2; round++) {
        int committed = 500 * (round + 1);
        IOException failure = null;
        try (OffloadDirectory directory = OffloadDirectory.open(name(node));
            IndexWriter writer = new IndexWriter(directory, config().setCommitOnClose(false))) {
          FaultIndex.add(writer, SEED + round, 500);
          writer.commit();
          FaultIndex.add(writer, SEED + 10 + round, 500);
          node.kill();
          try {
            writer.commit();
          } catch (IOException e) {
            failure = e;
          }
        } catch (IOException e) {
          failure = e;
        } finally {
          node.start();
        }
        assertNotNull(failure);
        try (OffloadDirectory directory = OffloadDirectory.open(name(node));
            DirectoryReader reader = DirectoryReader.open(directory);
            CheckIndex check = new CheckIndex(directory)) {
          assertEquals(committed, reader.numDocs());
          assertTrue(check.checkIndex().clean);
        }
      }
    }
  }
}
