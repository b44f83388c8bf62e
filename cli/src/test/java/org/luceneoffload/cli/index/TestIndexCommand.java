/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.index;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.luben.zstd.ZstdOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.SmallCorpus;
import org.luceneoffload.cli.command.ExitCodes;

class TestIndexCommand {
  @TempDir private Path temp;

  static java.util.List<String> devices() {
    return CliRun.devices();
  }

  private Path index() {
    return temp.resolve("index");
  }

  private CliRun index(Object corpus, Object... more) {
    Object[] first = {"index", "--index", index(), "--device", "host", "--corpus", corpus};
    Object[] all = Arrays.copyOf(first, first.length + more.length);
    System.arraycopy(more, 0, all, first.length, more.length);
    return CliRun.of(all);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(temp.resolve(name), text);
  }

  @ParameterizedTest
  @MethodSource("devices")
  void indexesAndReports(String device) throws IOException {
    Path corpus = SmallCorpus.write(temp.resolve("c.jsonl"));
    JsonNode report =
        CliRun.of(
                "index",
                "--index",
                index(),
                "--device",
                device,
                "--corpus",
                corpus,
                "--threads",
                "2",
                "--force-merge",
                "1",
                "--json")
            .ok()
            .json();
    assertEquals(SmallCorpus.DOCUMENTS, report.get("documents").asInt());
    assertEquals(SmallCorpus.DOCUMENTS, report.get("total_documents").asInt());
    assertEquals(Files.size(corpus), report.get("input_bytes").asLong());
    assertEquals(1, report.get("segments").asInt());
    assertEquals(index().toString(), report.get("index").asText());
    assertEquals(device, report.get("device").asText());
    assertTrue(report.get("docs_per_s").asDouble() > 0);
    boolean host = device.equals("host");
    assertEquals(!host, report.get("images_written").asLong() > 0, report.toString());
    assertEquals(0, report.get("images_dropped").asLong());
  }

  @Test
  void whatIsLeftOutIsSaid() throws IOException {
    Path mixed =
        file(
            "mixed.jsonl",
            "{\"id\":1,\"body\":\"a\",\"price\":\"x\"}\n{\"id\":1,\"body\":\"b\",\"price\":3}\n");
    CliRun guessed = index(mixed).ok();
    assertTrue(guessed.err().contains("field price is left out"), guessed.err());
    CliRun search =
        CliRun.of("search", "--index", index(), "--device", "host", "price:3 OR body:a").ok();
    assertTrue(search.err().contains("the index has no field price; it has body"), search.err());
    CliRun named = index(mixed, "--overwrite", "--field", "nosuch:long").ok();
    assertTrue(named.err().contains("no document has a value of field nosuch"), named.err());
    CliRun none = index(file("empty.jsonl", "\n"), "--overwrite").ok();
    assertTrue(none.err().contains("the corpus has no document"), none.err());
    CliRun good = index(SmallCorpus.write(temp.resolve("c.jsonl")), "--overwrite").ok();
    assertFalse(good.err().contains("warning"), good.err());
  }

  @Test
  void rangesThatEndBeforeTheyBeginAreNoted() throws IOException {
    index(file("n.jsonl", "{\"id\":1,\"body\":\"a\",\"n\":3,\"day\":\"2020-01-02\"}\n")).ok();
    for (String query : new String[] {"n:[5 TO 2]", "day:[2020-01-03 TO 2020-01-01]"}) {
      CliRun run = CliRun.of("search", "--index", index(), "--device", "host", query).ok();
      assertTrue(run.err().contains("ends before it begins"), run.err());
    }
    CliRun run = CliRun.of("search", "--index", index(), "--device", "host", "n:[2 TO 2]").ok();
    assertFalse(run.err().contains("note"), run.err());
  }

  @Test
  void oneThreadKeepsTheOrderOfTheInput() throws IOException {
    Path a = file("a.jsonl", SmallCorpus.lines(1, 700));
    Path b = file("b.jsonl", "{\"id\":7,\"body\":\"last\"}\n\n  \n");
    CliRun.of("index", "--index", index(), "--device", "host", "--corpus", a, b, "--threads", 1)
        .ok();
    try (FSDirectory directory = FSDirectory.open(index());
        IndexReader reader = DirectoryReader.open(directory)) {
      assertEquals(701, reader.numDocs());
      for (int doc = 0; doc < 700; doc++) {
        assertEquals("d" + doc, reader.storedFields().document(doc).get("id"));
      }
      Document last = reader.storedFields().document(700);
      assertEquals("7", last.get("id"));
      assertEquals("", last.get("title"));
      assertEquals(null, last.get("body"), "body is not stored");
    }
  }

  @Test
  void manyThreadsIndexTheSameDocuments() throws IOException {
    index(SmallCorpus.write(temp.resolve("c.jsonl")), "--threads", 4).ok();
    try (FSDirectory directory = FSDirectory.open(index());
        IndexReader reader = DirectoryReader.open(directory)) {
      Set<String> ids = new TreeSet<>();
      for (int doc = 0; doc < reader.maxDoc(); doc++) {
        ids.add(reader.storedFields().document(doc).get("id"));
      }
      assertEquals(SmallCorpus.DOCUMENTS, reader.maxDoc());
      assertEquals(SmallCorpus.DOCUMENTS, ids.size());
    }
  }

  @Test
  void readsGzipAndZstandard() throws IOException {
    String text = SmallCorpus.lines(3, 50);
    Path gzip = SmallCorpus.writeGzip(temp.resolve("c.jsonl.gz"), text);
    Path zstd = temp.resolve("c.jsonl.zst");
    try (OutputStream out = new ZstdOutputStream(Files.newOutputStream(zstd))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    index(gzip).ok();
    CliRun.of("index", "--index", temp.resolve("i2"), "--device", "host", "--corpus", gzip, zstd)
        .ok();
    try (FSDirectory directory = FSDirectory.open(temp.resolve("i2"));
        IndexReader reader = DirectoryReader.open(directory)) {
      assertEquals(100, reader.numDocs());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{\"id\":\"x\",\"body\":\"y\"  | not JSON",
        "nonsense | not JSON",
        "[1] | a JSON object is needed, not an array",
        "null | not null",
        "{\"body\":\"y\"} | field \"id\" is missing",
        "{\"id\":\"x\"} | field \"body\" is missing",
        "{\"id\":\"x\",\"body\":null} | field \"body\" is missing",
        "{\"id\":\"x\",\"body\":5} | field \"body\" must be a string, not a number",
        "{\"id\":1.5,\"body\":\"y\"} | field \"id\" must be a string",
        "{\"id\":\"x\",\"title\":[],\"body\":\"y\"} | field \"title\" must be a string",
        "{\"id\":\"x\",\"body\":\"y\"} trailing | not JSON",
        "{\"id\":\"x\",\"body\":\"y\"}{} | not JSON",
      })
  void aBadLineIsNamed(String line, String reason) throws IOException {
    Path corpus = file("c.jsonl", SmallCorpus.lines(4, 300) + line + "\n");
    index(corpus).fails(ExitCodes.FAILURE, corpus + ":301: ", reason);
    assertFalse(Files.exists(index()), "a failed run leaves no directory");
  }

  @Test
  void theEarliestWrongLineIsNamed() throws IOException {
    // Every line is wrong, and each of eight threads meets one at once.
    Path corpus = file("c.jsonl", "nonsense\n".repeat(5000));
    for (int i = 0; i < 20; i++) {
      index(corpus, "--threads", 8).fails(ExitCodes.FAILURE, corpus + ":1: not JSON");
    }
    Path utf16 = Files.writeString(temp.resolve("16"), SmallCorpus.lines(1, 1000), UTF_16);
    index(utf16, "--threads", 8).fails(ExitCodes.FAILURE, utf16 + ":1: not UTF-8");
    Path little = Files.writeString(temp.resolve("16le"), SmallCorpus.lines(1, 1000), UTF_16LE);
    index(little, "--threads", 8).fails(ExitCodes.FAILURE, little + ":1: not JSON");
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheText() throws IOException {
    index(file("c.jsonl", "\ufeff{\"id\":\"x\",\"body\":\"y\"}\n")).ok();
  }

  @Test
  void aLongBodyIsTakenAndALongIdIsNamed() throws IOException {
    String body = "word ".repeat(5_000_000); // 25 million characters
    index(file("long.jsonl", "{\"id\":\"x\",\"body\":\"" + body + "\"}\n")).ok();
    Path ids = file("ids.jsonl", "{\"id\":\"" + "\u00e4".repeat(20_000) + "\",\"body\":\"y\"}\n");
    Path other = temp.resolve("other");
    CliRun run = CliRun.of("index", "--index", other, "--device", "host", "--corpus", ids);
    run.fails(
        ExitCodes.FAILURE,
        ids + ":1: field \"id\" has 40,000 bytes, more than the 32,766 that Lucene takes");
    assertTrue(run.err().length() < 300, run.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"id\":\"x\",\"body\":[1,", "{\"id\":\"x\"", "{\"id\":01}"})
  void theParserSpeaksOfTheLineOnly(String line) throws IOException {
    CliRun run = index(file("c.jsonl", line + "\n"));
    run.fails(ExitCodes.FAILURE, "c.jsonl:1: not JSON (column ");
    assertFalse(run.err().contains("Source"), run.err());
    assertFalse(run.err().contains("`"), run.err());
  }

  @Test
  void tooDeepAnObjectIsNamed() throws IOException {
    CliRun run = index(file("c.jsonl", "[".repeat(5000) + "\n"));
    run.fails(ExitCodes.FAILURE, "c.jsonl:1: not JSON");
    assertFalse(run.err().contains("Constraints"), run.err());
  }

  @Test
  void brokenUtf8IsNamed() throws IOException {
    Path corpus = temp.resolve("c.jsonl");
    byte[] good = SmallCorpus.lines(4, 2).getBytes(StandardCharsets.UTF_8);
    byte[] bad = "{\"id\":\"x\",\"body\":\"\u00ff\"}\n".getBytes(StandardCharsets.ISO_8859_1);
    byte[] both = Arrays.copyOf(good, good.length + bad.length);
    System.arraycopy(bad, 0, both, good.length, bad.length);
    Files.write(corpus, both);
    index(corpus).fails(ExitCodes.FAILURE, corpus + ":3: ");
  }

  @Test
  void filesThatCannotBeReadAreNamed() throws IOException {
    Path missing = temp.resolve("missing.jsonl");
    index(missing).fails(ExitCodes.FAILURE, "no such file: " + missing);
    index(temp).fails(ExitCodes.FAILURE, "a directory, not a file: " + temp);
    index(file("c.gz", "plain")).fails(ExitCodes.FAILURE, "c.gz: not a gzip file");
    index(file("c.zst", "plain")).fails(ExitCodes.FAILURE, "c.zst: not a Zstandard file");
    index(file("empty.gz", "")).fails(ExitCodes.FAILURE, "empty.gz: not a gzip file");
    Path packed = SmallCorpus.writeGzip(temp.resolve("packed.jsonl"), "x");
    index(packed).fails(ExitCodes.FAILURE, "packed.jsonl: packed");
    assertFalse(Files.exists(index()));
  }

  @Test
  void cutOffFilesAreNamed() throws IOException {
    Path gzip = SmallCorpus.writeGzip(temp.resolve("c.gz"), SmallCorpus.lines(5, 3000));
    byte[] bytes = Files.readAllBytes(gzip);
    Files.write(gzip, Arrays.copyOf(bytes, bytes.length / 2));
    index(gzip).fails(ExitCodes.FAILURE, gzip + ": cannot be read after line ");
    bytes[bytes.length / 2] ^= 0x55;
    bytes[bytes.length / 2 + 1] ^= 0x55;
    Files.write(gzip, bytes);
    index(gzip).fails(ExitCodes.FAILURE, gzip.toString());
    Path zstd = temp.resolve("c.zst");
    try (OutputStream out = new ZstdOutputStream(Files.newOutputStream(zstd))) {
      out.write(SmallCorpus.lines(5, 3000).getBytes(StandardCharsets.UTF_8));
    }
    bytes = Files.readAllBytes(zstd);
    Files.write(zstd, Arrays.copyOf(bytes, bytes.length / 2));
    index(zstd).fails(ExitCodes.FAILURE, zstd + ": cannot be read after line ");
    assertFalse(Files.exists(index()));
  }

  @Test
  void anIndexIsNotReplacedByAccident() throws IOException {
    Path corpus = file("c.jsonl", SmallCorpus.lines(6, 20));
    index(corpus).ok();
    index(corpus).fails(ExitCodes.FAILURE, "holds an index already");
    assertEquals(
        40, index(corpus, "--append", "--json").ok().json().get("total_documents").asInt());
    assertEquals(
        20, index(corpus, "--overwrite", "--json").ok().json().get("total_documents").asInt());
    index(corpus, "--overwrite", "--append").fails(ExitCodes.USAGE, "exclude each other");
    Path bad = file("bad.jsonl", "nonsense\n");
    index(bad, "--overwrite").fails(ExitCodes.FAILURE, "bad.jsonl:1: ");
    assertEquals(
        40,
        index(corpus, "--append", "--json").ok().json().get("total_documents").asInt(),
        "a failed run leaves the earlier index as it was");
  }

  @Test
  void otherDirectoriesAndFilesAreLeftAlone() throws IOException {
    Path corpus = file("c.jsonl", SmallCorpus.lines(7, 5));
    Files.createDirectory(index());
    Files.writeString(index().resolve("letter.txt"), "dear");
    index(corpus).fails(ExitCodes.FAILURE, "holds other files", "letter.txt");
    index(corpus, "--overwrite").fails(ExitCodes.FAILURE, "letter.txt");
    Files.delete(index().resolve("letter.txt"));
    index(corpus).ok();
    CliRun.of("index", "--index", corpus, "--device", "host", "--corpus", corpus)
        .fails(ExitCodes.FAILURE, "it is a file: " + corpus);
  }

  @ParameterizedTest
  @MethodSource("devices")
  void aDeviceThatCannotBeWrittenIsNamed(String device) throws IOException {
    if (device.equals("host")) {
      return;
    }
    Path corpus = file("c.jsonl", SmallCorpus.lines(9, 5));
    CliRun.of("index", "--index", index(), "--device", device, "--corpus", corpus).ok();
    String readOnly = device + ":readonly=true";
    Object[] args = {
      "index", "--index", index(), "--device", readOnly, "--corpus", corpus, "--append"
    };
    CliRun.of(args).fails(ExitCodes.FAILURE, readOnly + " cannot be written");
  }

  @Test
  void aDeviceThatCannotBeOpenedIsNamedWithItsReason() throws IOException {
    assumeTrue(devices().contains("sim"), "the native library is not there");
    Path corpus = file("c.jsonl", SmallCorpus.lines(9, 5));
    CliRun run =
        CliRun.of("index", "--index", index(), "--device", "sim:capacity=4K", "--corpus", corpus);
    run.fails(ExitCodes.FAILURE, "device sim:capacity=4K cannot be opened: ");
    assertFalse(run.err().contains("another process"), run.err());
    assertFalse(Files.exists(index()));
  }

  @Test
  void wrongOptionsAreNamed() throws IOException {
    Path corpus = file("c.jsonl", SmallCorpus.lines(8, 5));
    index(corpus, "--threads", 0).fails(ExitCodes.USAGE, "--threads must be from 1 to 1024, not 0");
    index(corpus, "--threads", 100_000).fails(ExitCodes.USAGE, "--threads must be from 1 to 1024");
    index(corpus, "--force-merge", -1).fails(ExitCodes.USAGE, "--force-merge");
    index(corpus, "--threads", "many").fails(ExitCodes.USAGE, "--threads", "many");
    CliRun.of("index", "--index", index()).fails(ExitCodes.USAGE, "--corpus");
    CliRun.of("index", "--corpus", corpus).fails(ExitCodes.USAGE, "--index");
    CliRun.of("index", "--index", index(), "--corpus", corpus, "--device", "toaster")
        .fails(ExitCodes.USAGE, "toaster", "host");
    assertFalse(Files.exists(index()));
  }
}
