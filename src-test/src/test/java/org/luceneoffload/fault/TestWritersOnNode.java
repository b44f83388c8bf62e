/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockObtainFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.maintain.node.NodeAdmin;
import org.luceneoffload.nvme.tcp.CsdKeys;
import org.luceneoffload.nvme.tcp.CsdTarget;

/**
 * A node of two stores: hosts write to both at once, and one that is killed is nothing to others.
 */
class TestWritersOnNode {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());
  private static final String OTHER = "nqn.2026-11.org.luceneoffload:other";

  @TempDir Path folder;
  private final List<Query> queries = FaultIndex.queries(SEED).subList(0, 6);

  private CsdTarget node(String... more) throws IOException {
    System.out.println("seed of TestWritersOnNode: -Dtests.seed=" + SEED);
    String second = folder.resolve("other.vol").toString();
    List<String> options = new ArrayList<>();
    options.addAll(List.of("--capacity", "1G", "--dram", "32M"));
    options.addAll(List.of("--store", second, "--subsystem", OTHER, "--capacity", "512M"));
    options.addAll(List.of(more));
    return new CsdTarget(folder, options.toArray(String[]::new));
  }

  private static String name(CsdTarget node, String subsystem, String index) {
    // A drive that others use may take its time to write what was written.
    String options = ",claim=empty,timeout=60000,nqn=" + subsystem;
    return "csd:" + node.node() + "/" + index + options;
  }

  private static List<String> indexes(CsdTarget node, String subsystem) throws IOException {
    return NodeAdmin.list("csd:" + node.node() + ",nqn=" + subsystem).stream()
        .map(index -> index.name())
        .toList();
  }

  private static IndexWriterConfig config() {
    return new IndexWriterConfig().setCodec(new OffloadCodec());
  }

  private Process writer(String name) throws IOException {
    Path temporary = Files.createDirectories(folder.resolve("another-host"));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Djava.io.tmpdir=" + temporary,
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            TestIndexOnNode.Writer.class.getName(),
            name)
        .redirectError(folder.resolve("writer.log").toFile())
        .start();
  }

  @Test
  void aWriterIsKilledBesideAnother() throws Exception {
    try (CsdTarget node = node()) {
      String ours = name(node, node.subsystem(), "ours");
      String theirs = name(node, OTHER, "theirs");
      Process writing = writer(theirs);
      int committed = 0;
      int added = 0;
      try (OffloadDirectory directory = OffloadDirectory.open(ours);
          IndexWriter writer = new IndexWriter(directory, config());
          BufferedReader out =
              new BufferedReader(
                  new InputStreamReader(writing.getInputStream(), StandardCharsets.US_ASCII))) {
        for (int i = 0; i < 4; i++) {
          committed = Processes.nextNumber(out, folder.resolve("writer.log"));
          FaultIndex.add(writer, SEED + i, 50);
          writer.commit();
          added += 50;
        }
        writing.destroyForcibly().waitFor();
        try (OffloadDirectory other = OffloadDirectory.open(theirs)) {
          Lock lock = null;
          long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
          while (lock == null) {
            FaultIndex.add(writer, SEED + added, 50);
            writer.commit(); // as if nothing had been
            added += 50;
            try {
              lock = other.obtainLock("write.lock");
            } catch (LockObtainFailedException e) {
              assertTrue(System.nanoTime() < end, e.toString());
              TimeUnit.MILLISECONDS.sleep(50);
            }
          }
          lock.close();
          try (DirectoryReader reader = DirectoryReader.open(other);
              CheckIndex check = new CheckIndex(other)) {
            int found = reader.numDocs();
            assertTrue(found >= committed && found % 100 == 0, found + " of " + committed);
            assertTrue(check.checkIndex().clean);
          }
          assertThrows(
              LockObtainFailedException.class,
              () -> new IndexWriter(directory, config()).close(),
              "our own is held");
        }
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          assertEquals(added, reader.numDocs());
          assertEquals(
              FaultIndex.answers(new IndexSearcher(reader), queries),
              FaultIndex.answers(new OffloadIndexSearcher(reader), queries));
        }
      } finally {
        writing.destroyForcibly();
      }
      assertEquals(List.of("ours"), indexes(node, node.subsystem()));
      assertEquals(List.of("theirs"), indexes(node, OTHER));
    }
  }

  /** A host's key opens each of the stores, by their names. */
  @Test
  void keysAreGoodForAllStores() throws Exception {
    assumeTrue(CsdTarget.says("TLS 1.3"), "csd-target was built without OpenSSL");
    Path tls = CsdKeys.write(folder.resolve("tls"), CsdKeys.HOST, CsdKeys.TLS_KEY);
    String keys = ",tls-key-file=" + tls;
    try (CsdTarget node = node("--tls-key-file", tls.toString())) {
      for (String subsystem : List.of(node.subsystem(), OTHER)) {
        try (OffloadDirectory directory =
                OffloadDirectory.open(name(node, subsystem, "an-index") + keys);
            IndexWriter writer = new IndexWriter(directory, config())) {
          FaultIndex.add(writer, SEED, subsystem.equals(OTHER) ? 30 : 20);
        }
        try (OffloadDirectory directory =
                OffloadDirectory.open(name(node, subsystem, "an-index") + keys);
            DirectoryReader reader = DirectoryReader.open(directory)) {
          assertEquals(subsystem.equals(OTHER) ? 30 : 20, reader.numDocs());
        }
      }
    }
  }

  /** Who does not say which store is meant is told that there are several. */
  @Test
  void aStoreHasToBeNamed() throws Exception {
    try (CsdTarget node = node()) {
      IOException failure =
          assertThrows(
              IOException.class,
              () -> OffloadDirectory.open("csd:" + node.node() + "/an-index,claim=empty"));
      String told = failure.getMessage();
      assertTrue(told.contains("has 2 subsystems; nqn= says which"), told);
    }
  }
}
