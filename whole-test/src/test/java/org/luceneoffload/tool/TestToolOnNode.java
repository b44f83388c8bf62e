/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.cli.OffloadCli;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.nvme.tcp.CsdTarget;

/** The tool's commands over indexes that lie on a storage node with all their files. */
class TestToolOnNode {
  private static final int DOCUMENTS = 500;

  @TempDir static Path home;
  private static CsdTarget target;
  private static Path corpus;

  /** What a run of the tool gave: its exit code, and what it printed of both kinds. */
  private record Run(int code, String text) {
    Run is(int expected) {
      assertEquals(expected, code, text);
      return this;
    }

    Run says(String wanted) {
      assertTrue(text.contains(wanted), "no \"" + wanted + "\" in: " + text);
      return this;
    }
  }

  @BeforeAll
  static void start() throws IOException {
    target = new CsdTarget(home, "--capacity", "64M", "--dram", "16M");
    Random random = new Random(7);
    corpus = home.resolve("corpus.jsonl");
    Files.writeString(
        corpus,
        IntStream.range(0, DOCUMENTS)
            .mapToObj(
                i ->
                    String.format(
                        Locale.ROOT,
                        "{\"id\": \"d%d\", \"title\": \"Title %d\", \"body\": \"%s\"}\n",
                        i,
                        i,
                        words(random)))
            .collect(Collectors.joining()));
    offload("node", "--create", index("other") + ",claim=empty").is(ExitCodes.OK).says("is made");
  }

  @AfterAll
  static void stop() {
    target.close();
  }

  private static String words(Random random) {
    return random
        .ints(20, 0, 30)
        .mapToObj(i -> "w" + i * random.nextInt(2))
        .collect(Collectors.joining(" "));
  }

  private static Run offload(Object... args) {
    StringWriter printed = new StringWriter();
    PrintWriter writer = new PrintWriter(printed);
    int code =
        OffloadCli.execute(
            writer, writer, Stream.of(args).map(Object::toString).toArray(String[]::new));
    return new Run(code, printed.toString());
  }

  /** With time for each command: a drive that others use may need it. */
  private static String index(String name) {
    return "csd:" + target.node() + "/" + name + ",timeout=60000";
  }

  @Test
  void anIndexIsWrittenSearchedCheckedAndDeleted() throws IOException {
    String index = index("articles");
    offload("index", "--index", index, "--corpus", corpus, "--device-timeout", 60)
        .is(ExitCodes.OK)
        .says("500 documents");
    offload("node", "csd:" + target.node()).is(ExitCodes.OK).says("articles").says("other");
    // The device and stock Lucene have the same answer, over files and lists of the node.
    offload("search", "--index", index, "--on", "both", "+w3 +w5")
        .is(ExitCodes.OK)
        .says("identical");
    offload("search", "--index", index, "--placement", "dynamic", "--on", "both", "w3 w7")
        .is(ExitCodes.OK)
        .says("identical");
    offload("explain", "--index", index, "+w3 +w5").is(ExitCodes.OK);
    offload("check", "--index", index).is(ExitCodes.OK);
    Path queries = Files.writeString(home.resolve("queries.txt"), "+w3 +w5\nw2 w9\n+w1 -w4\n");
    offload(
            "bench",
            "--index",
            index,
            "--queries",
            queries,
            "--rounds",
            1,
            "--warmup",
            1,
            "--strict")
        .is(ExitCodes.OK)
        .says("csd:" + target.node());
    Path cache = home.resolve("cache");
    offload("search", "--index", index, "--cache-folder", cache, "--on", "both", "+w3 +w5")
        .is(ExitCodes.OK)
        .says("identical");
    assertTrue(Files.exists(cache), "the folder for the cache was not used");

    offload("search", "--index", index, "--device", "sim", "w3")
        .is(ExitCodes.USAGE)
        .says("--device");
    offload("bench", "--cold", "--index", index, "--queries", corpus)
        .is(ExitCodes.USAGE)
        .says("--cold");
    offload("detach", "--index", index).is(ExitCodes.USAGE).says("nothing to detach");

    offload("node", "--delete", index).is(ExitCodes.OK).says("is deleted");
    offload("node", "--delete", index).is(ExitCodes.FAILURE).says("is not there");
    offload("search", "--index", index, "+w3").is(ExitCodes.FAILURE).says("articles");
  }

  @Test
  void whatIsWrongIsNamed() {
    String node = "csd:" + target.node();
    offload("node", node + "/.hidden", "--create").is(ExitCodes.USAGE).says(".hidden");
    offload("node", "--create", index("other")).is(ExitCodes.FAILURE).says("is there already");
    offload("node", "sim/x").is(ExitCodes.USAGE).says("\"sim\" is no storage node");
    offload("node", "csd:127.0.0.1:1").is(ExitCodes.FAILURE).says("127.0.0.1:1");
    offload("search", "--index", node + "/", "w3").is(ExitCodes.USAGE).says("NAME");
    offload("search", "--index", index("never-made"), "w3")
        .is(ExitCodes.FAILURE)
        .says("never-made");
  }
}
