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
  /** A place of the phrase, and by doc the positions of its terms. */
  private record Place(int place, boolean repeats, Map<Integer, List<Integer>> positions) {}

  private final List<Place> places = new ArrayList<>();
  private final Map<Integer, Integer> norms = new TreeMap<>();
  private final int slop;
  private final int op;

  private ReferencePhrase(PlanNode node) {
    this.slop = node.minShould();
    this.op = node.op();
  }

  /** Reads the lists of a node and their positions. */
  static ReferencePhrase read(Plan plan, PlanNode node, ReferenceLists lists) throws IOException {
    ReferencePhrase phrase = new ReferencePhrase(node);
    for (int i = 0; i < node.ranges(); i++) {
      ListRef list = plan.lists().get(node.list() + 2 * i);
      ListRef at = plan.lists().get(node.list() + 2 * i + 1);
      ReferenceLists.Postings postings = lists.read(list);
      for (int p = 0; p < postings.docs().length; p++) {
        phrase.norms.put(postings.docs()[p], postings.norms()[p]);
      }
      if ((at.inlineNorm() & OffloadWire.PositionUse.ALTERNATIVE) == 0) {
        boolean repeats = (at.inlineNorm() & OffloadWire.PositionUse.REPEAT) != 0;
        phrase.places.add(new Place(at.inlineDoc(), repeats, new TreeMap<>()));
      }
      Map<Integer, List<Integer>> found = phrase.places.getLast().positions;
      positions(postings, at, lists)
          .forEach((doc, more) -> found.computeIfAbsent(doc, d -> new ArrayList<>()).addAll(more));
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

  /** The frequency of the phrase, for each doc that matches. */
  Map<Integer, Float> frequencies() {
    Map<Integer, Float> found = new TreeMap<>();
    for (int doc : places.getFirst().positions.keySet()) {
      if (places.stream().allMatch(place -> place.positions.containsKey(doc))) {
        float freq = isNear(op) ? near(doc) : slop > 0 ? sloppy(doc) : occurrences(doc);
        if (freq > 0) {
          found.put(doc, freq);
        }
      }
    }
    return found;
  }

  static boolean isNear(int op) {
    return op >= OffloadWire.Op.ORDERED_SPANS && op <= OffloadWire.Op.UNORDERED_INTERVALS;
  }

  static boolean intervals(int op) {
    return op == OffloadWire.Op.ORDERED_INTERVALS || op == OffloadWire.Op.UNORDERED_INTERVALS;
  }

  private float near(int doc) {
    int[][] positions =
        places.stream()
            .map(place -> place.positions.get(doc).stream().mapToInt(i -> i).sorted().toArray())
            .toArray(int[][]::new);
    return new ReferenceNear(positions, slop).frequency(op);
  }

  private float occurrences(int doc) {
    Place first = places.getFirst();
    long count =
        first.positions.get(doc).stream().filter(start -> all(doc, start - first.place)).count();
    return count;
  }

  private boolean all(int doc, int start) {
    return places.stream()
        .allMatch(place -> place.positions.get(doc).contains(start + place.place));
  }

  private float sloppy(int doc) {
    List<ReferenceSlop.Place> all = new ArrayList<>();
    for (Place place : places) {
      int[] positions = place.positions.get(doc).stream().mapToInt(i -> i).sorted().toArray();
      all.add(new ReferenceSlop.Place(place.place, all.size(), place.repeats, positions));
    }
    return new ReferenceSlop(all, slop).frequency();
  }

  /** The norm byte of a doc. */
  int norm(int doc) {
    return norms.get(doc);
  }
}
