/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite.store;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.tests.analysis.MockAnalyzer;
import org.apache.lucene.tests.store.MockDirectoryWrapper;
import org.apache.lucene.tests.store.MockDirectoryWrapper.FakeIOException;
import org.apache.lucene.tests.store.MockDirectoryWrapper.Throttling;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.junit.ClassRule;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.search.SameAnswers;
import org.luceneoffload.suite.Sampling;
import org.luceneoffload.suite.SuiteDevice;
import org.luceneoffload.suite.search.QueryShapes;

/**
 * Directories of Lucene's test framework that fail, are full, slow, crash or keep files from being
 * deleted, around ours with a simulated device: what was committed is there, answers are stock's.
 */
public class TestFaultyDirectories extends LuceneTestCase {
  /** The device. */
  @ClassRule public static final SuiteDevice DEVICE = SuiteDevice.withSearches();

  private int nextId;

  /** Turns faults on or off. */
  private interface Faults {
    void set(boolean on) throws IOException;
  }

  private static IndexWriterConfig config() {
    // Merges on the calling thread: their faults come to it, too.
    return newIndexWriterConfig(new MockAnalyzer(random()))
        .setMergeScheduler(new SerialMergeScheduler())
        .setMaxBufferedDocs(10 + random().nextInt(40));
  }

  private void change(IndexWriter writer) throws IOException {
    int id = random().nextInt(5) == 0 ? random().nextInt(nextId + 1) : nextId++;
    Document document = new Document();
    document.add(new StringField("id", Integer.toString(id), Field.Store.NO));
    StringBuilder text = new StringBuilder();
    for (int w = random().nextInt(25); w > 0; w--) {
      text.append(word().text()).append(' ');
    }
    document.add(new TextField("text", text.toString(), Field.Store.NO));
    writer.updateDocument(new Term("id", Integer.toString(id)), document);
    switch (random().nextInt(60)) {
      case 0 -> writer.commit();
      case 1 -> DirectoryReader.open(writer).close();
      case 2 -> writer.forceMerge(1 + random().nextInt(3));
      default -> {}
    }
  }

  private static Term word() {
    double skew = random().nextDouble();
    return new Term("text", "w" + (int) (skew * skew * 60));
  }

  /** Indexes; whatever an injected fault breaks is rolled back and gone on with. */
  private int index(MockDirectoryWrapper directory, int changes, Faults faults) throws Exception {
    int broken = 0;
    IndexWriter writer = null;
    for (int i = 0; i < changes; i++) {
      try {
        if (writer == null) {
          writer = new IndexWriter(directory, config());
        }
        faults.set(true);
        change(writer);
      } catch (IOException | AlreadyClosedException e) {
        faults.set(false);
        if (!isInjected(e)) {
          throw e;
        }
        broken++;
        if (writer != null) {
          writer.rollback();
        }
        writer = null;
      }
    }
    faults.set(false);
    if (writer != null) {
      writer.close();
    }
    return broken;
  }

  private static boolean isInjected(Throwable t) {
    if (t == null) {
      return false;
    }
    String message = String.valueOf(t.getMessage());
    boolean injected =
        t instanceof FakeIOException
            || message.contains("a random IOException")
            || message.contains("fake disk full");
    for (Throwable suppressed : t.getSuppressed()) {
      injected |= isInjected(suppressed);
    }
    return injected || isInjected(t.getCause());
  }

  private static void compare(MockDirectoryWrapper directory) throws IOException {
    if (!DirectoryReader.indexExists(directory)) {
      return;
    }
    QueryShapes shapes = new QueryShapes(random(), TestFaultyDirectories::word);
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      IndexSearcher stock = new IndexSearcher(reader);
      OffloadIndexSearcher ours = new OffloadIndexSearcher(reader);
      for (int i = 0; i < 20; i++) {
        SameAnswers.check(stock, ours, shapes.any(), 1 + random().nextInt(20));
      }
    }
  }

  private static int changes() {
    return Sampling.LONG ? atLeast(5_000) : 200;
  }

  /** Reads, writes, opening and creating fail at random. */
  public void testRandomFaults() throws Exception {
    MockDirectoryWrapper directory = newMockDirectory();
    directory.setAssertNoUnrefencedFilesOnClose(false);
    int broken = 0;
    for (int attempt = 0; broken == 0 && attempt < 20; attempt++) {
      broken =
          index(
              directory,
              changes(),
              on -> {
                directory.setRandomIOExceptionRate(on ? 0.002 : 0);
                directory.setRandomIOExceptionRateOnOpen(on ? 0.01 : 0);
              });
    }
    assertTrue("no fault broke anything", broken > 0);
    compare(directory);
    directory.close();
  }

  /** The application's directory is full now and then. */
  public void testDiskFull() throws Exception {
    MockDirectoryWrapper directory = newMockDirectory();
    directory.setAssertNoUnrefencedFilesOnClose(false);
    index(
        directory,
        changes(),
        on ->
            directory.setMaxSizeInBytes(
                on && random().nextInt(20) == 0
                    ? Math.max(1, directory.sizeInBytes() + random().nextInt(2_000))
                    : 0));
    compare(directory);
    directory.close();
  }

  /** Everything is slow. */
  public void testThrottled() throws Exception {
    MockDirectoryWrapper directory = newMockDirectory();
    directory.setThrottling(Throttling.ALWAYS);
    directory.setUseSlowOpenClosers(true);
    assertEquals(0, index(directory, changes() / 8, on -> {}));
    compare(directory);
    directory.close();
  }

  /** Files cannot always be deleted at once. */
  public void testVirusChecker() throws Exception {
    Path path = addVirusChecker(createTempDir());
    try (MockDirectoryWrapper directory =
        new MockDirectoryWrapper(random(), SuiteDevice.under(new NIOFSDirectory(path)))) {
      directory.setAssertNoUnrefencedFilesOnClose(false);
      assertEquals(0, index(directory, changes(), on -> {}));
      compare(directory);
    }
  }

  /**
   * Files that were not synced are damaged or lost; the last commit is there, and indexing goes on.
   */
  public void testCrashes() throws Exception {
    MockDirectoryWrapper directory = newMockDirectory();
    directory.setAssertNoUnrefencedFilesOnClose(false);
    for (int round = 0; round < (Sampling.LONG ? 40 : 4); round++) {
      IndexWriter writer = new IndexWriter(directory, config());
      for (int i = 0; i < 60; i++) {
        change(writer);
      }
      writer.commit();
      int committed = writer.getDocStats().numDocs;
      for (int i = 0; i < 30; i++) {
        writer.addDocument(new Document());
      }
      writer.flush();
      directory.crash();
      try {
        writer.rollback();
      } catch (IOException | AlreadyClosedException e) {
        // as its files are gone
      }
      directory.clearCrash();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(committed, reader.numDocs());
      }
      compare(directory);
    }
    directory.close();
  }
}
