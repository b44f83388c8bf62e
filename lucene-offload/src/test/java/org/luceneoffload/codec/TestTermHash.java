/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;

/** Term hashes by themselves; that they agree with a whole index, {@link ImageCheck} checks. */
class TestTermHash {
  private static final int MAX_DOC = 1_000_000;
  private static final long STAMP = 0x1234_5678_9ABC_DEF0L;
  private static final FieldInfo TEXT = field("text", 3, false, IndexOptions.DOCS_AND_FREQS);
  private static final FieldInfo EMPTY = field("empty", 4, false, IndexOptions.DOCS);
  private static final FieldInfo ID = field("id", 5, true, IndexOptions.DOCS);

  private final Random random = new Random(5);
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private final OffloadStats stats = new OffloadStats();
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

  private TermHash open() {
    return open(STAMP);
  }

  private TermHash open(long stamp) {
    return TermHash.open(
        new SegmentReadState(directory, segment, infos, IOContext.DEFAULT, "s"), stamp, stats);
  }

  private TermHash write(FieldInfo field, Map<BytesRef, OffloadTermState> states)
      throws IOException {
    try (TermHashWriter writer = create()) {
      for (Map.Entry<BytesRef, OffloadTermState> entry : states.entrySet()) {
        writer.add(field, entry.getKey(), entry.getValue());
      }
      writer.finish();
    }
    TermHash hash = open();
    assertNull(hash.unusableReason());
    return hash;
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
      assertNull(hash.unusableReason());
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
  void aFieldOfUniqueTermsIsLeftOut() throws IOException {
    try (TermHashWriter writer = create()) {
      addUnique(writer, ID, 0, 5_000);
      writer.add(TEXT, new BytesRef("t"), randomState(TEXT));
      writer.finish();
      assertTrue(writer.holds(TEXT));
      assertFalse(writer.holds(ID));
    }
    assertTrue(readFile().length < 1_000, "what is left out takes no space");
    try (TermHash hash = open()) {
      assertNull(hash.field(ID.number));
      assertNotNull(hash.find(hash.field(TEXT.number), new BytesRef("t")));
    }
  }

  /** More terms than are held back until it is known what the field is like. */
  @Test
  void aLargeFieldOfUniqueTermsIsLeftOut() throws IOException {
    try (TermHashWriter writer = create()) {
      addUnique(writer, ID, 0, 400_000);
      writer.finish();
      assertFalse(writer.holds(ID));
    }
    assertTrue(readFile().length < 1_000);
  }

  /** Terms of text are looked up: few of them are alike, or a document has many, or all are few. */
  @Test
  void otherFieldsAreKept() throws IOException {
    try (TermHashWriter writer = create()) {
      addUnique(writer, ID, 0, 1_000);
      writer.finish();
      assertTrue(writer.holds(ID), "few terms");
    }
    directory.deleteFile("_0_s.odh");
    Map<BytesRef, OffloadTermState> shared = new TreeMap<>();
    try (TermHashWriter writer = create()) {
      addUnique(writer, TEXT, 0, 9_000);
      for (int i = 0; i < 1_000; i++) {
        OffloadTermState state = new OffloadTermState(new IntBlockTermState());
        state.docFreq = 2;
        state.totalTermFreq = 2;
        state.firstPage = 1 + i;
        state.pageCount = 1;
        shared.put(new BytesRef("z" + i), state);
      }
      for (Map.Entry<BytesRef, OffloadTermState> entry : shared.entrySet()) {
        writer.add(TEXT, entry.getKey(), entry.getValue());
      }
      writer.finish();
      assertTrue(writer.holds(TEXT), "one term of ten is shared");
    }
    try (TermHash hash = open()) {
      assertAll(hash, TEXT, shared);
    }
    directory.deleteFile("_0_s.odh");
    IndexOutput out = directory.createOutput("_0_s.odh", IOContext.DEFAULT);
    try (TermHashWriter writer =
        TermHashWriter.on(out, STAMP, segmentId, "s", TermHash.MAX_TERMS, 300)) {
      addUnique(writer, ID, 0, 5_000);
      writer.finish();
      assertTrue(writer.holds(ID), "a document has many terms");
    }
  }

  private void addUnique(TermHashWriter writer, FieldInfo field, int from, int to)
      throws IOException {
    for (int i = from; i < to; i++) {
      OffloadTermState state = new OffloadTermState(new IntBlockTermState());
      state.docFreq = 1;
      state.totalTermFreq = 1;
      state.inner.singletonDocID = i;
      writer.add(field, new BytesRef(String.format("u%09d", i)), state);
    }
  }

  private void assertUnusable(TermHash hash, String reason) throws IOException {
    try (hash) {
      assertNotNull(hash.unusableReason());
      assertTrue(hash.unusableReason().contains(reason), hash.unusableReason());
      assertNull(hash.field(TEXT.number));
    }
  }

  @Test
  void aMissingForeignOrUnfinishedFileIsNotAsked() throws IOException {
    assertUnusable(open(), "missing");
    write(TEXT, randomStates(TEXT, binaryTerms(10))).close();
    assertUnusable(open(STAMP + 1), "of another image");
    directory.deleteFile("_0_s.odh");
    try (TermHashWriter writer = create()) {
      writer.add(TEXT, new BytesRef("t"), randomState(TEXT)); // and no finish
    }
    assertUnusable(open(), "");
    directory.deleteFile("_0_s.odh");
    IndexOutput out = directory.createOutput("_0_s.odh", IOContext.DEFAULT);
    try (TermHashWriter writer =
        TermHashWriter.on(out, STAMP, StringHelper.randomId(), "s", TermHash.MAX_TERMS, 0)) {
      writer.finish();
    }
    assertUnusable(open(), "of another segment");
    assertEquals(4, stats.get(Counter.TERM_HASHES_UNUSABLE));
  }

  private byte[] readFile() throws IOException {
    try (IndexInput in = directory.openInput("_0_s.odh", IOContext.READONCE)) {
      byte[] bytes = new byte[(int) in.length()];
      in.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }

  private void replaceFile(byte[] bytes, int length, boolean footer) throws IOException {
    directory.deleteFile("_0_s.odh");
    try (IndexOutput out = directory.createOutput("_0_s.odh", IOContext.DEFAULT)) {
      out.writeBytes(bytes, length);
      if (footer) {
        CodecUtil.writeFooter(out);
      }
    }
  }

  /** Makes of the file one of the first version, which has one checksum over all. */
  private void writeAsFirstVersion() throws IOException {
    byte[] bytes = readFile();
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int end = bytes.length - CodecUtil.footerLength() - Long.BYTES;
    int listStart = (int) buffer.getLong(end);
    int pagesEnd = (int) buffer.getLong(end - Integer.BYTES - Long.BYTES);
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    first.write(bytes, 0, pagesEnd);
    first.write(bytes, listStart, end - Integer.BYTES - Long.BYTES - listStart);
    byte[] start = new byte[Long.BYTES];
    ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).putLong(pagesEnd);
    first.write(start, 0, start.length);
    byte[] made = first.toByteArray();
    int version = Integer.BYTES + 1 + TermHash.CODEC.length() + Integer.BYTES - 1;
    assertEquals(TermHash.VERSION_CURRENT, made[version]);
    made[version] = TermHash.VERSION_WHOLE;
    replaceFile(made, made.length, true);
  }

  @Test
  void aFileOfTheFirstVersionIsRead() throws IOException {
    Map<BytesRef, OffloadTermState> texts = randomStates(TEXT, binaryTerms(3_000));
    write(TEXT, texts).close();
    writeAsFirstVersion();
    try (TermHash hash = open()) {
      assertAll(hash, TEXT, texts);
      for (BytesRef term : binaryTerms(3_000)) {
        assertEquals(texts.containsKey(term), hash.find(hash.field(TEXT.number), term) != null);
      }
      hash.checkIntegrity();
      assertNull(hash.unusableReason());
    }
  }

  @Test
  void aTruncatedFileIsNotAsked() throws IOException {
    write(TEXT, randomStates(TEXT, binaryTerms(20))).close();
    byte[] bytes = readFile();
    for (int length = 0; length < bytes.length; length++) {
      replaceFile(bytes, length, false);
      assertUnusable(open(), "");
    }
    replaceFile(bytes, bytes.length, false);
    try (TermHash hash = open()) {
      assertNull(hash.unusableReason());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noDamagedByteIsBelieved(boolean firstVersion) throws IOException {
    Map<BytesRef, OffloadTermState> texts = randomStates(TEXT, binaryTerms(1_000));
    List<BytesRef> absent = new ArrayList<>(binaryTerms(500));
    absent.removeIf(texts::containsKey);
    write(TEXT, texts).close();
    if (firstVersion) {
      writeAsFirstVersion();
    }
    byte[] whole = readFile();
    long found = 0;
    long unknown = 0;
    for (int round = 0; round < 1_000; round++) {
      byte[] bytes = whole.clone();
      bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
      replaceFile(bytes, bytes.length, false);
      try (TermHash hash = open()) {
        TermHash.Field field = hash.field(TEXT.number);
        if (field == null) {
          assertNotNull(hash.unusableReason());
          continue;
        }
        for (Map.Entry<BytesRef, OffloadTermState> entry : texts.entrySet()) {
          OffloadTermState state = hash.find(field, entry.getKey());
          if (state == TermHash.UNKNOWN) {
            unknown++;
            break; // and so on
          }
          assertSame(entry.getValue(), state, entry.getKey());
          found++;
        }
        for (BytesRef term : absent) {
          OffloadTermState state = hash.find(field, term);
          assertTrue(state == null || state == TermHash.UNKNOWN, term::toString);
        }
        hash.checkIntegrity();
        assertNotNull(hash.unusableReason());
        assertEquals(TermHash.UNKNOWN, hash.find(field, absent.get(0)));
      }
    }
    assertTrue(unknown > 500, unknown + " rounds in which the damage was met");
    assertEquals(firstVersion, found == 0, found + " terms found in pages without damage");
    replaceFile(whole, whole.length, false);
    try (TermHash hash = open()) {
      hash.checkIntegrity();
      assertNull(hash.unusableReason());
      assertAll(hash, TEXT, texts);
    }
  }
}
