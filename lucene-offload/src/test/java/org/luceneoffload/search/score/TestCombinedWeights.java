/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.score;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CombinedFieldQuery;
import org.junit.jupiter.api.Test;

class TestCombinedWeights {
  private static CombinedFieldQuery query(String word, String one, float weight, String other) {
    return new CombinedFieldQuery.Builder(word).addField(one, weight).addField(other).build();
  }

  @Test
  void weightsAreReadInTheOrderOfNames() {
    CombinedFields read = CombinedFields.of(query("w", "title", 2.5f, "body"), null);
    assertEquals(List.of(new Term("body", "w"), new Term("title", "w")), read.terms());
    assertArrayEquals(new float[] {1f, 2.5f}, read.weights());
  }

  @Test
  void likeFieldsShareWhatNamesTheirNorms() {
    CombinedFields one = CombinedFields.of(query("w", "title", 2.5f, "body"), null);
    CombinedFields other = CombinedFields.of(query("v", "title", 2.5f, "body"), one);
    assertEquals(List.of(new Term("body", "v"), new Term("title", "v")), other.terms());
    assertArrayEquals(new float[] {1f, 2.5f}, other.weights());
    assertSame(one.anyTerm(), other.anyTerm());
  }

  @Test
  void weightsOfOthersAreNotTaken() {
    CombinedFields like = CombinedFields.of(query("w", "title", 2.5f, "body"), null);
    CombinedFields heavier = CombinedFields.of(query("w", "title", 2.75f, "body"), like);
    assertArrayEquals(new float[] {1f, 2.75f}, heavier.weights());
    assertNotEquals(like.anyTerm(), heavier.anyTerm());
    CombinedFields plain = CombinedFields.of(query("w", "title", 1f, "body"), like);
    assertArrayEquals(new float[] {1f, 1f}, plain.weights());
    CombinedFields fields = CombinedFields.of(query("w", "title", 2.5f, "abstract"), like);
    assertEquals(List.of(new Term("abstract", "w"), new Term("title", "w")), fields.terms());
    assertArrayEquals(new float[] {1f, 2.5f}, fields.weights());
    CombinedFields lone =
        CombinedFields.of(
            new CombinedFieldQuery.Builder("w").addField("title", 2.5f).build(), like);
    assertArrayEquals(new float[] {2.5f}, lone.weights());
  }
}
