/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.codecs.BlockTermState;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermState;
import org.apache.lucene.index.TermStates;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.util.IOSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.codec.TermFinds;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.store.guard.DeviceHandle;

/** Look-ups by hash and with enums that are used again find what stock's find. */
class TestTermLookup {
  private static final int WORDS = 3000;

  private final RamBlockDevice device = new RamBlockDevice(1 << 12, new ReferenceProgram());
  private final DeviceHandle handle = new DeviceHandle(device, () -> {});
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private DirectoryReader reader;

  @AfterEach
  void close() throws IOException {
    reader.close();
    handle.release();
  }

  private IndexSearcher open(int segments) throws IOException {
    write(directory, Codec.getDefault(), segments, new Random(4));
    reader =
        new HandMadeImages(handle, OffloadOptions.DEFAULT).open(DirectoryReader.open(directory));
    return new IndexSearcher(reader);
  }

  private static void write(Directory to, Codec codec, int segments, Random random)
      throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setCodec(codec);
    try (IndexWriter writer = new IndexWriter(to, config)) {
      for (int doc = 0; doc < 200 * segments; doc++) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; i < 30; i++) {
          body.append(word((int) (random.nextDouble() * random.nextDouble() * WORDS))).append(' ');
        }
        Document document = new Document();
        document.add(new TextField("body", body.toString(), Field.Store.NO));
        writer.addDocument(document);
        if (doc % 200 == 199) {
          writer.flush();
        }
      }
    }
  }

  /** Words with long shared beginnings, so that the dictionary has blocks within blocks. */
  private static String word(int number) {
    return Integer.toString(number * 7919 % 100_003, 3);
  }

  private static void checkSameAsStock(IndexSearcher searcher, Random random) throws IOException {
    IndexedFields fields = new IndexedFields(searcher);
    for (int i = 0; i < 1000; i++) {
      // One word in three is in no doc; some of those come before or after all others.
      String text = random.nextInt(3) == 0 ? "z" + i % 5 : word(random.nextInt(2 * WORDS));
      Term term = new Term(random.nextInt(20) == 0 ? "absent" : "body", text);
      TermStates expected = TermStates.build(searcher, term, true);
      checkNow(searcher, term, expected, TermLookup.now(searcher, term, false));
      checkLate(searcher, term, TermLookup.late(searcher, term));
      IndexedField field = fields.get(searcher, term.field());
      assertSame(field, fields.get(searcher, term.field()));
      if (field.isHashed()) {
        checkNow(searcher, term, expected, TermLookup.now(field, term, true, null));
        checkLate(searcher, term, TermLookup.late(searcher, field, term, null));
      }
    }
  }

  /** Several terms whose look-ups are begun together, and ended in another order. */
  private static void checkTogether(IndexSearcher searcher, Random random) throws IOException {
    IndexedField field = new IndexedFields(searcher).get(searcher, "body");
    assertTrue(field.isHashed());
    for (int i = 0; i < 300; i++) {
      List<Term> terms = new ArrayList<>();
      for (int n = random.nextInt(6); n >= 0; n--) {
        String text = random.nextInt(4) == 0 ? "z" + n : word(random.nextInt(2 * WORDS));
        terms.add(new Term("body", text));
      }
      try (TermFinds finds = new TermFinds(field.terms(), terms, null)) {
        for (int n = terms.size() - 1; n >= 0; n--) {
          Term term = terms.get(n);
          TermStates expected = TermStates.build(searcher, term, true);
          TermLookup found = TermLookup.now(field, finds, n, random.nextBoolean());
          checkNow(searcher, term, expected, found);
        }
      }
    }
  }

  private static void checkNow(
      IndexSearcher searcher, Term term, TermStates expected, TermLookup got) throws IOException {
    assertEquals(expected.docFreq(), got.docFreq(), term.text());
    assertEquals(expected.totalTermFreq(), got.totalTermFreq(), term.text());
    for (LeafReaderContext leaf : searcher.getLeafContexts()) {
      TermState state = got.state(leaf);
      if (expected.get(leaf) == null) {
        assertNull(state, term.text());
      } else {
        checkSame(expected.get(leaf).get(), state);
      }
      assertSame(leaf.reader().terms(term.field()), got.terms(leaf, term), term.text());
    }
  }

  /** Stock tells two kinds of absence apart, and so must a look-up that is put off. */
  private static void checkLate(IndexSearcher searcher, Term term, TermLookup got)
      throws IOException {
    TermStates expected = TermStates.build(searcher, term, false);
    for (LeafReaderContext leaf : searcher.getLeafContexts()) {
      IOSupplier<TermState> supplier = expected.get(leaf);
      TermState state = supplier == null ? null : supplier.get();
      if (supplier == null) {
        assertNull(got.state(leaf), term.text());
      } else if (state == null) {
        assertSame(TermLookup.ABSENT_ON_LOOKUP, got.state(leaf), term.text());
      } else {
        checkSame(state, got.state(leaf));
      }
    }
  }

  private static void checkSame(TermState expectedState, TermState state) {
    if (!(expectedState instanceof OffloadTermState expected)) {
      assertEquals(expectedState.getClass(), state.getClass());
      assertEquals(((BlockTermState) expectedState).docFreq, ((BlockTermState) state).docFreq);
      return;
    }
    OffloadTermState got = (OffloadTermState) state;
    assertEquals(expected.docFreq, got.docFreq);
    assertEquals(expected.totalTermFreq, got.totalTermFreq);
    if (expected.isInline()) {
      assertEquals(expected.inlineDoc(), got.inlineDoc());
      assertEquals(expected.inlineFreq(), got.inlineFreq());
      assertEquals(expected.inlineNorm(), got.inlineNorm());
    } else {
      assertEquals(expected.firstPage(), got.firstPage());
      assertEquals(expected.slot(), got.slot());
      assertEquals(expected.pageCount(), got.pageCount());
      assertEquals(expected.impacts(), got.impacts());
    }
  }

  @Test
  void oneSegment() throws IOException {
    checkSameAsStock(open(1), new Random(1));
  }

  @Test
  void threeSegments() throws IOException {
    checkSameAsStock(open(3), new Random(2));
  }

  /** Segments with a term hash and segments that stock wrote. */
  private IndexSearcher openHashed(int hashed, int stock) throws IOException {
    Random random = new Random(5);
    try (OffloadDirectory offload =
        OffloadDirectory.wrap(
            new FilterDirectory(directory) {
              @Override
              public void close() {}
            },
            device)) {
      write(offload, new OffloadCodec(), hashed, random);
      write(offload, Codec.getDefault(), stock, random);
      reader = DirectoryReader.open(offload);
      int found = 0;
      for (LeafReaderContext leaf : reader.leaves()) {
        found += leaf.reader().terms("body") instanceof OffloadTerms t && t.isHashed() ? 1 : 0;
      }
      assertEquals(hashed, found);
    }
    return new IndexSearcher(reader);
  }

  @Test
  void oneHashedSegment() throws IOException {
    checkSameAsStock(openHashed(1, 0), new Random(6));
  }

  @Test
  void lookUpsBegunTogether() throws IOException {
    checkTogether(openHashed(3, 0), new Random(8));
  }

  @Test
  void hashedAndOtherSegments() throws IOException {
    checkSameAsStock(openHashed(2, 2), new Random(7));
  }

  @Test
  void manyThreadsShareTheEnums() throws Exception {
    checkInManyThreads(open(2));
  }

  @Test
  void manyThreadsShareTheCursors() throws Exception {
    checkInManyThreads(openHashed(2, 1));
  }

  private static void checkInManyThreads(IndexSearcher searcher) throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        Random random = new Random(10 + i);
        tasks.add(
            () -> {
              checkSameAsStock(searcher, random);
              return null;
            });
      }
      for (Future<Void> task : threads.invokeAll(tasks)) {
        task.get();
      }
    }
  }
}
