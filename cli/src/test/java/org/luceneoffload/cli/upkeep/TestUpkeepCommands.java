/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import static org.apache.lucene.index.IndexWriterConfig.OpenMode.CREATE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.command.ExitCodes;

/** {@code import}, {@code repair} and {@code detach}. */
class TestUpkeepCommands {
  private static final String STORE = "offload.vol";
  private static final String[] QUERIES = {"+w1 +w2", "w3 w4 w5", "+w1 -w2"};

  @TempDir private Path temp;
  private Path index;

  @BeforeEach
  void writeStockIndex() throws IOException {
    assumeTrue(CliRun.devices().contains("sim"), "the native library is not there");
    index = temp.resolve("index");
    try (FSDirectory directory = FSDirectory.open(index);
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
      for (int i = 0; i < 8000; i++) {
        StringBuilder text = new StringBuilder();
        for (int word = 1; word < 50; word++) {
          text.append(i * 31 % word == 0 ? " w" + word : "");
        }
        Document document = new Document();
        document.add(new TextField("body", text.toString(), Field.Store.NO));
        writer.addDocument(document);
      }
    }
  }

  private CliRun run(String command, Object... more) {
    Object[] args = new Object[3 + more.length];
    args[0] = command;
    args[1] = "--index";
    args[2] = index;
    System.arraycopy(more, 0, args, 3, more.length);
    return CliRun.of(args);
  }

  private long leavesOffloaded() {
    Object[] more = new Object[QUERIES.length + 3];
    more[0] = "--on";
    more[1] = "both";
    more[2] = "--json";
    System.arraycopy(QUERIES, 0, more, 3, QUERIES.length);
    JsonNode report = run("search", more).ok().json();
    assertTrue(report.get("identical").asBoolean());
    return report.get("work").get("leaves_offloaded").asLong();
  }

  @Test
  void importSearchCheckDetachAndRepair() throws IOException {
    assertEquals(0, leavesOffloaded());
    JsonNode imported = run("import", "--json").ok().json();
    assertTrue(imported.get("ok").asBoolean());
    assertEquals(1, imported.get("segments_written").asInt());
    assertEquals(index.toString(), imported.get("index").asText());
    assertTrue(imported.get("postings").asLong() > 0 && imported.get("bytes").asLong() > 0);
    assertEquals(QUERIES.length, leavesOffloaded());
    JsonNode check = run("check", "--json").ok().json();
    assertTrue(check.get("identical").asBoolean());
    assertEquals(1, check.get("segments_compared").asInt());
    assertTrue(run("import").ok().out().contains("lists of 0 of 1 segment written, 1 had theirs"));

    Files.delete(index.resolve(STORE));
    assertEquals(0, leavesOffloaded());
    assertTrue(run("repair").ok().out().contains("lists of 1 of 1 segment written"));
    assertEquals(QUERIES.length, leavesOffloaded());

    JsonNode detached = run("detach", "--json").ok().json();
    assertEquals(1, detached.get("images").asInt());
    assertTrue(detached.get("store_removed").asBoolean());
    assertFalse(Files.exists(index.resolve(STORE)));
    assertEquals(0, leavesOffloaded());
    assertTrue(run("detach").ok().out().contains("no images on sim"));
    assertFalse(run("detach", "--json").ok().json().get("store_removed").asBoolean());
    assertFalse(Files.exists(index.resolve(STORE)));
    assertTrue(run("check").ok().out().contains("Device lists: none"));
  }

  @Test
  void backToAStockIndex() throws IOException {
    CliRun none = run("detach", "--codec", "stock").ok();
    assertTrue(none.out().contains("no segments of OffloadCodec; stock Lucene opens"), none.out());
    index = temp.resolve("ours");
    try (OffloadDirectory directory = OffloadDirectory.open(index, "sim");
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig().setCodec(new OffloadCodec()))) {
      Document document = new Document();
      document.add(new TextField("body", "w1 w2", Field.Store.NO));
      writer.addDocument(document);
    }
    assertEquals(0, run("detach", "--json").ok().json().get("segments_rewritten").asInt());
    CliRun done = run("detach", "--codec", "stock").ok();
    assertTrue(done.out().contains("1 segment written anew by the codec below"), done.out());
    assertEquals(1, run("import", "--json").ok().json().get("segments_written").asInt());
    run("detach", "--codec", "other").fails(ExitCodes.USAGE, "other", "KEEP", "STOCK");
  }

  @Test
  void aTermHashAloneIsRepaired() throws IOException {
    index = temp.resolve("ours");
    try (OffloadDirectory directory = OffloadDirectory.open(index, "sim");
        IndexWriter writer =
            new IndexWriter(
                directory,
                new IndexWriterConfig().setCodec(new OffloadCodec()).setUseCompoundFile(false))) {
      for (int i = 0; i < 3; i++) {
        Document document = new Document();
        document.add(new TextField("body", "w1 w2", Field.Store.NO));
        writer.addDocument(document);
      }
    }
    try (DirectoryStream<Path> hashes = Files.newDirectoryStream(index, "_*.odh")) {
      for (Path hash : hashes) {
        Files.delete(hash);
      }
    }
    CliRun repaired = run("repair").ok();
    assertTrue(
        repaired.out().contains("term hash of 1 of 1 segment written, 0 had theirs"),
        repaired.out());
    assertFalse(repaired.out().contains("postings"), repaired.out());
    assertEquals(0, run("repair", "--json").ok().json().get("hashes").asInt());
  }

  @Test
  void columns() throws IOException {
    try (FSDirectory directory = FSDirectory.open(index);
        IndexWriter writer =
            new IndexWriter(
                directory, new IndexWriterConfig(new StandardAnalyzer()).setOpenMode(CREATE))) {
      for (int i = 0; i < 500; i++) {
        Document document = new Document();
        document.add(new TextField("body", "w1 w2", Field.Store.NO));
        document.add(new NumericDocValuesField("number", i));
        document.add(new SortedDocValuesField("word", new BytesRef("k" + i % 7)));
        writer.addDocument(document);
      }
    }
    String imported = run("import").ok().out();
    assertTrue(imported.contains("lists or columns of 1 of 1 segment written"), imported);
    assertTrue(imported.contains("2 lists with 1,000 postings and 2 columns, "), imported);
    assertTrue(run("check").ok().out().contains("Columns: identical; 2 columns with 1,000 values"));

    try (DirectoryStream<Path> files = Files.newDirectoryStream(index, "*.odm")) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    CliRun damaged = run("check");
    assertEquals(ExitCodes.DIFFERENCE, damaged.code(), damaged.out());
    assertTrue(damaged.out().contains("Device lists: identical"), damaged.out());
    assertTrue(damaged.out().contains("Columns: 1 problem; 0 columns"), damaged.out());
    assertTrue(damaged.out().contains(".odm is missing"), damaged.out());
    String repaired = run("repair").ok().out();
    assertTrue(repaired.contains("columns of 1 of 1 segment written, 0 had theirs"), repaired);
    assertTrue(repaired.contains("2 columns, "), repaired);
    assertEquals(0, run("check", "--json").ok().json().get("column_problems").asInt());
    String detached = run("detach").ok().out();
    assertTrue(detached.contains("2 images (1 of columns), "), detached);
  }

  @Test
  void whatIsLeftOutIsNamed() {
    CliRun full = run("import", "--device", "sim:capacity=64k");
    assertEquals(ExitCodes.FAILURE, full.code(), full.out());
    assertTrue(full.out().contains("left out: segment _0: NO_SPACE"), full.out());
    CliRun never = run("repair");
    assertEquals(ExitCodes.FAILURE, never.code(), never.out());
    assertTrue(never.out().contains("never had device lists"), never.out());
  }

  @Test
  void errorsAreNamed() throws IOException {
    run("import", "--device", "host").fails(ExitCodes.USAGE, "host holds no posting lists");
    run("import", "--device", "toaster").fails(ExitCodes.USAGE, "toaster");
    run("detach").ok(); // which makes a store, and leaves none
    assertFalse(Files.exists(index.resolve(STORE)));
    run("import").ok();
    run("import", "--device", "sim:readonly=true")
        .fails(ExitCodes.FAILURE, "cannot be written", "reading only");
    CliRun.of("detach", "--index", temp.resolve("none")).fails(ExitCodes.FAILURE, "no such index");
    CliRun.of("repair", "--index", temp).fails(ExitCodes.FAILURE, "holds no segments file");
    try (FSDirectory directory = FSDirectory.open(index);
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
      assertTrue(writer.isOpen());
      run("repair").fails(ExitCodes.FAILURE, "writing the index");
      run("detach").fails(ExitCodes.FAILURE, "writing the index");
      run("import").ok();
    }
    Files.write(index.resolve(STORE), new byte[] {1, 2, 3, 4});
    run("repair").fails(ExitCodes.FAILURE, "sim");
    byte[] foreign = new byte[1 << 16];
    foreign[5] = 7;
    Files.write(index.resolve(STORE), foreign);
    run("repair").fails(ExitCodes.FAILURE, "offload.vol is damaged or not one", "remove the store");
  }
}
