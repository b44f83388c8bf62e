/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.PhraseQuery;

/**
 * The terms of an exact phrase in the order in which stock matches them: by place, and at one place
 * as terms are ordered. The positions of the first are counted.
 *
 * @param terms the terms
 * @param places where each of them stands
 * @param numbers the number of each of them in the query
 */
record PhraseTerms(List<Term> terms, int[] places, int[] numbers) {
  /** Returns whether a rewritten phrase is exact, and of several terms. */
  static boolean areExact(PhraseQuery query) {
    int[] places = query.getPositions();
    return query.getSlop() == 0 && places.length >= 2 && places[0] == 0;
  }

  /** The terms of a phrase. */
  static PhraseTerms of(PhraseQuery query) {
    Term[] all = query.getTerms();
    int[] positions = query.getPositions();
    int[] numbers = new int[all.length];
    for (int i = 0; i < numbers.length; i++) {
      int at = i;
      for (; at > 0 && comesBefore(all, positions, i, numbers[at - 1]); at--) {
        numbers[at] = numbers[at - 1];
      }
      numbers[at] = i;
    }
    int[] places = new int[all.length];
    List<Term> terms = new ArrayList<>(all.length);
    for (int i = 0; i < places.length; i++) {
      places[i] = positions[numbers[i]];
      terms.add(all[numbers[i]]);
    }
    return new PhraseTerms(terms, places, numbers);
  }

  private static boolean comesBefore(Term[] terms, int[] positions, int one, int other) {
    return positions[one] != positions[other]
        ? positions[one] < positions[other]
        : terms[one].compareTo(terms[other]) < 0;
  }

  /**
   * The sum that stock makes of a number of each term: in double, in the order of the query.
   *
   * @param values in the order of {@link #terms}
   */
  float sum(float[] values) {
    float[] inOrder = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      inOrder[numbers[i]] = values[i];
    }
    double sum = 0;
    for (float value : inOrder) {
      sum += value;
    }
    return (float) sum;
  }
}
