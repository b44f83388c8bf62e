/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.io.IOException;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.papers.pageindex.IndexLab.Load;
import org.luceneoffload.papers.pageindex.IndexLab.Outcome;

/** What a lab found, each experiment once. */
final class IndexResults {
  private final IndexLab lab;
  private final Map<Load, Map<Kind, Outcome>> outcomes = new EnumMap<>(Load.class);

  IndexResults(IndexLab lab) {
    this.lab = lab;
  }

  /** Returns what a load took with a kind of index. */
  Outcome of(Load load, Kind kind) throws IOException {
    Map<Kind, Outcome> kinds = outcomes.computeIfAbsent(load, l -> new EnumMap<>(Kind.class));
    Outcome known = kinds.get(kind);
    if (known == null) {
      known = lab.run(load, kind);
      kinds.put(kind, known);
    }
    return known;
  }

  /** Returns how many times as fast a kind is as the host's tree. */
  double gain(Load load, Kind kind) throws IOException {
    return of(load, Kind.TREE).ms() / of(load, kind).ms();
  }

  /** A figure of a load. */
  interface Figure {
    double of(Load load) throws IOException;
  }

  /** Returns the mean of a figure over loads. */
  static double mean(Collection<Load> loads, Figure figure) throws IOException {
    double sum = 0;
    for (Load load : loads) {
      sum += figure.of(load);
    }
    return sum / loads.size();
  }

  /** Returns the mean gain over loads. */
  double gain(List<Load> loads, Kind kind) throws IOException {
    return mean(loads, load -> gain(load, kind));
  }

  /** Returns bytes that come to the host over those with the host's tree, in percent. */
  double traffic(Load load, double bytes) throws IOException {
    return 100 * bytes / of(load, Kind.TREE).bytes();
  }

  /** Returns the part of the time that the index takes with the host's tree, in percent. */
  double indexTime(Load load) throws IOException {
    return 100 * (1 - of(load, Kind.ORACLE).ms() / of(load, Kind.TREE).ms());
  }
}
