/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.luceneoffload.search.spans.NearTerms;

/**
 * The terms of a phrase, place by place, in the order in which stock matches them: if none may
 * move, by place, and at one place by how many terms stand there and as these are ordered, so that
 * the positions of the first are counted; else in that of the query.
 *
 * @param terms the terms
 * @param places where each of them stands, from 0 on
 * @param slots which of the phrase's places that is, ascending: terms of one slot are alternatives
 * @param repeats whether the term is that of another slot, too, and each takes its own position
 * @param numbers the number of each of them in the query
 * @param slop by how much terms may move; of terms near each other the most gaps
 * @param near how terms are near each other, a value of {@link
 *     org.luceneoffload.wire.OffloadWire.Op}; 0 of a phrase
 */
public record PhraseTerms(
    List<Term> terms,
    int[] places,
    int[] slots,
    boolean[] repeats,
    int[] numbers,
    int slop,
    int near) {
  private static final int MAX_SLOP = 0xFFFF; // a u16 of the wire

  /**
   * Stock's lengths of sloppy matches overflow an int where terms stand farther apart than this.
   */
  private static final int MAX_SLOPPY_SPAN = Integer.MAX_VALUE - IndexWriter.MAX_POSITION;

  /** Each costs the device time in every block of docs; so many have been measured. */
  private static final int MAX_ALTERNATIVES = 64;

  /** A place of a query: its terms, and the number of the first of them. */
  private record Slot(Term[] terms, Term[] sorted, int place, int number) {
    private static int compare(Slot one, Slot other) {
      if (one.place != other.place) {
        return Integer.compare(one.place, other.place);
      }
      if (one.terms.length != other.terms.length) {
        return Integer.compare(one.terms.length, other.terms.length);
      }
      return Arrays.compare(one.sorted, other.sorted);
    }
  }

  /** Returns whether plans can express a rewritten phrase. */
  public static boolean areExpressible(PhraseQuery query) {
    int[] places = query.getPositions();
    return places.length >= 2
        && places[0] == 0
        && query.getSlop() <= MAX_SLOP
        && (query.getSlop() == 0 || slopIsSteady(arrays(query), places));
  }

  /** Returns whether plans can express a rewritten phrase of alternatives. */
  public static boolean areExpressible(MultiPhraseQuery query) {
    Term[][] arrays = query.getTermArrays();
    int[] places = query.getPositions();
    for (Term[] terms : arrays) {
      if (terms.length == 0 || terms.length > MAX_ALTERNATIVES) {
        return false;
      }
    }
    return arrays.length >= 2
        && span(places) <= Integer.MAX_VALUE
        && query.getSlop() <= MAX_SLOP
        && (query.getSlop() == 0 || slopIsSteady(arrays, places));
  }

  private static long span(int[] places) {
    return (long) Arrays.stream(places).max().orElse(0) - Arrays.stream(places).min().orElse(0);
  }

  private static Term[][] arrays(PhraseQuery query) {
    return Arrays.stream(query.getTerms()).map(term -> new Term[] {term}).toArray(Term[][]::new);
  }

  /** Returns whether what stock makes of a sloppy phrase depends on the true matches alone. */
  private static boolean slopIsSteady(Term[][] arrays, int[] places) {
    return span(places) <= MAX_SLOPPY_SPAN && repeatIsSteady(arrays, places);
  }

  /**
   * Returns whether what stock makes of terms that come twice depends on the phrase alone. With
   * several such terms it depends on the first document that is looked at, with alternatives on
   * addresses.
   */
  private static boolean repeatIsSteady(Term[][] arrays, int[] places) {
    Set<Term> repeated = repeatedTerms(arrays);
    if (repeated.isEmpty()) {
      return true;
    }
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < arrays.length; i++) {
      boolean repeats = Arrays.stream(arrays[i]).anyMatch(repeated::contains);
      if (repeats && (arrays[i].length > 1 || !seen.add(places[i]))) {
        return false;
      }
    }
    return repeated.size() == 1;
  }

  private static Set<Term> repeatedTerms(Term[][] arrays) {
    Set<Term> all = new HashSet<>();
    Set<Term> repeated = new HashSet<>();
    for (Term[] terms : arrays) {
      for (Term term : terms) {
        if (!all.add(term)) {
          repeated.add(term);
        }
      }
    }
    return repeated;
  }

  /** Returns the terms of a phrase. */
  public static PhraseTerms of(PhraseQuery query) {
    return of(arrays(query), query.getPositions(), query.getSlop());
  }

  /** Returns the terms of a phrase of alternatives. */
  public static PhraseTerms of(MultiPhraseQuery query) {
    return of(query.getTermArrays(), query.getPositions(), query.getSlop());
  }

  /** Returns terms near each other, each a place of its own. */
  public static PhraseTerms of(NearTerms near) {
    int count = near.terms().size();
    int[] numbers = IntStream.range(0, count).toArray();
    boolean[] none = new boolean[count];
    return new PhraseTerms(
        near.terms(), new int[count], numbers, none, numbers, near.limit(), near.op());
  }

  private static PhraseTerms of(Term[][] arrays, int[] positions, int slop) {
    List<Slot> slots = new ArrayList<>(arrays.length);
    int count = 0;
    for (int i = 0; i < arrays.length; i++) {
      Term[] sorted = arrays[i].clone();
      Arrays.sort(sorted);
      slots.add(new Slot(arrays[i], sorted, positions[i], count));
      count += arrays[i].length;
    }
    Set<Term> repeated = slop == 0 ? Set.of() : repeatedTerms(arrays);
    if (slop == 0) {
      slots.sort(Slot::compare);
    }
    int first = Arrays.stream(positions).min().orElse(0);
    PhraseTerms phrase =
        new PhraseTerms(
            new ArrayList<>(count),
            new int[count],
            new int[count],
            new boolean[count],
            new int[count],
            slop,
            0);
    for (int s = 0; s < slots.size(); s++) {
      Slot slot = slots.get(s);
      for (int i = 0; i < slot.terms.length; i++) {
        int at = phrase.terms.size();
        phrase.terms.add(slot.terms[i]);
        phrase.places[at] = slot.place - first;
        phrase.slots[at] = s;
        phrase.repeats[at] = repeated.contains(slot.terms[i]);
        phrase.numbers[at] = slot.number + i;
      }
    }
    return phrase;
  }

  /** Returns for each term its number among the terms, or that of an equal one before it. */
  public int[] known() {
    Map<Term, Integer> seen = new HashMap<>();
    int[] known = new int[terms.size()];
    for (int i = 0; i < known.length; i++) {
      Integer before = seen.putIfAbsent(terms.get(i), i);
      known[i] = before == null ? i : before;
    }
    return known;
  }

  /**
   * Returns the sum that stock makes of a number of each term: in double, in the order of the
   * query.
   *
   * @param values in the order of {@link #terms}; 0 of those that are not there
   */
  public float sum(float[] values) {
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
