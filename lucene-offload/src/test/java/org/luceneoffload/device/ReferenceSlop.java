/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.util.PriorityQueue;

/** The matches in one doc of a phrase whose terms may move; with the queue that stock has. */
final class ReferenceSlop {
  /** A place of the phrase. */
  static final class Place {
    private final int place;
    private final int number;
    private final boolean repeats;
    private final int[] positions;
    private int at;

    /**
     * A place.
     *
     * @param number in the order of the phrase
     * @param positions those of the doc, ascending
     */
    Place(int place, int number, boolean repeats, int[] positions) {
      this.place = place;
      this.number = number;
      this.repeats = repeats;
      this.positions = positions;
    }

    private int position() {
      return positions[at];
    }

    private int start() {
      return positions[at] - place;
    }
  }

  /** Places, that which is farthest behind first. */
  private static final class Queue extends PriorityQueue<Place> {
    private static final Comparator<Place> ORDER =
        Comparator.comparingInt(Place::start)
            .thenComparingInt(place -> place.place)
            .thenComparingInt(place -> place.number);

    Queue(int size) {
      super(size);
    }

    @Override
    protected boolean lessThan(Place one, Place other) {
      return ORDER.compare(one, other) < 0;
    }
  }

  private final List<Place> places;
  private final List<Place> repeated;
  private final Queue queue;
  private final int slop;
  private int end = Integer.MIN_VALUE;

  ReferenceSlop(List<Place> places, int slop) {
    this.places = places;
    this.slop = slop;
    this.queue = new Queue(places.size());
    this.repeated =
        places.stream()
            .filter(place -> place.repeats)
            .sorted(Comparator.comparingInt(place -> place.place))
            .toList();
  }

  /** The sum of the weights of all matches; 0 if there is none. */
  float frequency() {
    for (int i = 0; i < repeated.size(); i++) {
      repeated.get(i).at = i;
      if (i >= repeated.get(i).positions.length) {
        return 0;
      }
    }
    for (Place place : places) {
      end = Math.max(end, place.start());
      queue.add(place);
    }
    float freq = 0;
    while (true) {
      Place place = queue.pop();
      int next = queue.top().start();
      int length = end - place.start();
      boolean moved = move(place);
      while (moved && place.start() <= next) {
        length = Math.min(length, end - place.start());
        moved = move(place);
      }
      if (length <= slop) {
        freq += 1f / (1f + length);
      }
      if (!moved) {
        return freq;
      }
      queue.add(place);
    }
  }

  /** Moves a place on, and those apart that then stand on one position. */
  private boolean move(Place place) {
    return step(place) && (!place.repeats || part(place));
  }

  private boolean step(Place place) {
    if (++place.at == place.positions.length) {
      return false;
    }
    end = Math.max(end, place.start());
    return true;
  }

  private boolean part(Place outside) {
    List<Place> stale = new ArrayList<>();
    Place place = outside;
    for (Place other = onSamePosition(place); other != null; other = onSamePosition(place)) {
      boolean isBehind =
          place.start() != other.start()
              ? place.start() < other.start()
              : place.place < other.place;
      place = isBehind ? place : other;
      if (!step(place)) {
        return false;
      }
      if (other != outside && !stale.contains(other)) {
        stale.add(other);
      }
    }
    List<Place> taken = new ArrayList<>();
    while (!stale.isEmpty()) {
      Place first = queue.pop();
      taken.add(first);
      stale.remove(first);
    }
    taken.reversed().forEach(queue::add);
    return true;
  }

  private Place onSamePosition(Place place) {
    return repeated.stream()
        .filter(other -> other != place && other.position() == place.position())
        .findFirst()
        .orElse(null);
  }
}
