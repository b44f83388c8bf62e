/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.explore;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.report.PlanExplanation.PageRun;

/**
 * Which pages of a posting list or a column a plan has used, and which were read.
 *
 * @param segment number of the segment in the reader
 * @param node number of the node in the segment's plan, in the order in which it is printed
 * @param name term or field
 * @param pages pages of the list or column
 * @param used how many of them the plan took up, to decode their blocks or step over them
 * @param read how many were read, those included that were read ahead in vain
 * @param pagesPerCell pages that one cell stands for; fewer for the last
 * @param usedCells how many pages of each cell the plan took up
 * @param readCells how many were read
 */
record PageStrip(
    int segment,
    int node,
    String name,
    int pages,
    int used,
    int read,
    int pagesPerCell,
    int[] usedCells,
    int[] readCells) {
  private static final int MAX_CELLS = 160;

  /** Pages of the device, by their LBAs. */
  record Pages(Set<Long> used, Set<Long> read) {}

  /** Returns the strips of all lists and columns of a query that are in pages. */
  static List<PageStrip> of(PlanExplanation plan, Pages pages) {
    List<PageStrip> strips = new ArrayList<>();
    for (PlanExplanation.Leaf leaf : plan.leaves()) {
      if (leaf.plan() != null) {
        add(leaf.ord(), leaf.plan(), 0, pages, strips);
      }
    }
    return strips;
  }

  /** Adds the strips of a subtree; returns the number of the node that comes after it. */
  private static int add(
      int segment, PlanExplanation.Node node, int number, Pages pages, List<PageStrip> strips) {
    List<PageRun> runs = List.of();
    String name = null;
    if (node.list() != null) {
      name = node.list().term();
      runs = node.list().runs();
    } else if (node.range() != null) {
      name = node.range().field();
      runs = node.range().runs();
    }
    if (!runs.isEmpty()) {
      strips.add(of(segment, number, name, runs, pages));
    }
    int next = number + 1;
    for (PlanExplanation.Node child : node.children()) {
      next = add(segment, child, next, pages, strips);
    }
    return next;
  }

  private static PageStrip of(int segment, int node, String name, List<PageRun> runs, Pages pages) {
    int count = runs.stream().mapToInt(PageRun::pages).sum();
    int pagesPerCell = Math.ceilDiv(count, MAX_CELLS);
    int[] used = new int[Math.ceilDiv(count, pagesPerCell)];
    int[] read = new int[used.length];
    int page = 0;
    for (PageRun run : runs) {
      for (int i = 0; i < run.pages(); i++, page++) {
        boolean isUsed = pages.used.contains(run.lba() + i);
        used[page / pagesPerCell] += isUsed ? 1 : 0;
        read[page / pagesPerCell] += isUsed || pages.read.contains(run.lba() + i) ? 1 : 0;
      }
    }
    return new PageStrip(
        segment,
        node,
        name,
        count,
        IntStream.of(used).sum(),
        IntStream.of(read).sum(),
        pagesPerCell,
        used,
        read);
  }
}
