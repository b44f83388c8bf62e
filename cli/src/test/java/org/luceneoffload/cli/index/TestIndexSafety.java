/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.Lock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.ToolProcess;
import org.luceneoffload.cli.command.ExitCodes;

/** Indexing removes no file that its own run has not made. */
class TestIndexSafety {
  /** Far more than is read before the signal comes. */
  private static final int REPEATS = 4000;

  @TempDir private Path temp;
  private Path index;
  private Path corpus;
  private Path bad;

  @BeforeEach
  void writeFiles() throws IOException {
    index = temp.resolve("index");
    corpus = SmallCorpus.write(temp.resolve("c.jsonl"));
    bad = Files.writeString(temp.resolve("bad.jsonl"), SmallCorpus.lines(1, 20) + "nonsense\n");
  }

  static List<String> devices() {
    return CliRun.devices();
  }

  private Object[] args(String device, Object... corpora) {
    List<Object> args =
        new ArrayList<>(List.of("index", "--index", index, "--device", device, "--corpus"));
    args.addAll(List.of(corpora));
    return args.toArray();
  }

  private Set<String> files() {
    try (Stream<Path> files = Files.list(index)) {
      return files
          .map(f -> f.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    } catch (java.nio.file.NoSuchFileException e) {
      return Set.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"_notes.txt", "__init__.py", "_0.doc", "_1.tmp", "segments.xls", "_empty"})
  void aFileThatIsNoneOfAnIndexKeepsTheFolderRefused(String name) throws IOException {
    Files.createDirectory(index);
    Files.writeString(index.resolve(name), name.equals("_empty") ? "" : "dear diary");
    CliRun.of(args("host", bad)).fails(ExitCodes.FAILURE, "holds other files", name);
    CliRun.of(args("host", corpus)).fails(ExitCodes.FAILURE, "holds other files", name);
    assertEquals(Set.of(name), files());
  }

  @Test
  void aFileThatLuceneWouldDeleteIsToldEvenBesideAnIndex() throws IOException {
    CliRun.of(args("host", corpus)).ok();
    Files.writeString(index.resolve("_notes.txt"), "dear diary");
    Files.writeString(index.resolve("letter.txt"), "Lucene does not mind");
    Object[] append =
        Stream.concat(Stream.of(args("host", corpus)), Stream.of("--append")).toArray();
    CliRun.of(append).fails(ExitCodes.FAILURE, "_notes.txt", "Lucene would delete it");
    assertTrue(files().contains("_notes.txt"));
    Files.delete(index.resolve("_notes.txt"));
    CliRun.of(append).ok();
    assertTrue(files().contains("letter.txt"));
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aFolderThatWasThereStaysEmpty(String device) throws IOException {
    Files.createDirectory(index);
    CliRun.of(args(device, bad)).fails(ExitCodes.FAILURE, "bad.jsonl:21: ");
    assertEquals(Set.of(), files());
    CliRun.of(args(device, corpus)).ok();
  }

  @ParameterizedTest
  @MethodSource("devices")
  void anotherRunsFilesStay(String device) throws IOException {
    // As they are while a first run has committed nothing yet.
    Files.createDirectory(index);
    try (FSDirectory directory = FSDirectory.open(index);
        Lock held = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
      Files.write(index.resolve("_0.fdt"), new byte[] {0x3f, (byte) 0xd7, 0x6c, 0x17, 1, 2, 3});
      Files.write(index.resolve("offload.vol"), new byte[8192]);
      Set<String> before = files();
      CliRun.of(args(device, corpus)).fails(ExitCodes.FAILURE, "another process is writing");
      CliRun.of(args(device, bad)).fails(ExitCodes.FAILURE, "another process is writing");
      assertEquals(before, files());
      assertEquals(8192, Files.size(index.resolve("offload.vol")));
      held.ensureValid();
    }
  }

  @ParameterizedTest
  @MethodSource("devices")
  void twoProcessesAndASignal(String device) throws Exception {
    Object[] corpora = new Object[REPEATS];
    java.util.Arrays.fill(corpora, corpus);
    try (ToolProcess first = ToolProcess.start(temp, args(device, corpora))) {
      first.awaitRunning(() -> files().stream().anyMatch(f -> f.startsWith("_")));
      CliRun.of(args(device, bad)).fails(ExitCodes.FAILURE, "another process is writing");
      assertTrue(first.isAlive());
      assertTrue(files().contains(IndexWriter.WRITE_LOCK_NAME), files().toString());
      assertTrue(files().stream().anyMatch(f -> f.startsWith("_")), files().toString());
      first.interrupt();
      assertNotEquals(0, first.await());
      assertTrue(first.err().contains("interrupted; no index is made"), first.err());
      assertFalse(first.err().contains("\tat "), first.err());
      assertFalse(Files.exists(index), () -> files().toString());
    }
  }

  /** The lock is there, and no writer yet. */
  @Test
  void aSignalAtTheStart() throws Exception {
    Object[] corpora = new Object[REPEATS];
    java.util.Arrays.fill(corpora, corpus);
    try (ToolProcess run = ToolProcess.start(temp, args("host", corpora))) {
      run.awaitRunning(() -> Files.exists(index.resolve(IndexWriter.WRITE_LOCK_NAME)));
      run.interrupt();
      int code = run.await();
      assertTrue(code == 130 || code == 143, "exit code " + code); // SIGINT, SIGTERM
      assertTrue(run.err().contains("interrupted; no index is made"), run.err());
      assertFalse(Files.exists(index), () -> files().toString());
    }
  }

  @Test
  void aSignalLeavesAnEarlierIndexAsItWas() throws Exception {
    CliRun.of(args("host", corpus)).ok();
    Set<String> before = files();
    List<Object> args = new ArrayList<>(List.of(args("host", corpus)));
    for (int i = 1; i < REPEATS; i++) {
      args.add(corpus);
    }
    args.add("--append");
    try (ToolProcess append = ToolProcess.start(temp, args.toArray())) {
      append.awaitRunning(() -> !files().equals(before));
      append.interrupt();
      assertNotEquals(0, append.await());
      assertTrue(append.err().contains("is as it was before"), append.err());
    }
    assertEquals(before, files());
  }
}
