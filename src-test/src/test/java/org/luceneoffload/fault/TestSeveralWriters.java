/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.store.NoLockFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;
import org.luceneoffload.maintain.node.NodeAdmin;
import org.luceneoffload.nvme.tcp.CsdDeviceProvider;
import org.luceneoffload.nvme.tcp.CsdTarget;

/**
 * Hosts that write at once to one store of a storage node, each to an index of its own: each index
 * has the documents of its own writer, whatever becomes of the others.
 */
class TestSeveralWriters {
  private static final long SEED = Long.getLong("tests.seed", System.nanoTime());

  /** A drive that others use may take its time to write what was written. */
  private static final String PATIENCE = ",claim=empty,timeout=60000";

  private static final OffloadOptions STRICT =
      OffloadOptions.DEFAULT.withStrict(true).withDeviceTimeout(Duration.ofMinutes(1));

  @TempDir Path folder;
  private final List<Query> queries = FaultIndex.queries(SEED).subList(0, 12);

  private CsdTarget node() throws IOException {
    System.out.println("seed of TestSeveralWriters: -Dtests.seed=" + SEED);
    return new CsdTarget(folder, "--capacity", "1G", "--dram", "32M");
  }

  /** A device of its own is to the node what another host is. */
  private Device host(CsdTarget node) throws IOException {
    return new CsdDeviceProvider().open(node.node() + PATIENCE, folder);
  }

  private static IndexWriterConfig config() {
    return inOrder().setCodec(new OffloadCodec());
  }

  /** Merges neighbours, so that documents keep their order whenever that is. */
  private static IndexWriterConfig inOrder() {
    return new IndexWriterConfig().setMergePolicy(new LogDocMergePolicy());
  }

  private static void mark(IndexWriter writer, String value) throws IOException {
    Document document = new Document();
    document.add(new StringField("mark", value, Field.Store.YES));
    writer.updateDocument(new Term("mark", value), document);
  }

  /** The same work on any directory: commits, deletes and merges. */
  private static void work(IndexWriter writer, long seed, int rounds) throws IOException {
    for (int i = 0; i < rounds; i++) {
      FaultIndex.add(writer, seed + i, 100);
      mark(writer, "latest");
      writer.deleteDocuments(new Term("body", "w" + (40 + i)));
      writer.commit();
      if (i % 2 == 1) {
        writer.forceMerge(2);
        writer.commit();
      }
    }
    writer.forceMerge(1);
    writer.commit();
  }

  private List<String> answers(Directory directory, boolean offloaded) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher searcher =
          offloaded ? new OffloadIndexSearcher(reader) : new IndexSearcher(reader);
      return FaultIndex.answers(searcher, queries);
    }
  }

  private List<String> stock(long seed, int rounds) throws IOException {
    try (ByteBuffersDirectory plain = new ByteBuffersDirectory()) {
      try (IndexWriter writer = new IndexWriter(plain, inOrder())) {
        work(writer, seed, rounds);
      }
      return answers(plain, false);
    }
  }

  private static void check(Directory directory) throws IOException {
    try (CheckIndex check =
        new CheckIndex(directory, NoLockFactory.INSTANCE.obtainLock(directory, "l"))) {
      assertTrue(check.checkIndex().clean);
    }
  }

  @Test
  void commitsInterleaved() throws Exception {
    int rounds = 3;
    try (CsdTarget node = node();
        Device first = host(node);
        Device second = host(node);
        Device third = host(node);
        OffloadDirectory articles = OffloadDirectory.open(first, "articles", STRICT);
        OffloadDirectory logs = OffloadDirectory.open(second, "logs", STRICT);
        OffloadDirectory articlesThere = OffloadDirectory.open(third, "articles", STRICT);
        OffloadDirectory logsThere = OffloadDirectory.open(third, "logs", STRICT);
        IndexWriter toArticles = new IndexWriter(articles, config());
        IndexWriter toLogs = new IndexWriter(logs, config());
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      // Strictly in turns first, so that each meets the other's table.
      for (int i = 0; i < 2; i++) {
        mark(toArticles, "turn " + i);
        toArticles.commit();
        mark(toLogs, "turn " + i);
        toLogs.commit();
      }
      LockObtainFailedException refusal =
          assertThrows(
              LockObtainFailedException.class, () -> articlesThere.obtainLock("write.lock"));
      assertTrue(
          refusal.getCause().getMessage().contains("index articles has a writer"),
          refusal.getCause().toString());
      toArticles.deleteAll();
      toLogs.deleteAll();
      List<Future<?>> working = new ArrayList<>();
      working.add(
          threads.submit(
              () -> {
                work(toArticles, SEED, rounds);
                return null;
              }));
      working.add(
          threads.submit(
              () -> {
                work(toLogs, SEED + 1000, rounds);
                return null;
              }));
      DirectoryReader seen = DirectoryReader.open(articlesThere);
      while (!working.get(0).isDone() || !working.get(1).isDone()) {
        DirectoryReader next = DirectoryReader.openIfChanged(seen);
        if (next != null) {
          seen.close();
          seen = next;
          answers(logsThere, false);
        }
        TimeUnit.MILLISECONDS.sleep(5);
      }
      seen.close();
      for (Future<?> one : working) {
        one.get();
      }
      List<String> ofArticles = stock(SEED, rounds);
      List<String> ofLogs = stock(SEED + 1000, rounds);
      for (boolean offloaded : new boolean[] {true, false}) {
        assertEquals(ofArticles, answers(articles, offloaded));
        assertEquals(ofArticles, answers(articlesThere, offloaded));
        assertEquals(ofLogs, answers(logs, offloaded));
        assertEquals(ofLogs, answers(logsThere, offloaded));
      }
      check(articlesThere);
      check(logsThere);
    }
  }

  /** A writer to an index: adds documents and commits until it is killed, or told to stop. */
  static final class Writer {
    private Writer() {}

    /**
     * Runs it.
     *
     * @param args the index
     */
    public static void main(String[] args) throws IOException {
      try (OffloadDirectory directory = OffloadDirectory.open(args[0]);
          IndexWriter writer = new IndexWriter(directory, config())) {
        while (System.in.available() == 0) {
          FaultIndex.add(writer, SEED, 50);
          writer.commit();
          System.out.println(writer.getDocStats().numDocs);
        }
      }
    }
  }

  private Process writer(CsdTarget node, String index) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            Writer.class.getName(),
            "csd:" + node.node() + "/" + index + PATIENCE)
        .redirectError(folder.resolve(index + ".log").toFile())
        .start();
  }

  private static BufferedReader output(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
  }

  private int commits(BufferedReader out, String index, int count) throws IOException {
    int documents = 0;
    for (int i = 0; i < count; i++) {
      documents = Processes.nextNumber(out, folder.resolve(index + ".log"));
    }
    return documents;
  }

  /** Processes of one host; the other, and readers, go on, and the dead one's index is taken up. */
  @Test
  void oneOfTwoIsKilled() throws Exception {
    try (CsdTarget node = node()) {
      Process dying = writer(node, "articles");
      Process living = writer(node, "logs");
      try (BufferedReader ofDying = output(dying);
          BufferedReader ofLiving = output(living);
          Device device = host(node);
          OffloadDirectory articles = OffloadDirectory.open(device, "articles", STRICT);
          OffloadDirectory logs = OffloadDirectory.open(device, "logs", STRICT)) {
        commits(ofLiving, "logs", 1);
        int committed = commits(ofDying, "articles", 2);
        DirectoryReader held = DirectoryReader.open(articles);
        dying.destroyForcibly().waitFor();
        commits(ofLiving, "logs", 2);
        assertTrue(held.numDocs() >= committed - 50 && held.numDocs() % 50 == 0);
        check(articles);
        int found = takeUp(articles);
        assertTrue(found >= committed && found % 50 == 0, found + " of " + committed);
        int documents = commits(ofLiving, "logs", 1);
        living.getOutputStream().write('\n');
        living.getOutputStream().flush();
        while (ofLiving.readLine() != null) {
          documents += 50;
        }
        assertEquals(0, living.waitFor());
        try (DirectoryReader reader = DirectoryReader.open(logs)) {
          assertEquals(documents, reader.numDocs());
        }
        check(logs);
        check(articles);
        held.close();
      } finally {
        dying.destroyForcibly();
        living.destroyForcibly();
      }
      assertEquals(
          List.of("articles", "logs"),
          NodeAdmin.list("csd:" + node.node()).stream().map(NodeAdmin.NodeIndex::name).toList());
    }
  }

  /** Writes to an index as soon as its dead writer's lease is over; returns what was there. */
  private static int takeUp(OffloadDirectory directory) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try (IndexWriter writer = new IndexWriter(directory, config())) {
        int found = writer.getDocStats().numDocs;
        FaultIndex.add(writer, SEED, 10);
        writer.commit();
        assertEquals(found + 10, writer.getDocStats().numDocs);
        return found;
      } catch (LockObtainFailedException e) {
        assertTrue(System.nanoTime() < end, e.toString());
        TimeUnit.MILLISECONDS.sleep(50);
      }
    }
  }
}
