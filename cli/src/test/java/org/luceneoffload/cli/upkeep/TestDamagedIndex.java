/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.command.ExitCodes;

/**
 * Files that something happened to: of ours nothing is needed for an answer, and of Lucene's the
 * message names the one that is damaged.
 */
class TestDamagedIndex {
  /** What our files end with: term hashes, stubs, columns, the store and its page index. */
  private static final List<String> OURS = List.of(".odh", ".odp", ".odm", ".odv", ".vol", ".idx");

  private static final List<String> LUCENES = List.of(".tim", ".doc", ".fnm", ".si", "segments_2");

  /** What happens to a file. */
  enum Damage {
    DELETED,
    EMPTY,
    HALF,
    FLIPPED,
    ZEROED;

    void to(Path file) throws IOException {
      byte[] bytes = Files.readAllBytes(file);
      switch (this) {
        case DELETED -> {
          Files.delete(file);
          return;
        }
        case EMPTY -> bytes = new byte[0];
        case HALF -> bytes = Arrays.copyOf(bytes, bytes.length / 2);
        case FLIPPED -> bytes[bytes.length - 9] ^= 4; // within a footer, if there is one
        case ZEROED -> Arrays.fill(bytes, (byte) 0);
      }
      Files.write(file, bytes);
    }
  }

  @TempDir private static Path temp;

  private static Path whole;

  @BeforeAll
  static void anIndex() throws IOException {
    assumeTrue(CliRun.devices().contains("sim"), "the native library is not there");
    whole = temp.resolve("whole");
    index(whole, 1);
    index(whole, 2, "--force-merge", "1"); // what was merged is in files, not packed
  }

  private static void index(Path index, long seed, String... more) throws IOException {
    StringBuilder lines = new StringBuilder();
    int n = 0;
    for (String line : SmallCorpus.lines(seed, 100).split("\n")) {
      lines.append("{\"n\":").append(n++).append(',').append(line.substring(1)).append('\n');
    }
    Path corpus = Files.writeString(temp.resolve("c.jsonl"), lines);
    List<Object> args = new ArrayList<>(List.of("index", "--index", index, "--corpus", corpus));
    args.addAll(List.of("--append", "--threads", 1, "--field", "n:long"));
    args.addAll(List.of(more));
    CliRun.of(args.toArray()).ok();
  }

  private static Path copy(String name) throws IOException {
    Path copy = Files.createDirectory(temp.resolve(name));
    try (var files = Files.list(whole)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    return copy;
  }

  private static Path file(Path index, String suffix) throws IOException {
    try (var files = Files.list(index)) {
      return files.filter(f -> f.toString().endsWith(suffix)).findFirst().orElseThrow();
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofOursNothingIsNeeded(Damage damage) throws IOException {
    for (String suffix : OURS) {
      Path index = copy(damage + suffix);
      damage.to(file(index, suffix));
      CliRun run =
          CliRun.of("search", "--index", index, "--on", "both", "--sort", "n:desc", "w1", "w0 w5");
      assertTrue(run.ok().out().contains("identical"), run.out());
      CliRun check = CliRun.of("check", "--index", index);
      assertTrue(check.out().contains("Lucene's files: clean"), check.out() + check.err());
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofLucenesTheOneIsNamed(Damage damage) throws IOException {
    for (String suffix : LUCENES) {
      Path index = copy(damage + suffix);
      Path file = file(index, suffix);
      damage.to(file);
      boolean gone = damage == Damage.DELETED && suffix.startsWith("segments");
      CliRun.of("search", "--index", index, "w1")
          .fails(ExitCodes.FAILURE, gone ? "no segments file" : file.getFileName().toString());
    }
  }

  @Test
  void twoSegmentsThatHaveChangedPlaces() throws IOException {
    Path index = temp.resolve("two");
    for (int seed = 1; seed <= 2; seed++) {
      index(index, seed);
    }
    List<Path> stubs;
    try (var files = Files.list(index)) {
      stubs = files.filter(f -> f.toString().endsWith(".odp")).sorted().toList();
    }
    byte[] first = Files.readAllBytes(stubs.get(0));
    Files.write(stubs.get(0), Files.readAllBytes(stubs.get(1)));
    Files.write(stubs.get(1), first);
    CliRun run = CliRun.of("search", "--index", index, "--on", "both", "w1", "+w0 -w3");
    assertTrue(run.ok().out().contains("identical"), run.out());
    CliRun.of("search", "--index", index, "--strict", "w1").fails(ExitCodes.FAILURE, "odp");
    CliRun.of("repair", "--index", index).ok();
    CliRun.of("search", "--index", index, "--strict", "w1").ok();
  }
}
