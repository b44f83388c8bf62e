/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.sort;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.lucene.search.FieldComparator;
import org.apache.lucene.search.FieldComparatorSource;
import org.apache.lucene.search.Pruning;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.SortedNumericSortField;
import org.apache.lucene.search.SortedSetSelector;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.wire.OffloadWire.SortSelector;
import org.luceneoffload.wire.OffloadWire.SortTransform;
import org.luceneoffload.wire.sort.KeyValues;
import org.luceneoffload.wire.sort.SortKey;

/** Which sort fields are taken, and what their keys are. */
class TestSortFieldKey {
  private static final SortFieldKey.Keywords NONE =
      ord -> {
        throw new AssertionError("ordinal " + ord);
      };

  @Test
  void numbers() throws IOException {
    SortFieldKey key = SortFieldKey.of(new SortField("n", SortField.Type.INT, true, 7));
    assertEquals("n", key.field());
    assertEquals(
        SortKey.ofColumn(2, SortTransform.I32, SortSelector.MIN, KeyValues.ofInt(7), true),
        key.key(2, 0));
    assertEquals(SortKey.constant(KeyValues.ofInt(7), true), key.key(-1, 0));
    assertEquals(-5, key.valueOf(key.keyOf(-5, 0), 0, NONE));
    SortFieldKey plain = SortFieldKey.of(new SortField("d", SortField.Type.DOUBLE));
    assertEquals(
        SortKey.ofColumn(0, SortTransform.F64, SortSelector.MIN, KeyValues.ofDouble(0), false),
        plain.key(0, 0));
    assertEquals(Double.NaN, plain.valueOf(plain.keyOf(Double.NaN, 0), 0, NONE));
    SortFieldKey several =
        SortFieldKey.of(
            new SortedNumericSortField(
                "f", SortField.Type.FLOAT, false, SortedNumericSelector.Type.MAX));
    assertEquals(
        SortKey.ofColumn(
            1, SortTransform.SORTABLE_F32, SortSelector.MAX, KeyValues.ofFloat(0f), false),
        several.key(1, 0));
    assertEquals(-0f, several.valueOf(several.keyOf(-0f, 0), 0, NONE));
    SortFieldKey longs = SortFieldKey.of(new SortField("l", SortField.Type.LONG));
    assertEquals(Long.MIN_VALUE, longs.valueOf(longs.keyOf(Long.MIN_VALUE, 0), 0, NONE));
  }

  @Test
  void scoresAndDocs() throws IOException {
    SortFieldKey score = SortFieldKey.of(SortField.FIELD_SCORE);
    assertTrue(score.isScore());
    assertNull(score.field());
    assertEquals(SortKey.ofScore(false), score.key(-1, 0));
    assertEquals(2.5f, score.valueOf(score.keyOf(2.5f, 0), 0, NONE));
    SortFieldKey doc = SortFieldKey.of(SortField.FIELD_DOC);
    assertEquals(SortKey.ofDoc(false), doc.key(-1, 0));
    assertEquals(KeyValues.ofDoc(-80), doc.keyOf(20, 100));
    assertEquals(120, doc.valueOf(KeyValues.ofDoc(20), 100, NONE));
  }

  @Test
  void keywords() throws IOException {
    SortField field = new SortField("k", SortField.Type.STRING, false, SortField.STRING_LAST);
    SortFieldKey last = SortFieldKey.of(field);
    assertTrue(last.isKeyword());
    assertEquals(KeyValues.MISSING_LAST, last.key(0, 0).missing());
    assertNull(last.valueOf(KeyValues.MISSING_LAST, 0, NONE));
    BytesRef shared = new BytesRef("seven");
    Object value = last.valueOf(KeyValues.ofOrd(7), 0, ord -> ord == 7 ? shared : null);
    shared.bytes[0] = 'x';
    assertEquals(new BytesRef("seven"), value);
    SortFieldKey set =
        SortFieldKey.of(new SortedSetSortField("k", true, SortedSetSelector.Type.MAX));
    assertEquals(
        SortKey.ofColumn(3, SortTransform.ORD, SortSelector.MAX, KeyValues.MISSING_FIRST, true),
        set.key(3, 0));
    assertThrows(IllegalArgumentException.class, () -> set.keyOf(new BytesRef("a"), 0));
  }

  @Test
  void othersAreNotTaken() {
    assertNull(SortFieldKey.of(new SortField("s", SortField.Type.STRING_VAL)));
    assertNull(
        SortFieldKey.of(new SortedSetSortField("k", false, SortedSetSelector.Type.MIDDLE_MIN)));
    FieldComparatorSource custom =
        new FieldComparatorSource() {
          @Override
          public FieldComparator<?> newComparator(
              String name, int hits, Pruning pruning, boolean reversed) {
            throw new UnsupportedOperationException();
          }
        };
    assertNull(SortFieldKey.of(new SortField("c", custom)));
    assertNull(SortFieldKey.of(new SortField("n", SortField.Type.INT) {}));
  }
}
