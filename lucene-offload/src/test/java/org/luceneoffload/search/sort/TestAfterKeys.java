/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.sort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.SortField;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.wire.sort.KeyValues;
import org.luceneoffload.wire.sort.SortPart;

/** Where a hit stands in a segment of the keywords b, d and f. */
class TestAfterKeys {
  private static final BytesRef[] WORDS =
      Stream.of("b", "d", "f").map(BytesRef::new).toArray(BytesRef[]::new);
  private static final int DOC_BASE = 100;

  private static SortPart part(Object value, boolean reverse, Object missing) throws IOException {
    List<SortFieldKey> fields =
        List.of(
            SortFieldKey.of(new SortField("w", SortField.Type.STRING, reverse, missing)),
            SortFieldKey.of(new SortField("n", SortField.Type.INT, true)));
    SortPart part = new SortPart(List.of(fields.get(0).key(0, 0), fields.get(1).key(1, 0)));
    FieldDoc after = new FieldDoc(DOC_BASE + 10, Float.NaN, new Object[] {value, 5});
    AfterKeys.of(fields, after, DOC_BASE, (name, word) -> Arrays.binarySearch(WORDS, word))
        .limit(part);
    return part;
  }

  private static boolean comesAfter(SortPart part, long key, int number, int doc) {
    return part.lets(new long[] {key, KeyValues.ofInt(number)}, doc);
  }

  @Test
  void keywordOfTheSegment() throws IOException {
    SortPart part = part(new BytesRef("d"), false, null);
    assertTrue(comesAfter(part, KeyValues.ofOrd(1), 5, 11));
    assertFalse(comesAfter(part, KeyValues.ofOrd(1), 5, 10));
    assertTrue(comesAfter(part, KeyValues.ofOrd(1), 4, 0));
    assertFalse(comesAfter(part, KeyValues.ofOrd(1), 6, 20));
    assertTrue(comesAfter(part, KeyValues.ofOrd(2), 9, 0));
    assertFalse(comesAfter(part, KeyValues.ofOrd(0), 0, 20));
    assertFalse(comesAfter(part, KeyValues.MISSING_FIRST, 0, 20));
  }

  @Test
  void keywordsBetweenOrdinals() throws IOException {
    for (boolean reverse : new boolean[] {false, true}) {
      for (Object missing : new Object[] {SortField.STRING_FIRST, SortField.STRING_LAST}) {
        for (String word : List.of("a", "c", "e", "g")) {
          SortPart part = part(new BytesRef(word), reverse, missing);
          for (int ord = 0; ord < WORDS.length; ord++) {
            int order = WORDS[ord].compareTo(new BytesRef(word));
            boolean after = reverse ? order < 0 : order > 0;
            String what = word + ", ordinal " + ord + ", reverse " + reverse;
            assertEquals(after, comesAfter(part, KeyValues.ofOrd(ord), Integer.MIN_VALUE, 0), what);
            assertEquals(after, comesAfter(part, KeyValues.ofOrd(ord), Integer.MAX_VALUE, 0), what);
          }
          boolean last = (missing == SortField.STRING_LAST) != reverse;
          long key =
              missing == SortField.STRING_LAST ? KeyValues.MISSING_LAST : KeyValues.MISSING_FIRST;
          assertEquals(last, comesAfter(part, key, 5, 0), word + ", no keyword");
        }
      }
    }
  }

  @Test
  void noKeyword() throws IOException {
    SortPart first = part(null, false, SortField.STRING_FIRST);
    assertTrue(comesAfter(first, KeyValues.ofOrd(0), 9, 0));
    assertTrue(comesAfter(first, KeyValues.MISSING_FIRST, 5, 11));
    assertFalse(comesAfter(first, KeyValues.MISSING_FIRST, 5, 10));
    SortPart last = part(null, false, SortField.STRING_LAST);
    assertFalse(comesAfter(last, KeyValues.ofOrd(2), 0, 99));
    assertTrue(comesAfter(last, KeyValues.MISSING_LAST, 4, 0));
  }
}
