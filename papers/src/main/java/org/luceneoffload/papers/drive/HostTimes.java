/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What queries take at several places, the best of many rounds. The places take turns: a machine
 * that is busy for a while is so at all of them, and those of the fit are measured beside those
 * that are predicted.
 */
final class HostTimes {
  /** Where queries run. */
  enum Place {
    /** In this process, all pages in memory. */
    MEMORY(false, true),
    /** The same, on cores half as fast: what takes twice as long is the device's work. */
    HALF_CORES(false, true),
    /** The same, on cores that are slower still. */
    SLOW_CORES(false, false),
    /** On a storage node that has all pages in memory. */
    NODE(false, true),
    /** In this process, nothing in memory. */
    COLD(true, true),
    /** The same, on a slowed drive. */
    SLOW_DRIVE(true, false);

    private final boolean cold;
    private final boolean fitted;

    Place(boolean cold, boolean fitted) {
      this.cold = cold;
      this.fitted = fitted;
    }
  }

  private final EnumMap<Place, double[]> best = new EnumMap<>(Place.class);

  /**
   * Times queries.
   *
   * @param labs by the place where their queries run
   * @param lists of queries; the first is that of the fit, which some places are not part of
   * @param turns of each place
   * @param rounds of a place in memory in a turn; of a cold one it is one
   * @return the times of each list
   */
  static List<HostTimes> measure(
      Map<Place, HostLab> labs, List<List<LabIndex.Task>> lists, int turns, int rounds)
      throws IOException {
    List<HostTimes> all = lists.stream().map(list -> new HostTimes()).toList();
    for (int turn = 0; turn < turns; turn++) {
      for (Map.Entry<Place, HostLab> lab : labs.entrySet()) {
        Place place = lab.getKey();
        for (int i = place.fitted ? 0 : 1; i < lists.size(); i++) {
          List<LabIndex.Task> tasks = lists.get(i);
          HostLab at = lab.getValue();
          all.get(i).add(place, place.cold ? at.cold(tasks) : at.warm(tasks, rounds));
        }
      }
    }
    return all;
  }

  private void add(Place place, double[] micros) {
    best.merge(
        place,
        micros,
        (a, b) -> {
          double[] less = new double[a.length];
          Arrays.setAll(less, i -> Math.min(a[i], b[i]));
          return less;
        });
  }

  /** Returns the microseconds of each query of the list. */
  double[] of(Place place) {
    return best.get(place);
  }
}
