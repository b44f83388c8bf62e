/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class TestComparison {
  private static final String EXACT = "EQUAL_TO";
  private static final String AT_LEAST = "GREATER_THAN_OR_EQUAL_TO";

  private static Answer top(long count, String relation, Hit... hits) {
    return new Answer(count, relation, List.of(hits), null, null, null, 1, null, null, null);
  }

  private static Answer docs(int... docs) {
    return new Answer(
        docs.length, EXACT, null, Answer.checksum(docs), null, null, 1, null, null, docs);
  }

  private static Hit hit(int rank, int doc, float score) {
    String bits = String.format(Locale.ROOT, "%08x", Float.floatToRawIntBits(score));
    return new Hit(rank, doc, score, bits, null, null, null);
  }

  private static void differs(String words, Answer device, Answer host) {
    String difference = Comparison.firstDifference(device, host);
    assertTrue(difference != null && difference.contains(words), difference);
  }

  @Test
  void equalAnswersAreEqual() {
    assertNull(
        Comparison.firstDifference(top(1, EXACT, hit(1, 5, 2f)), top(1, EXACT, hit(1, 5, 2f))));
    assertNull(Comparison.firstDifference(docs(1, 2, 9), docs(1, 2, 9)));
    assertNull(Comparison.firstDifference(docs(), docs()));
  }

  @Test
  void oneBitOfAScoreIsADifference() {
    differs(
        "hit 2",
        top(2, EXACT, hit(1, 5, 2f), hit(2, 6, Math.nextUp(1f))),
        top(2, EXACT, hit(1, 5, 2f), hit(2, 6, 1f)));
  }

  @Test
  void orderAndNumberMatter() {
    differs(
        "hit 1: device doc 6",
        top(2, EXACT, hit(1, 6, 1f), hit(2, 5, 1f)),
        top(2, EXACT, hit(1, 5, 1f), hit(2, 6, 1f)));
    differs("number of hits: device 0, host 1", top(0, EXACT), top(1, EXACT, hit(1, 5, 1f)));
    differs("doc ID 2: device 3, host 2", docs(1, 3), docs(1, 2));
    differs("number of docs: device 1, host 2", docs(1), docs(1, 2));
  }

  @Test
  void countsMatterWhereBothAreExact() {
    differs("count: device 3, host 4", top(3, EXACT), top(4, EXACT));
    assertNull(Comparison.firstDifference(top(3, EXACT), top(2, AT_LEAST)));
    assertNull(Comparison.firstDifference(top(1200, AT_LEAST), top(1100, AT_LEAST)));
  }

  @Test
  void checksumsTellOrder() {
    assertEquals("00000000", Answer.checksum(new int[0]));
    assertEquals(Answer.checksum(new int[] {1, 2}), Answer.checksum(new int[] {1, 2}));
    assertTrue(!Answer.checksum(new int[] {1, 2}).equals(Answer.checksum(new int[] {2, 1})));
  }
}
