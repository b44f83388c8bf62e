/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.codec.position.PositionedFields;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.TermHash;
import org.luceneoffload.codec.term.TermHashWriter;
import org.luceneoffload.report.OffloadStats.Counter;

/** A term hash that is missing, of something else, of the first version, cut short or damaged. */
class TestTermHashIntegrity extends TermHashTestCase {
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
        TermHashWriter.on(
            out,
            STAMP,
            StringHelper.randomId(),
            "s",
            TermHash.MAX_TERMS,
            0,
            PositionedFields.NONE)) {
      writer.finish();
    }
    assertUnusable(open(), "of another segment");
    assertEquals(4, stats.get(Counter.TERM_HASHES_UNUSABLE));
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
    assertEquals(TermHash.VERSION_PAGES, made[version]);
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
        assertEquals(
            texts.containsKey(term), hash.find(hash.field(TEXT.number), term, false) != null);
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
          OffloadTermState state = hash.find(field, entry.getKey(), false);
          if (state == TermHash.UNKNOWN) {
            unknown++;
            break; // and so on
          }
          assertSame(entry.getValue(), state, entry.getKey());
          found++;
        }
        for (BytesRef term : absent) {
          OffloadTermState state = hash.find(field, term, false);
          assertTrue(state == null || state == TermHash.UNKNOWN, term::toString);
        }
        hash.checkIntegrity();
        assertNotNull(hash.unusableReason());
        assertEquals(TermHash.UNKNOWN, hash.find(field, absent.get(0), false));
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
