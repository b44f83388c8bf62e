/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DocValuesSkipIndexType;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.VectorEncoding;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.InfoStream;
import org.apache.lucene.util.StringHelper;
import org.apache.lucene.util.Version;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadCodec;

/** Term hashes by themselves; that they agree with a whole index, {@link ImageCheck} checks. */
class TestTermHash {
  private static final int MAX_DOC = 1_000_000;
  private static final long STAMP = 0x1234_5678_9ABC_DEF0L;
  private static final FieldInfo TEXT = field("text", 3, false, IndexOptions.DOCS_AND_FREQS);
  private static final FieldInfo EMPTY = field("empty", 4, false, IndexOptions.DOCS);
  private static final FieldInfo ID = field("id", 5, true, IndexOptions.DOCS);

  private final Random random = new Random(5);
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private final byte[] segmentId = StringHelper.randomId();
  private final FieldInfos infos = new FieldInfos(new FieldInfo[] {TEXT, EMPTY, ID});
  private final SegmentInfo segment =
      new SegmentInfo(
          directory,
          Version.LATEST,
          Version.LATEST,
          "_0",
          MAX_DOC,
          false,
          false,
          new OffloadCodec(),
          Map.of(),
          segmentId,
          new HashMap<>(),
          null);

  @AfterEach
  void close() throws IOException {
    directory.close();
  }

  private static FieldInfo field(String name, int number, boolean omitNorms, IndexOptions options) {
    return new FieldInfo(
        name,
        number,
        false,
        omitNorms,
        false,
        options,
        DocValuesType.NONE,
        DocValuesSkipIndexType.NONE,
        -1,
        new HashMap<>(),
        0,
        0,
        0,
        0,
        VectorEncoding.FLOAT32,
        VectorSimilarityFunction.EUCLIDEAN,
        false,
        false);
  }

  private TermHashWriter create() throws IOException {
    return TermHashWriter.open(writeState(), STAMP);
  }

  private SegmentWriteState writeState() {
    return new SegmentWriteState(
        InfoStream.NO_OUTPUT, directory, segment, infos, null, IOContext.DEFAULT, "s");
  }

  private TermHash open() throws IOException {
    return open(STAMP);
  }

  private TermHash open(long stamp) throws IOException {
    return TermHash.open(
        new SegmentReadState(directory, segment, infos, IOContext.DEFAULT, "s"), stamp);
  }

  private TermHash write(FieldInfo field, Map<BytesRef, OffloadTermState> states)
      throws IOException {
    try (TermHashWriter writer = create()) {
      for (Map.Entry<BytesRef, OffloadTermState> entry : states.entrySet()) {
        writer.add(field, entry.getKey(), entry.getValue());
      }
      writer.finish();
    }
    return open();
  }

  private Map<BytesRef, OffloadTermState> randomStates(FieldInfo field, Iterable<BytesRef> terms) {
    Map<BytesRef, OffloadTermState> states = new TreeMap<>();
    for (BytesRef term : terms) {
      states.put(term, randomState(field));
    }
    return states;
  }

  private OffloadTermState randomState(FieldInfo field) {
    OffloadTermState state = new OffloadTermState(new IntBlockTermState());
    boolean freqs = field.getIndexOptions() != IndexOptions.DOCS;
    state.hasDeviceList = true;
    state.docFreq =
        switch (random.nextInt(4)) {
          case 0 -> 1;
          case 1 -> 2 + random.nextInt(127);
          case 2 -> 129 + random.nextInt(100_000);
          default -> MAX_DOC;
        };
    state.totalTermFreq = state.docFreq;
    if (freqs) {
      long more = state.docFreq == 1 ? Integer.MAX_VALUE : 1L << random.nextInt(62);
      state.totalTermFreq += random.nextBoolean() ? 0 : random.nextLong(more);
    }
    if (state.docFreq == 1) {
      state.inner.singletonDocID = random.nextInt(MAX_DOC);
      state.norm = field.hasNorms() ? random.nextInt(256) : 1;
      return state;
    }
    state.firstPage = 1 + (random.nextInt() >>> 1 + random.nextInt(30)) % 0x7FFF_FFFE;
    state.slot = random.nextInt(256);
    state.pageCount = 1;
    if (state.docFreq > 128) {
      state.pageCount = 1 + (random.nextInt() >>> 1 + random.nextInt(30)) % 0x7FFF_FFFE;
      state.impacts = random.nextLong();
    }
    return state;
  }

  private static void assertSame(OffloadTermState expected, OffloadTermState got, BytesRef term) {
    assertNotNull(got, () -> "not found: " + term);
    assertTrue(got.hasDeviceList());
    assertEquals(expected.docFreq, got.docFreq);
    assertEquals(expected.totalTermFreq, got.totalTermFreq);
    assertEquals(expected.isInline(), got.isInline());
    assertEquals(expected.inlineNorm(), got.inlineNorm());
    if (expected.isInline()) {
      assertEquals(expected.inlineDoc(), got.inlineDoc());
      assertEquals(expected.inlineFreq(), got.inlineFreq());
    }
    assertEquals(expected.firstPage(), got.firstPage());
    assertEquals(expected.slot(), got.slot());
    assertEquals(expected.pageCount(), got.pageCount());
    assertEquals(expected.impacts(), got.impacts());
  }

  private static void assertAll(
      TermHash hash, FieldInfo field, Map<BytesRef, OffloadTermState> states) throws IOException {
    TermHash.Field where = hash.field(field.number);
    for (Map.Entry<BytesRef, OffloadTermState> entry : states.entrySet()) {
      assertSame(entry.getValue(), hash.find(where, entry.getKey()), entry.getKey());
    }
  }

  /** Terms of bytes, from none to some hundreds, many with the beginning of another. */
  private TreeSet<BytesRef> binaryTerms(int count) {
    TreeSet<BytesRef> terms = new TreeSet<>();
    terms.add(new BytesRef());
    byte[] latest = new byte[0];
    while (terms.size() < count) {
      int length = random.nextInt(20) == 0 ? random.nextInt(600) : random.nextInt(20);
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      System.arraycopy(
          latest, 0, bytes, 0, Math.min(random.nextInt(21), Math.min(length, latest.length)));
      terms.add(new BytesRef(bytes));
      latest = bytes;
    }
    return terms;
  }

  @Test
  void findsEveryTermOfSeveralFieldsAndNoOther() throws IOException {
    Map<BytesRef, OffloadTermState> texts = randomStates(TEXT, binaryTerms(20_000));
    Map<BytesRef, OffloadTermState> ids = randomStates(ID, binaryTerms(5_000));
    try (TermHashWriter writer = create()) {
      for (Map.Entry<BytesRef, OffloadTermState> entry : texts.entrySet()) {
        writer.add(TEXT, entry.getKey(), entry.getValue());
      }
      for (Map.Entry<BytesRef, OffloadTermState> entry : ids.entrySet()) {
        writer.add(ID, entry.getKey(), entry.getValue());
      }
      writer.finish();
    }
    try (TermHash hash = open()) {
      hash.checkIntegrity();
      assertAll(hash, TEXT, texts);
      assertAll(hash, ID, ids);
      assertNull(hash.field(EMPTY.number));
      for (BytesRef term : binaryTerms(20_000)) {
        assertEquals(texts.containsKey(term), hash.find(hash.field(3), term) != null);
        assertEquals(ids.containsKey(term), hash.find(hash.field(5), term) != null);
      }
    }
  }

  @Test
  void termsWithinLargerArraysAreFound() throws IOException {
    Map<BytesRef, OffloadTermState> states =
        randomStates(
            TEXT, List.of(new BytesRef("naïve"), new BytesRef("日本語の長い言葉"), new BytesRef("😀😀😀")));
    try (TermHash hash = write(TEXT, states)) {
      byte[] bytes = "xx日本語の長い言葉".getBytes(StandardCharsets.UTF_8);
      assertNotNull(hash.find(hash.field(3), new BytesRef(bytes, 2, bytes.length - 2)));
      assertNull(hash.find(hash.field(3), new BytesRef(bytes, 2, bytes.length - 3)));
      assertNull(hash.find(hash.field(3), new BytesRef(bytes, 1, bytes.length - 1)));
      assertAll(hash, TEXT, states);
    }
  }

  @Test
  void noTermAndOneTerm() throws IOException {
    try (TermHash hash = write(TEXT, Map.of())) {
      assertNull(hash.field(TEXT.number));
      hash.checkIntegrity();
    }
    directory.deleteFile("_0_s.odh");
    Map<BytesRef, OffloadTermState> one = randomStates(ID, List.of(new BytesRef("one")));
    try (TermHash hash = write(ID, one)) {
      assertAll(hash, ID, one);
      for (int i = 0; i < 100; i++) {
        assertNull(hash.find(hash.field(ID.number), new BytesRef("other" + i)));
      }
    }
  }

  @Test
  void termsOfOneHashAreToldApart() throws IOException {
    Map<Long, BytesRef> byHash = new HashMap<>();
    List<BytesRef> terms = new ArrayList<>();
    List<BytesRef> absent = new ArrayList<>();
    int seed = TermHash.seed(STAMP);
    for (int i = 0; i < 300_000; i++) {
      BytesRef term = new BytesRef("t" + i);
      BytesRef other = byHash.put(TermHash.hash(term, seed), term);
      if (other != null && terms.size() < 8) {
        terms.add(term);
        terms.add(other);
      } else if (other != null) {
        terms.add(term);
        absent.add(other);
      }
    }
    assertTrue(terms.size() > 8 && !absent.isEmpty(), "too few collisions for a test");
    Map<BytesRef, OffloadTermState> states = randomStates(TEXT, terms);
    try (TermHash hash = write(TEXT, states)) {
      assertAll(hash, TEXT, states);
      for (BytesRef term : absent) {
        assertNull(hash.find(hash.field(TEXT.number), term));
      }
    }
  }

  @Test
  void aFieldOfTooManyTermsIsLeftOut() throws IOException {
    try (TermHashWriter writer = TermHashWriter.open(writeState(), STAMP, 3)) {
      for (int i = 0; i < 10; i++) {
        writer.add(TEXT, new BytesRef("t" + i), randomState(TEXT));
      }
      for (int i = 0; i < 3; i++) {
        writer.add(ID, new BytesRef("t" + i), randomState(ID));
      }
      writer.finish();
    }
    try (TermHash hash = open()) {
      assertNull(hash.field(TEXT.number));
      assertNotNull(hash.find(hash.field(ID.number), new BytesRef("t2")));
      assertNull(hash.find(hash.field(ID.number), new BytesRef("t3")));
    }
  }

  /** Merging the same segments twice has to make files of the same lengths. */
  @Test
  void theLengthDoesNotDependOnTheSeed() throws IOException {
    for (int terms : new int[] {1, 2, 10, 63, 64, 65, 1_000, 20_000}) {
      Map<BytesRef, OffloadTermState> states = randomStates(TEXT, binaryTerms(terms));
      Set<Integer> lengths = new HashSet<>();
      for (long stamp = 1; stamp <= 20; stamp++) {
        try (TermHashWriter writer = TermHashWriter.open(writeState(), stamp)) {
          for (Map.Entry<BytesRef, OffloadTermState> entry : states.entrySet()) {
            writer.add(TEXT, entry.getKey(), entry.getValue());
          }
          writer.finish();
        }
        try (TermHash hash = open(stamp)) {
          assertAll(hash, TEXT, states);
        }
        lengths.add(readFile().length);
        directory.deleteFile("_0_s.odh");
      }
      assertEquals(1, lengths.size(), terms + " terms: lengths of " + lengths);
    }
  }

  @Test
  void aForeignOrUnfinishedFileIsRefused() throws IOException {
    write(TEXT, randomStates(TEXT, binaryTerms(10))).close();
    CorruptIndexException e = assertThrows(CorruptIndexException.class, () -> open(STAMP + 1));
    assertTrue(e.getMessage().contains("term hash of another image"), e.getMessage());
    directory.deleteFile("_0_s.odh");
    try (TermHashWriter writer = create()) {
      writer.add(TEXT, new BytesRef("t"), randomState(TEXT)); // and no finish
    }
    assertThrows(IOException.class, this::open);
  }

  private byte[] readFile() throws IOException {
    try (IndexInput in = directory.openInput("_0_s.odh", IOContext.READONCE)) {
      byte[] bytes = new byte[(int) in.length()];
      in.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }

  private void replaceFile(byte[] bytes, int length) throws IOException {
    directory.deleteFile("_0_s.odh");
    try (IndexOutput out = directory.createOutput("_0_s.odh", IOContext.DEFAULT)) {
      out.writeBytes(bytes, length);
    }
  }

  @Test
  void aTruncatedFileIsRefused() throws IOException {
    write(TEXT, randomStates(TEXT, binaryTerms(20))).close();
    byte[] bytes = readFile();
    for (int length = 0; length < bytes.length; length++) {
      replaceFile(bytes, length);
      assertThrows(IOException.class, this::open);
    }
    replaceFile(bytes, bytes.length);
    open().close();
  }

  @Test
  void aDamagedFileIsNotAsked() throws IOException {
    write(TEXT, randomStates(TEXT, binaryTerms(100))).close();
    byte[] whole = readFile();
    int opened = 0;
    for (int round = 0; round < 4000; round++) {
      byte[] bytes = whole.clone();
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
      replaceFile(bytes, bytes.length);
      try (TermHash hash = open()) {
        opened++;
        assertNull(hash.field(TEXT.number));
        assertThrows(CorruptIndexException.class, hash::checkIntegrity);
      } catch (CorruptIndexException e) {
        // The footer: looks like a file that was cut off.
      }
    }
    assertTrue(opened > 1000, opened + " opened");
    replaceFile(whole, whole.length);
    assertArrayEquals(whole, readFile());
    try (TermHash hash = open()) {
      hash.checkIntegrity();
    }
  }
}
