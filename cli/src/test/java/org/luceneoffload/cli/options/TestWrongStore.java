/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.options;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.command.ExitCodes;

/** A store that is not what it should be: the message names the file, and what is wrong with it. */
class TestWrongStore {
  @TempDir private static Path temp;

  private static Path index;

  @BeforeAll
  static void anIndex() throws IOException {
    assumeTrue(CliRun.devices().contains("sim"), "the native library is not there");
    index = temp.resolve("index");
    index(index);
  }

  private static void index(Path index) throws IOException {
    Path corpus = temp.resolve("c.jsonl");
    Files.writeString(corpus, SmallCorpus.lines(7, 50));
    CliRun.of("index", "--index", index, "--corpus", corpus, "--threads", 1).ok();
  }

  private static CliRun search(Path store) {
    return run("search", store, "--strict", "w1");
  }

  private static CliRun run(String command, Path store, String... more) {
    Object[] args = new Object[more.length + 5];
    args[0] = command;
    args[1] = "--index";
    args[2] = index;
    args[3] = "--device";
    args[4] = "sim:store=" + store;
    System.arraycopy(more, 0, args, 5, more.length);
    return CliRun.of(args);
  }

  @Test
  void aStoreThatIsNotThere() {
    Path none = temp.resolve("nowhere/none.vol");
    search(none).fails(ExitCodes.FAILURE, "its store " + none + " does not exist");
    String explained = run("explain", none, "w1").ok().out();
    assertTrue(explained.contains(none + " does not exist"), explained);
    String checked = run("check", none).ok().out();
    assertTrue(checked.contains(none + " does not exist"), checked);
    assertFalse(Files.exists(none.getParent()), "who only reads makes nothing");
  }

  @Test
  void aFolder() {
    search(temp).fails(ExitCodes.FAILURE, temp.toString(), "a folder");
  }

  @Test
  void theStoreOfAnotherIndex() throws IOException {
    Path other = temp.resolve("other");
    index(other);
    Path store = other.resolve("offload.vol");
    search(store).fails(ExitCodes.FAILURE, "its store " + store + " holds volume ");
  }

  @Test
  void anEmptyStore() throws IOException {
    Path empty = Files.createFile(temp.resolve("empty.vol"));
    search(empty).fails(ExitCodes.FAILURE, "its store " + empty + " is empty");
  }

  @Test
  void aStoreThatMayNotBeRead() throws IOException {
    Path secret = Files.copy(index.resolve("offload.vol"), temp.resolve("secret.vol"));
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
    assumeTrue(!Files.isReadable(secret), "this user may read every file");
    search(secret).fails(ExitCodes.FAILURE, secret.toString(), "Permission denied");
  }
}
