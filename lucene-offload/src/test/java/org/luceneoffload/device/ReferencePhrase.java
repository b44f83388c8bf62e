/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.luceneoffload.wire.ListRef;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.Plan;
import org.luceneoffload.wire.PlanNode;

/** A phrase of a plan, all of whose positions are in memory. */
final class ReferencePhrase {
  /** A term: its place in the phrase, and by doc its positions. */
  private record Term(int place, Map<Integer, List<Integer>> positions) {}

  private final List<Term> terms = new ArrayList<>();
  private final Map<Integer, Integer> norms = new TreeMap<>();

  private ReferencePhrase() {}

  /** Reads the lists of a node and their positions. */
  static ReferencePhrase read(Plan plan, PlanNode node, ReferenceLists lists) throws IOException {
    ReferencePhrase phrase = new ReferencePhrase();
    for (int i = 0; i < node.ranges(); i++) {
      ListRef list = plan.lists().get(node.list() + 2 * i);
      ListRef at = plan.lists().get(node.list() + 2 * i + 1);
      ReferenceLists.Postings postings = lists.read(list);
      for (int p = 0; p < postings.docs().length; p++) {
        phrase.norms.put(postings.docs()[p], postings.norms()[p]);
      }
      phrase.terms.add(new Term(at.inlineDoc(), positions(postings, at, lists)));
    }
    return phrase;
  }

  private static Map<Integer, List<Integer>> positions(
      ReferenceLists.Postings postings, ListRef at, ReferenceLists lists) throws IOException {
    if (at.pageCount() == 0) {
      return Map.of(postings.docs()[0], List.of(at.inlineFreq()));
    }
    int[] values = lists.positionValues(at, postings);
    Map<Integer, List<Integer>> positions = new TreeMap<>();
    int next = 0;
    for (int p = 0; p < postings.docs().length; p++) {
      List<Integer> ofDoc = new ArrayList<>();
      int position = 0;
      for (int i = 0; i < postings.freqs()[p]; i++) {
        if (next == values.length) {
          throw new OffloadException(OffloadWire.Status.LIST_CORRUPT, "too few positions");
        }
        position += values[next++];
        ofDoc.add(position);
      }
      positions.put(postings.docs()[p], ofDoc);
    }
    return positions;
  }

  /** How often the phrase occurs, for each doc in which it does. */
  Map<Integer, Integer> occurrences() {
    Map<Integer, Integer> found = new TreeMap<>();
    Term first = terms.getFirst();
    first.positions.forEach(
        (doc, positions) -> {
          long count = positions.stream().filter(start -> all(doc, start - first.place)).count();
          if (count > 0) {
            found.put(doc, (int) count);
          }
        });
    return found;
  }

  private boolean all(int doc, int start) {
    return terms.stream()
        .allMatch(term -> term.positions.getOrDefault(doc, List.of()).contains(start + term.place));
  }

  /** The norm byte of a doc. */
  int norm(int doc) {
    return norms.get(doc);
  }
}
