/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.guest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;

/**
 * Queries while the target is frozen, thawed, killed and started again: every answer is stock
 * Lucene's, to the bit, within a bounded time; the device is used again when it is back. Asks the
 * host for what it needs with lines that begin with "@host".
 */
final class FaultDrill {
  private static final int WORDS = 50;

  /** Above the driver's own limit of four seconds, which is to be met. */
  private static final Duration TIMEOUT = Duration.ofSeconds(6);

  /** The time that a query may take while the device hangs, on a machine with other work. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The time that the driver and we may take to find a device that is back. */
  private static final Duration RETURN = Duration.ofSeconds(240);

  private final String device;
  private final Random random = new Random(11);
  private OffloadStats stats;
  private IndexSearcher stock;
  private OffloadIndexSearcher offload;

  FaultDrill(String device) {
    this.device = device;
  }

  void run() throws Exception {
    OffloadOptions options = OffloadOptions.DEFAULT.withDeviceTimeout(TIMEOUT);
    Path path = Files.createTempDirectory("drill");
    try (OffloadDirectory directory =
        OffloadDirectory.open(path, device + ",claim=overwrite,timeout=4000", options)) {
      stats = directory.stats();
      index(directory, 400);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        stock = new IndexSearcher(reader);
        offload = new OffloadIndexSearcher(reader);
        ask(20);
        require("the device answers", stats.get(Counter.LEAVES_OFFLOADED) > 0);

        drill("freeze", "thaw");
        drill("kill", "start");

        // What was durable is still there, and new images can be written.
        index(directory, 100);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        stock = new IndexSearcher(reader);
        offload = new OffloadIndexSearcher(reader);
        ask(20);
      }
    }
  }

  private void drill(String harm, String mend) throws Exception {
    long fallbacks = fallbacks();
    long opened = stats.get(Counter.BREAKER_OPENED);
    tellHost(harm);
    awaiting(harm + ": the host answers", PATIENCE, () -> fallbacks() > fallbacks);
    awaiting(
        harm + ": circuit breaker open",
        PATIENCE,
        () -> stats.get(Counter.BREAKER_OPENED) > opened);
    long start = System.nanoTime();
    ask(10);
    report(harm + ": 10 queries on the host", start);
    tellHost(mend);
    long offloaded = stats.get(Counter.LEAVES_OFFLOADED);
    start = System.nanoTime();
    awaiting(
        mend + ": the device answers again",
        RETURN,
        () -> stats.get(Counter.LEAVES_OFFLOADED) > offloaded);
    report(mend + ": until the device answered again", start);
    ask(20);
  }

  private static void report(String what, long start) {
    System.out.printf(
        Locale.ROOT, "measured: %s, %d ms%n", what, (System.nanoTime() - start) / 1_000_000);
  }

  private static void tellHost(String verb) {
    System.out.println("@host " + verb + " big");
    System.out.flush();
  }

  private long fallbacks() {
    return stats.get(Counter.LEAVES_FALLEN_BACK) + stats.get(Counter.LEAVES_ON_HOST);
  }

  /** Asks, and compares, until something is so. */
  private void awaiting(String what, Duration patience, BooleanSupplier holds) throws Exception {
    long end = System.nanoTime() + patience.toNanos();
    while (!holds.getAsBoolean()) {
      ask(1);
      require(what + ": not within " + patience + ": " + stats, System.nanoTime() < end);
      Thread.sleep(50);
    }
  }

  private static void require(String what, boolean holds) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  private void ask(int queries) throws IOException {
    for (int i = 0; i < queries; i++) {
      Query query = query();
      long start = System.nanoTime();
      List<String> got = describe(offload.search(query, 10).scoreDocs);
      long took = System.nanoTime() - start;
      require(query + " took " + took / 1_000_000 + " ms", took < PATIENCE.toNanos());
      List<String> expected = describe(stock.search(query, 10).scoreDocs);
      require(query + ": " + got + " is not " + expected, got.equals(expected));
      int count = offload.count(query);
      require(query + ": count " + count, count == stock.count(query));
    }
  }

  private static List<String> describe(ScoreDoc[] hits) {
    List<String> described = new ArrayList<>();
    for (ScoreDoc hit : hits) {
      described.add(hit.doc + " " + Float.floatToRawIntBits(hit.score));
    }
    return described;
  }

  private Query query() {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 0; i < 3; i++) {
      Occur occur = i == 0 ? Occur.MUST : random.nextBoolean() ? Occur.SHOULD : Occur.MUST_NOT;
      builder.add(new TermQuery(new Term("body", word())), occur);
    }
    return builder.build();
  }

  private String word() {
    double u = random.nextDouble();
    return "w" + (int) (WORDS * u * u);
  }

  private void index(OffloadDirectory directory, int documents) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setCodec(new OffloadCodec());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < documents; i++) {
        StringBuilder text = new StringBuilder();
        for (int words = random.nextInt(30); words >= 0; words--) {
          text.append(word()).append(' ');
        }
        Document document = new Document();
        document.add(new TextField("body", text.toString(), Field.Store.NO));
        writer.addDocument(document);
      }
      writer.deleteDocuments(new Term("body", "w" + (WORDS - 1)));
    }
  }
}
