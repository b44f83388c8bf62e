/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import java.util.List;
import org.luceneoffload.planner.CostModel;
import org.luceneoffload.planner.ExpectedWork;
import org.luceneoffload.report.PlanExplanation.LeafEstimate;
import org.luceneoffload.wire.OffloadWire.ModelWork;

/**
 * Estimates the classic programs (Wang and Park, IEEE Transactions on Computers 2016): adaptive
 * intersection, union, difference, and their ranked forms. The counts are the paper's estimates n1
 * log n2, with the constants that its loops have: a binary search that starts where the last one
 * ended looks at log2(n) - 1.44 elements on the average, since what is left of a list of n shrinks
 * evenly. Documents are taken to be spread at random, lists to be independent. Pages are taken to
 * be loaded one after the other, as on the paper's device.
 */
public final class ClassicEstimate {
  private static final int PAGE_BYTES = 8192;
  private static final int PAGE_ENTRIES = 256;
  private static final int RESULT_BYTES = 16;
  private static final int METADATA_BYTES = 24;
  private static final int TOP = 10;
  private static final int LINEAR_RATIO = 4;

  /** Mean of log2(n) - log2(what is left of n): 1 / ln 2. */
  private static final double SHRINKING = 1 / Math.log(2);

  /** A search that ends where it began takes one step less than every second other. */
  private static final double UNMOVED = 0.5;

  /**
   * Heap slots and comparisons for each e-fold of results beyond the heap, as they were counted.
   */
  private static final double HEAP_WORK = 75;

  private final ClassicRequest request;
  private final ExpectedWork work = new ExpectedWork();

  private ClassicEstimate(ClassicRequest request) {
    this.request = request;
  }

  /** Returns the expected time of a request on either side. */
  public static LeafEstimate of(CostModel costs, ClassicRequest request) {
    return costs.estimate(
        new ClassicEstimate(request).onDevice(costs.deviceDramBytes()),
        new ClassicEstimate(request).onHost());
  }

  private ExpectedWork onDevice(long dramBytes) {
    double results = operate(request.ranked());
    addLoads(dramBytes);
    work.openedBytes = (double) METADATA_BYTES * request.lengths().size();
    if (request.ranked()) {
      rank(results);
      work.sentBytes = Math.min(results, TOP) * RESULT_BYTES;
    } else {
      work.sentBytes = results * RESULT_BYTES;
      work.ranked = request.hostRanks() ? results : 0;
    }
    return work;
  }

  /**
   * Estimates the host's work. The host does not compute scores in the lists; it ranks results in
   * its own way.
   */
  private ExpectedWork onHost() {
    double results = operate(false);
    addLoads(Long.MAX_VALUE);
    work.ranked = request.hostRanks() || request.ranked() ? results : 0;
    return work;
  }

  /** Counts the operation's work, and returns the number of results. */
  private double operate(boolean ranked) {
    double results =
        switch (request.operation()) {
          case INTERSECTION -> intersection(ranked);
          case UNION -> union(ranked);
          case DIFFERENCE -> difference(ranked);
        };
    work.add(ModelWork.RESULT_WRITE, results);
    return results;
  }

  /**
   * Adds a load of every page; if memory is short, one of each page that is not resident for each
   * chunk that is.
   */
  private void addLoads(long dramBytes) {
    work.loadBytes = PAGE_BYTES;
    double all = 0;
    double least = Double.MAX_VALUE;
    for (int length : request.lengths()) {
      double pages = Math.ceil((double) length / PAGE_ENTRIES);
      all += pages;
      least = Math.min(least, pages);
    }
    work.loads = all;
    if (request.operation() == Operation.DIFFERENCE) {
      least = Math.ceil((double) request.lengths().get(0) / PAGE_ENTRIES);
    }
    boolean whole = all * PAGE_BYTES + least * PAGE_BYTES / 2 <= dramBytes;
    if (!whole && request.operation() != Operation.UNION) {
      double chunks = Math.max(1, Math.ceil(2 * least * PAGE_BYTES / dramBytes));
      work.loads = least + (all - least) * chunks;
    }
    work.inOrder = work.loads;
    work.add(ModelWork.PAGE_OPEN, work.loads);
  }

  private static boolean isLinear(List<Integer> lengths) {
    long least = Long.MAX_VALUE;
    long most = 0;
    for (int length : lengths) {
      least = Math.min(least, length);
      most = Math.max(most, length);
    }
    return most < LINEAR_RATIO * least;
  }

  /** Returns how many elements a binary search looks at, in a list of so many. */
  private static double searchReads(double length) {
    return length < 1 ? 0 : Math.max(1, log2(length + 1) - SHRINKING);
  }

  private static double log2(double x) {
    return Math.log(x) / Math.log(2);
  }

  /** Returns how many documents lists share by chance. */
  private double common() {
    double common = request.maxDoc();
    for (int length : request.lengths()) {
      common *= length / (double) request.maxDoc();
    }
    return common;
  }

  /**
   * Counts an intersection, in which the pivot goes round the lists. A search in a list of n brings
   * it maxDoc / n further on, so that it goes round 1 / sum(1 / n) times.
   */
  private double intersection(boolean ranked) {
    double inverse = 0;
    double sum = 0;
    double reads = 0;
    for (int length : request.lengths()) {
      if (length == 0) {
        return 0;
      }
      inverse += 1.0 / length;
      sum += length;
      reads += searchReads(length);
    }
    double rounds = 1 / inverse;
    double results = common();
    if (isLinear(request.lengths())) {
      // Each element once, and once more where a search ends and the next begins.
      double linear = sum + rounds * request.lengths().size();
      work.add(ModelWork.LIST_READ, linear);
      work.add(ModelWork.COMPARE, linear);
    } else {
      work.add(ModelWork.PROBE_READ, rounds * reads);
      work.add(ModelWork.LIST_READ, results);
      work.add(ModelWork.COMPARE, rounds * reads);
    }
    if (ranked) {
      work.add(ModelWork.SCORE_READ, results * request.lengths().size());
    }
    return results;
  }

  private double difference(boolean ranked) {
    double from = request.lengths().get(0);
    double without = request.lengths().get(1);
    double results = Math.max(0, from - common());
    work.add(ModelWork.LIST_READ, from);
    if (isLinear(request.lengths())) {
      work.add(ModelWork.LIST_READ, from + without);
      work.add(ModelWork.COMPARE, from + without);
    } else if (without > 0) {
      double unmoved = from / (from + without);
      double probes = from * Math.max(1, searchReads(without) - UNMOVED * unmoved);
      work.add(ModelWork.PROBE_READ, probes);
      work.add(ModelWork.COMPARE, probes);
    }
    if (ranked) {
      work.add(ModelWork.SCORE_READ, results);
    }
    return results;
  }

  /** Counts a union: for each result the head of every list is read twice. */
  private double union(boolean ranked) {
    double missing = 1;
    double sum = 0;
    int lists = request.lengths().size();
    for (int length : request.lengths()) {
      missing *= 1 - length / (double) request.maxDoc();
      sum += length;
    }
    double results = request.maxDoc() * (1 - missing);
    work.add(ModelWork.LIST_READ, 2 * lists * results);
    work.add(ModelWork.COMPARE, (2 * lists - 1) * results);
    if (ranked) {
      work.add(ModelWork.SCORE_READ, sum);
    }
    return results;
  }

  /** Counts the ranking: results are read again and offered to the heap; few get in. */
  private void rank(double results) {
    double entered = results > TOP ? HEAP_WORK * (1 + Math.log(results / TOP)) : results * 4;
    work.add(ModelWork.RESULT_READ, results);
    work.add(ModelWork.SRAM_ACCESS, results + entered);
    work.add(ModelWork.COMPARE, results + entered / 2);
  }
}
