/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.codec.position.PositionedFields;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.TermHash;
import org.luceneoffload.codec.term.TermHashWriter;

/** Term hashes by themselves; that they agree with a whole index, {@link ImageCheck} checks. */
class TestTermHash extends TermHashTestCase {
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
        assertEquals(texts.containsKey(term), hash.find(hash.field(3), term, false) != null);
        assertEquals(ids.containsKey(term), hash.find(hash.field(5), term, false) != null);
      }
    }
  }

  @Test
  void positionsAreReadWhereTheyAreAskedFor() throws IOException {
    PositionedFields positioned = PositionedFields.of(infos, name -> true);
    Map<BytesRef, OffloadTermState> texts = randomStates(TEXT, binaryTerms(500));
    Map<BytesRef, OffloadTermState> others = randomStates(POSITIONED, binaryTerms(5_000));
    try (TermHashWriter writer = TermHashWriter.open(writeState(), STAMP, positioned)) {
      for (Map.Entry<BytesRef, OffloadTermState> entry : texts.entrySet()) {
        writer.add(TEXT, entry.getKey(), entry.getValue());
      }
      for (Map.Entry<BytesRef, OffloadTermState> entry : others.entrySet()) {
        writer.add(POSITIONED, entry.getKey(), entry.getValue());
      }
      writer.finish();
    }
    try (TermHash hash = open()) {
      assertAll(hash, TEXT, texts);
      assertAll(hash, POSITIONED, others);
      TermHash.Field field = hash.field(POSITIONED.number);
      assertTrue(field.hasPositions() && !hash.field(TEXT.number).hasPositions());
      for (Map.Entry<BytesRef, OffloadTermState> entry : others.entrySet()) {
        assertFalse(hash.find(field, entry.getKey(), false).hasPositions());
        OffloadTermState found = hash.find(field, entry.getKey(), true);
        assertTrue(entry.getValue().isSameList(found), () -> entry.getKey().toString());
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
      assertNotNull(hash.find(hash.field(3), new BytesRef(bytes, 2, bytes.length - 2), false));
      assertNull(hash.find(hash.field(3), new BytesRef(bytes, 2, bytes.length - 3), false));
      assertNull(hash.find(hash.field(3), new BytesRef(bytes, 1, bytes.length - 1), false));
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
        assertNull(hash.find(hash.field(ID.number), new BytesRef("other" + i), false));
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
        assertNull(hash.find(hash.field(TEXT.number), term, false));
      }
    }
  }

  @Test
  void aFieldOfTooManyTermsIsLeftOut() throws IOException {
    try (TermHashWriter writer =
        TermHashWriter.open(writeState(), STAMP, PositionedFields.NONE, 3)) {
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
      assertNotNull(hash.find(hash.field(ID.number), new BytesRef("t2"), false));
      assertNull(hash.find(hash.field(ID.number), new BytesRef("t3"), false));
    }
  }

  /** Merging the same segments twice has to make files of the same lengths. */
  @Test
  void theLengthDoesNotDependOnTheSeed() throws IOException {
    for (int terms : new int[] {1, 2, 10, 63, 64, 65, 1_000, 20_000}) {
      Map<BytesRef, OffloadTermState> states = randomStates(TEXT, binaryTerms(terms));
      Set<Integer> lengths = new HashSet<>();
      for (long stamp = 1; stamp <= 20; stamp++) {
        try (TermHashWriter writer =
            TermHashWriter.open(writeState(), stamp, PositionedFields.NONE)) {
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
      assertNotNull(hash.find(hash.field(TEXT.number), new BytesRef("t"), false));
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
        TermHashWriter.on(
            out, STAMP, segmentId, "s", TermHash.MAX_TERMS, 300, PositionedFields.NONE)) {
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
      writer.add(field, new BytesRef(String.format(Locale.ROOT, "u%09d", i)), state);
    }
  }
}
