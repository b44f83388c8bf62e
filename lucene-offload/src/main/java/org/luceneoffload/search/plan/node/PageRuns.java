/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.report.PlanExplanation.PageRun;
import org.luceneoffload.store.volume.Extent;

/** The first pages of lists, as pairs of an LBA and a number of pages. */
public final class PageRuns {
  /** Pages of a list at most, as many as a plan asks for before it reads one (page_run.h). */
  private static final int MAX_LIST_PAGES = 16;

  /** Pages of all lists, about: a few hundred microseconds of a drive. Each list gets one. */
  private static final int MAX_ALL_PAGES = 256;

  private long[] pairs = new long[32];
  private int count;

  /** Adds the first pages of all lists under a node. */
  public void addLists(LeafNode node) {
    node.addPages(this);
    for (LeafNode child : node.children()) {
      addLists(child);
    }
  }

  /** Adds the first pages of a list. */
  void add(SegmentImage image, int first, int pageCount) {
    if (pageCount == 0) {
      return;
    }
    Extent extent = Extent.of(image.extents(), first);
    if (extent == null) {
      return;
    }
    if (2 * count == pairs.length) {
      pairs = Arrays.copyOf(pairs, 2 * pairs.length);
    }
    pairs[2 * count] = extent.lbaOf(first);
    pairs[2 * count + 1] =
        Math.min(MAX_LIST_PAGES, Math.min(pageCount, extent.endFilePage() - first));
    count++;
  }

  /** Returns where pages of an image are on the device, in order. */
  static List<PageRun> of(SegmentImage image, int first, int pageCount) {
    List<PageRun> runs = new ArrayList<>();
    int page = first;
    Extent extent = Extent.of(image.extents(), page);
    while (page < first + pageCount && extent != null) {
      int count = Math.min(first + pageCount, extent.endFilePage()) - page;
      runs.add(new PageRun(extent.lbaOf(page), count));
      page += count;
      extent = Extent.of(image.extents(), page);
    }
    return runs;
  }

  /** Returns how many pairs there are. */
  public int count() {
    return count;
  }

  /** Returns the pairs; with many lists, fewer pages of each. */
  public long[] pairs() {
    long most = Math.max(1, MAX_ALL_PAGES / Math.max(1, count));
    for (int i = 0; i < count; i++) {
      pairs[2 * i + 1] = Math.min(pairs[2 * i + 1], most);
    }
    return pairs;
  }
}
