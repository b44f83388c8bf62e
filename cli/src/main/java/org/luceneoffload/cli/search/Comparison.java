/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.util.List;
import java.util.Objects;
import org.apache.lucene.search.TotalHits;

/** Compares what the device and the host answered. */
public final class Comparison {
  private static final String EXACT = TotalHits.Relation.EQUAL_TO.name();

  private Comparison() {}

  /**
   * Finds the first difference: a hit's doc, rank or score bits, a doc ID, or the count if both
   * sides say that theirs is exact.
   *
   * @return what differs, in one sentence; null if nothing does
   */
  public static String firstDifference(Answer device, Answer host) {
    if (host.hits() != null) {
      String difference = firstHit(device.hits(), host.hits());
      if (difference != null) {
        return difference;
      }
    }
    if (host.allDocs() != null) {
      String difference = firstDoc(device.allDocs(), host.allDocs());
      if (difference != null) {
        return difference;
      }
    }
    if (host.aggregates() != null) {
      String difference = firstAggregate(device.aggregates(), host.aggregates());
      if (difference != null) {
        return difference;
      }
    }
    boolean exact = device.relation().equals(EXACT) && host.relation().equals(EXACT);
    return exact && device.count() != host.count()
        ? "count: device " + device.count() + ", host " + host.count()
        : null;
  }

  private static String firstHit(List<Hit> device, List<Hit> host) {
    for (int i = 0; i < Math.min(device.size(), host.size()); i++) {
      Hit d = device.get(i);
      Hit h = host.get(i);
      if (d.doc() != h.doc()
          || !Objects.equals(d.scoreBits(), h.scoreBits())
          || !Objects.equals(d.keys(), h.keys())) {
        return "hit " + (i + 1) + ": device " + text(d) + ", host " + text(h);
      }
    }
    return device.size() == host.size()
        ? null
        : "number of hits: device " + device.size() + ", host " + host.size();
  }

  private static String text(Hit hit) {
    return "doc "
        + hit.doc()
        + (hit.keys() != null
            ? " keys " + hit.keys()
            : " score " + hit.score() + " (bits " + hit.scoreBits() + ")");
  }

  private static String firstAggregate(List<AggregateAnswer> device, List<AggregateAnswer> host) {
    for (int i = 0; i < host.size(); i++) {
      if (!host.get(i).equals(device.get(i))) {
        return "device " + device.get(i) + ", host " + host.get(i);
      }
    }
    return null;
  }

  private static String firstDoc(int[] device, int[] host) {
    for (int i = 0; i < Math.min(device.length, host.length); i++) {
      if (device[i] != host[i]) {
        return "doc ID " + (i + 1) + ": device " + device[i] + ", host " + host[i];
      }
    }
    return device.length == host.length
        ? null
        : "number of docs: device " + device.length + ", host " + host.length;
  }
}
