/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.store.volume.Extent;
import org.luceneoffload.store.volume.Volume;
import org.luceneoffload.store.volume.VolumeReader;

/**
 * A process that indexes is killed at any instant, again and again over the same index: the last
 * commit is there and complete, with its images, the device answers as stock does, and no space of
 * the volume is lost. {@code -Dfaults.kills=300} sets how often, {@code -Dtests.seed} replays the
 * instants as far as that goes.
 */
class TestKilled {
  static final String DEVICE = "sim:capacity=256m,dram=8m,sessions=8";

  private static final int KILLS = Processes.times("faults.kills", 4, 300);
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

  @TempDir Path folder;
  private final Random random = new Random(SEED);
  private final List<Query> queries = FaultIndex.queries(SEED).subList(0, 12);
  private long emptyFreeLbas;
  private long mostUsedLbas;
  private long leavesOffloaded;

  @Test
  void killed() throws Exception {
    System.out.println("seed of TestKilled: -Dtests.seed=" + SEED + " -Dfaults.kills=" + KILLS);
    try (OffloadDirectory directory = OffloadDirectory.open(folder, DEVICE)) {
      assertNull(directory.whyNoImages());
      emptyFreeLbas = ImageDirectory.find(directory).handle().volume().freeLbas();
    }
    long filesAtStart = Processes.openFiles();
    long before = 0;
    for (int kill = 0; kill < KILLS; kill++) {
      long reported = Math.max(before, runAndKill(random.nextLong()));
      before = check(reported, "kill " + kill);
      if (kill % 50 == 49) {
        System.out.println(
            (kill + 1)
                + " kills, commit "
                + before
                + ", at most "
                + mostUsedLbas
                + " LBAs used, "
                + leavesOffloaded
                + " segments of queries on the device, "
                + Processes.openFiles()
                + " files open, "
                + Processes.usedHeapMegabytes()
                + " MB heap");
      }
    }
    assertTrue(leavesOffloaded > 0 || before == 0);
    assertTrue(Processes.openFiles() <= filesAtStart + 5, "open files: " + Processes.openFiles());
  }

  /** Runs the child for a while; returns the number of the last commit that it reported, or 0. */
  private long runAndKill(long childSeed) throws Exception {
    Path errors = Files.createTempFile("killed", ".txt");
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                KilledChild.class.getName(),
                folder.toString(),
                Long.toString(childSeed))
            .redirectError(errors.toFile())
            .start();
    long last = 0;
    int linesUntilKill = random.nextInt(6);
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
      for (int i = 0; i <= linesUntilKill; i++) {
        String line = lines.readLine();
        if (line == null) {
          throw new AssertionError("the child ended by itself: " + Files.readString(errors));
        }
        last = line.startsWith("commit ") ? Long.parseLong(line.substring(7)) : last;
      }
      // Half of the kills come right after a commit, or the opening; the others anywhere.
      if (random.nextBoolean()) {
        TimeUnit.MICROSECONDS.sleep(random.nextInt(60_000));
      }
      // Not by the process itself: that would close the pipe, with what is still in it.
      child.toHandle().destroyForcibly();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        last = line.startsWith("commit ") ? Long.parseLong(line.substring(7)) : last;
      }
    } finally {
      child.destroyForcibly().waitFor();
      Files.delete(errors);
    }
    return last;
  }

  /** Checks what the kill left; returns the number of the commit that is there. */
  private long check(long reported, String kill) throws IOException {
    List<String> expected;
    long number;
    try (Directory plain = FSDirectory.open(folder)) {
      if (!DirectoryReader.indexExists(plain)) {
        assertEquals(0, reported, kill);
        return 0;
      }
      try (DirectoryReader reader = DirectoryReader.open(plain)) {
        Map<String, String> data = reader.getIndexCommit().getUserData();
        number = Long.parseLong(data.getOrDefault(KilledChild.NUMBER, "0"));
        assertTrue(
            number == reported || number == reported + 1,
            kill + ": commit " + reported + " was reported, " + number + " is there");
        if (number > 0) {
          assertEquals(Integer.parseInt(data.get(KilledChild.DOCS)), reader.numDocs(), kill);
        }
        for (LeafReaderContext leaf : reader.leaves()) {
          leaf.reader().checkIntegrity();
        }
        expected = FaultIndex.answers(new IndexSearcher(reader), queries);
      }
    }
    try (OffloadDirectory directory = OffloadDirectory.open(folder, DEVICE)) {
      Volume volume = ImageDirectory.find(directory).handle().volume();
      assertFalse(volume.isWritable(), kill);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
        assertEquals(expected, FaultIndex.answers(searcher, queries), kill);
        for (LeafReaderContext leaf : reader.leaves()) {
          leaf.reader().checkIntegrity();
        }
      }
      // The images of a commit are durable before it is.
      assertEquals(0, directory.stats().get(Counter.IMAGES_MISSING), kill);
      assertEquals(0, directory.stats().get(Counter.IMAGES_BAD), kill);
      assertEquals(0, directory.stats().get(Counter.LEAVES_FALLEN_BACK), kill);
      leavesOffloaded += directory.stats().get(Counter.LEAVES_OFFLOADED);
      assertNull(directory.whyNoImages(), kill + ": the store is still locked");
      // A writer deletes what belongs to no commit; the lock of the killed one is free.
      new IndexWriter(
              directory, new IndexWriterConfig(new StandardAnalyzer()).setCodec(new OffloadCodec()))
          .rollback();
      volume.sync();
      checkSpace(directory, volume, kill);
    }
    return number;
  }

  private void checkSpace(OffloadDirectory directory, Volume volume, String kill)
      throws IOException {
    int images = 0;
    for (String name : directory.listAll()) {
      images += ImageFiles.isImage(name) ? 1 : 0;
    }
    assertEquals(images, volume.list().size(), kill + ": " + volume.list());
    Set<Extent> extents = new HashSet<>();
    for (String name : volume.list()) {
      try (VolumeReader file = volume.openFile(name)) {
        extents.addAll(file.extents());
      }
    }
    long used = 0;
    for (Extent extent : extents) {
      used += extent.pageCount();
    }
    assertEquals(emptyFreeLbas, volume.freeLbas() + used, kill + ": LBAs are lost");
    mostUsedLbas = Math.max(mostUsedLbas, used);
    assertTrue(used < 2_000, kill + ": " + used + " LBAs used by a small index");
  }
}
