/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.score;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;

class TestSynonymFactors {
  private static SynonymQuery query(Map<String, Float> factors) {
    SynonymQuery.Builder builder = new SynonymQuery.Builder("body");
    factors.forEach((word, factor) -> builder.addTerm(new Term("body", word), factor));
    return builder.build();
  }

  @Test
  void factorsAreReadWhateverTheTermsLookLike() {
    Map<String, Float> factors = new TreeMap<>();
    factors.put("a", 0.1f);
    factors.put("a b^0.5", 1f);
    factors.put("^", Float.MIN_VALUE);
    factors.put("^0.25", 0.3333333f);
    factors.put(")", 1e-30f);
    factors.put(" ", Math.nextDown(1f));
    factors.put("", 0.75f);
    float[] expected = new float[factors.size()];
    SynonymQuery query = query(factors);
    for (int i = 0; i < expected.length; i++) {
      expected[i] = factors.get(query.getTerms().get(i).text());
    }
    assertArrayEquals(expected, SynonymFactors.of(query));
  }

  @Test
  void termsNeedBeNoText() {
    SynonymQuery query =
        new SynonymQuery.Builder("body")
            .addTerm(new BytesRef(new byte[] {(byte) 0xFF, 0x5E, 0x30}), 0.5f)
            .addTerm(new BytesRef(new byte[] {0x20, (byte) 0xC0}), 0.25f)
            .build();
    float[] factors = SynonymFactors.of(query);
    assertEquals(0.75f, factors[0] + factors[1]);
  }

  @Test
  void withFactorsThereMayBeTwo() {
    assertNotNull(SynonymFactors.steady(query(Map.of("a", 1f, "b", 1f, "c", 1f))));
    assertNotNull(SynonymFactors.steady(query(Map.of("a", 0.5f, "b", 0.3f))));
    assertNull(SynonymFactors.steady(query(Map.of("a", 1f, "b", 0.3f, "c", 1f))));
  }
}
