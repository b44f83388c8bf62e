/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
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
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.codec.position.PositionedFields;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.TermHash;
import org.luceneoffload.codec.term.TermHashWriter;
import org.luceneoffload.report.OffloadStats;

/** A segment of three fields, random states of terms, and the file that a term hash is in. */
abstract class TermHashTestCase {
  static final int MAX_DOC = 1_000_000;
  static final long STAMP = 0x1234_5678_9ABC_DEF0L;
  static final FieldInfo TEXT = field("text", 3, false, IndexOptions.DOCS_AND_FREQS);
  static final FieldInfo EMPTY = field("empty", 4, false, IndexOptions.DOCS);
  static final FieldInfo ID = field("id", 5, true, IndexOptions.DOCS);
  static final FieldInfo POSITIONED =
      field("positioned", 6, false, IndexOptions.DOCS_AND_FREQS_AND_POSITIONS);

  final Random random = new Random(5);
  final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  final OffloadStats stats = new OffloadStats();
  final byte[] segmentId = StringHelper.randomId();
  final FieldInfos infos = new FieldInfos(new FieldInfo[] {TEXT, EMPTY, ID, POSITIONED});
  final SegmentInfo segment =
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
  final void close() throws IOException {
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

  final TermHashWriter create() throws IOException {
    return TermHashWriter.open(writeState(), STAMP, PositionedFields.NONE);
  }

  final SegmentWriteState writeState() {
    return new SegmentWriteState(
        InfoStream.NO_OUTPUT, directory, segment, infos, null, IOContext.DEFAULT, "s");
  }

  final TermHash open() {
    return open(STAMP);
  }

  final TermHash open(long stamp) {
    return TermHash.open(
        new SegmentReadState(directory, segment, infos, IOContext.DEFAULT, "s"), stamp, stats);
  }

  final TermHash write(FieldInfo field, Map<BytesRef, OffloadTermState> states) throws IOException {
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

  final Map<BytesRef, OffloadTermState> randomStates(FieldInfo field, Iterable<BytesRef> terms) {
    Map<BytesRef, OffloadTermState> states = new TreeMap<>();
    for (BytesRef term : terms) {
      states.put(term, randomState(field));
    }
    return states;
  }

  final OffloadTermState randomState(FieldInfo field) {
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
    if (PositionedFields.isPositioned(field)) {
      state.hasPositions = true;
      state.position = state.hasOnePosition() ? random.nextInt() >>> 1 : 0;
      if (!state.hasOnePosition()) {
        state.positionPage = random.nextInt() >>> 1 + random.nextInt(30);
        state.positionSlot = random.nextInt(256);
        state.hasEqualPositions = random.nextBoolean();
        state.positionPageCount =
            state.hasPositionBlocks() ? 1 + (random.nextInt() >>> 2 + random.nextInt(29)) : 1;
      }
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

  static void assertSame(OffloadTermState expected, OffloadTermState got, BytesRef term) {
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

  static void assertAll(TermHash hash, FieldInfo field, Map<BytesRef, OffloadTermState> states)
      throws IOException {
    TermHash.Field where = hash.field(field.number);
    for (Map.Entry<BytesRef, OffloadTermState> entry : states.entrySet()) {
      assertSame(entry.getValue(), hash.find(where, entry.getKey(), false), entry.getKey());
    }
  }

  /** Terms of bytes, from none to some hundreds, many with the beginning of another. */
  final TreeSet<BytesRef> binaryTerms(int count) {
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

  final byte[] readFile() throws IOException {
    try (IndexInput in = directory.openInput("_0_s.odh", IOContext.READONCE)) {
      byte[] bytes = new byte[(int) in.length()];
      in.readBytes(bytes, 0, bytes.length);
      return bytes;
    }
  }

  final void replaceFile(byte[] bytes, int length, boolean footer) throws IOException {
    directory.deleteFile("_0_s.odh");
    try (IndexOutput out = directory.createOutput("_0_s.odh", IOContext.DEFAULT)) {
      out.writeBytes(bytes, length);
      if (footer) {
        CodecUtil.writeFooter(out);
      }
    }
  }
}
