/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.report.OffloadStats.Counter;

/**
 * The volume is full, or the file system under it: images are given up, the index is complete, and
 * when there is room again there are images again.
 */
class TestVolumeFull {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

  @TempDir Path folder;
  private final List<Query> queries = FaultIndex.queries(SEED).subList(0, 15);

  @Test
  void theVolumeIsFull() throws Exception {
    fillAndFree("sim:capacity=192k,dram=4m");
  }

  @Test
  void theFileSystemIsFull() throws Exception {
    Path mount = Files.createDirectory(folder.resolve("small"));
    if (!run("mount", "-t", "tmpfs", "-o", "size=160k", "tmpfs", mount.toString())) {
      System.out.println("TestVolumeFull.theFileSystemIsFull skipped: no file system mounts here");
      assumeTrue(false, "no file system mounts here");
    }
    try {
      fillAndFree("sim:capacity=1g,dram=4m,store=" + mount.resolve("offload.vol"));
    } finally {
      assertTrue(run("umount", mount.toString()));
    }
  }

  private static boolean run(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private void fillAndFree(String device) throws Exception {
    System.out.println("seed of TestVolumeFull: -Dtests.seed=" + SEED);
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setCodec(new OffloadCodec())
            .setMergePolicy(NoMergePolicy.INSTANCE);
    Path index = folder.resolve("index");
    try (OffloadDirectory directory = OffloadDirectory.open(index, device);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < 6; i++) {
        FaultIndex.add(writer, SEED + i, 1_000);
        writer.commit();
        compare(index, directory);
      }
      long dropped = directory.stats().get(Counter.IMAGES_DROPPED);
      assertTrue(dropped > 0, "nothing was dropped");
      assertTrue(directory.stats().get(Counter.IMAGES_WRITTEN) > 0);
      assertEquals(0, directory.stats().get(Counter.BREAKER_OPENED), "a full device is sound");
      assertTrue(
          directory.stats().reasons().keySet().stream().anyMatch(r -> r.contains("NO_SPACE")),
          directory.stats().reasons().toString());

      writer.deleteAll();
      FaultIndex.add(writer, SEED, 300);
      writer.commit();
      FaultIndex.add(writer, SEED + 1, 300);
      writer.commit();
      long written = directory.stats().get(Counter.IMAGES_WRITTEN);
      FaultIndex.add(writer, SEED + 2, 300);
      writer.commit();
      assertTrue(directory.stats().get(Counter.IMAGES_WRITTEN) > written, "no images again");
      compare(index, directory);
    }
    // What was given up is no trouble at the next start, unless somebody wants it to be.
    try (OffloadDirectory directory = OffloadDirectory.open(index, device)) {
      compare(index, directory);
      assertTrue(directory.stats().get(Counter.LEAVES_OFFLOADED) > 0);
    }
    OffloadOptions strict = OffloadOptions.DEFAULT.withStrict(true);
    try (OffloadDirectory directory = OffloadDirectory.open(index, device, strict);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertTrue(reader.numDocs() >= 900);
    }
  }

  private void compare(Path index, OffloadDirectory directory) throws IOException {
    List<String> expected = FaultIndex.stockAnswers(index, queries);
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(expected, FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
    }
  }
}
