/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.ToolProcess;
import org.luceneoffload.cli.command.ExitCodes;

/** An index that this user may read and not write. */
class TestReadOnlyIndex {
  private static final String LOCK = "write.lock";

  @TempDir private Path temp;
  private Path index;

  @BeforeEach
  void writeIndex() throws IOException {
    assumeTrue(CliRun.devices().contains("sim"), "the native library is not there");
    index = temp.resolve("index");
    Path corpus = temp.resolve("c.jsonl");
    Files.writeString(
        corpus, "{\"id\":1,\"body\":\"one two\"}\n{\"id\":2,\"body\":\"two three\"}\n");
    CliRun.of("index", "--index", index, "--corpus", corpus).ok();
  }

  @AfterEach
  void letItBeDeleted() throws IOException {
    permit("rwxr-xr-x", "rw-------");
  }

  private void permit(String folder, String file) throws IOException {
    Files.setPosixFilePermissions(index, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (Stream<Path> files = Files.list(index)) {
      for (Path path : files.toList()) {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(file));
      }
    }
    Files.setPosixFilePermissions(index, PosixFilePermissions.fromString(folder));
  }

  /** Words in front of a command that take from root what permissions do not give. */
  private static List<String> withoutPrivileges() throws Exception {
    boolean root = new ProcessBuilder("test", "-w", "/proc/1/oom_score_adj").start().waitFor() == 0;
    return root ? List.of("setpriv", "--bounding-set=-all", "--inh-caps=-all") : List.of();
  }

  private void forbidWriting() throws Exception {
    permit("r-xr-xr-x", "r--r--r--");
    List<String> probe = new ArrayList<>(withoutPrivileges());
    probe.addAll(List.of("sh", "-c", "test -r \"$0\" && ! touch \"$0/probe\"", index.toString()));
    int code;
    try {
      code = new ProcessBuilder(probe).start().waitFor();
    } catch (IOException e) {
      code = -1;
    }
    Files.deleteIfExists(index.resolve("probe"));
    assumeTrue(code == 0, "this user may write everywhere, and there is no setpriv to change it");
  }

  private ToolProcess run(Object... args) throws Exception {
    List<String> command = new ArrayList<>(withoutPrivileges());
    command.addAll(ToolProcess.command(args));
    return ToolProcess.startCommand(temp, command);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isChecked(boolean lockFile) throws Exception {
    if (!lockFile) {
      Files.deleteIfExists(index.resolve(LOCK));
    }
    forbidWriting();
    try (ToolProcess check = run("check", "--index", index)) {
      assertEquals(ExitCodes.OK, check.await(), check.err());
      assertTrue(check.out().contains("Checked without the index's write lock"), check.out());
      assertTrue(check.out().contains("no permission to make or write " + lock()), check.out());
      assertTrue(check.out().contains("Device lists: identical"), check.out());
    }
    try (ToolProcess check = run("check", "--index", index, "--json")) {
      assertEquals(ExitCodes.OK, check.await(), check.err());
      JsonNode report = JsonMapper.builder().build().readTree(check.out());
      assertTrue(report.get("without_lock").asText().contains(LOCK), report.toString());
      assertEquals(1, report.get("segments_compared").asInt(), report.toString());
    }
    assertEquals(lockFile, Files.exists(index.resolve(LOCK)));
  }

  private Path lock() throws IOException {
    return index.toRealPath().resolve(LOCK);
  }

  @Test
  void isLockedWhereItCanBe() {
    CliRun check = CliRun.of("check", "--index", index).ok();
    assertFalse(check.out().contains("without the index's write lock"), check.out());
    JsonNode report = CliRun.of("check", "--index", index, "--json").ok().json();
    assertFalse(report.hasNonNull("without_lock"), report.toString());
  }

  @Test
  void whatWritesSaysWhyItCannot() throws Exception {
    forbidWriting();
    for (String command : List.of("repair", "import", "detach")) {
      try (ToolProcess tool = run(command, "--index", index)) {
        assertEquals(ExitCodes.FAILURE, tool.await(), command + tool.out());
        assertTrue(tool.err().contains("cannot be written"), command + tool.err());
      }
    }
  }
}
