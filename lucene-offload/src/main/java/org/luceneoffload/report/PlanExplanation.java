/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.report;

import java.util.List;
import java.util.Locale;

/**
 * Says where a query would run, and why: for people and for JSON.
 *
 * @param query the query as asked
 * @param rewritten the query that was compiled
 * @param scored whether scores were asked for
 * @param refusal why the whole query runs on the host; null if it was compiled
 * @param leaves its segments; empty if it was not compiled
 */
public record PlanExplanation(
    String query, String rewritten, boolean scored, Refusal refusal, List<Leaf> leaves) {

  /** The places where a segment's work is done. */
  public enum Place {
    /** On the device. */
    DEVICE,
    /** On the host. */
    HOST,
    /** Nowhere: no doc of the segment can match. */
    NOWHERE
  }

  /**
   * A segment.
   *
   * @param ord number of the segment in the reader
   * @param docBase first doc ID of the segment in the reader
   * @param maxDoc doc IDs of the segment are below this
   * @param place where its work is done
   * @param device name of the device, if there is one
   * @param refusal why the host does it; null otherwise
   * @param planBytes bytes of the encoded plan, 0 if there is none
   * @param listBytes bytes of the posting pages that hold the plan's lists
   * @param plan the tree; null if there is none
   * @param estimate simulated times of the ten best hits on either side, if they were weighed; else
   *     null
   */
  public record Leaf(
      int ord,
      int docBase,
      int maxDoc,
      Place place,
      String device,
      Refusal refusal,
      int planBytes,
      long listBytes,
      Node plan,
      LeafEstimate estimate) {}

  /**
   * The expected time of a request on either side: simulated time under a profile, worked out
   * before anything runs.
   *
   * @param deviceNs on the device, in ns
   * @param hostNs on the host with the same device as a plain drive, in ns
   */
  public record LeafEstimate(double deviceNs, double hostNs) {
    private static final double NS_A_MS = 1e6;

    /** {@return whether the device is the better place; also if both are as good} */
    public boolean prefersDevice() {
      return deviceNs <= hostNs;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "estimated device %.3f ms, host %.3f ms",
          deviceNs / NS_A_MS,
          hostNs / NS_A_MS);
    }
  }

  /**
   * A node of a plan.
   *
   * @param op the operator
   * @param occur the part it plays in its parent
   * @param minShould least number of SHOULD children that must match
   * @param weight boost * idf of a term, score of a constant; 0 if scores were not asked for
   * @param list the posting list of a term; null otherwise
   * @param range the range of a column; null otherwise
   * @param children the children, in order
   */
  public record Node(
      String op,
      String occur,
      int minShould,
      float weight,
      TermList list,
      ColumnRange range,
      List<Node> children) {}

  /**
   * A term's list.
   *
   * @param term field and term
   * @param docFreq postings
   * @param pages posting pages that hold blocks of the list; 0 if it is inline
   * @param bytes bytes of those pages
   * @param inline whether the one posting travels in the plan
   * @param runs where those pages are on the device, in order; empty if that is not one place
   */
  public record TermList(
      String term, int docFreq, int pages, long bytes, boolean inline, List<PageRun> runs) {}

  /**
   * Pages that are neighbours on the device.
   *
   * @param lba LBA of the first
   * @param pages how many there are
   */
  public record PageRun(long lba, int pages) {}

  /**
   * A range of a field's values, or several.
   *
   * @param field name of the field
   * @param ranges how many ranges there are; a value alone is one
   * @param lo the least value, as doc values hold it; of keywords: the ordinal in the segment
   * @param hi the greatest value
   * @param docCount docs with a value
   * @param pagesInRange pages that may have a value in a range; all of them if that is not known
   * @param pages pages of the column
   * @param bytes bytes of those pages
   * @param runs where they are on the device, in order
   */
  public record ColumnRange(
      String field,
      int ranges,
      long lo,
      long hi,
      int docCount,
      int pagesInRange,
      int pages,
      long bytes,
      List<PageRun> runs) {}

  /** Returns several lines, each ended by a line feed. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    out.append("query      ").append(query).append('\n');
    out.append("rewritten  ").append(rewritten).append('\n');
    if (refusal != null) {
      out.append("host       ").append(refusal).append('\n');
    }
    for (Leaf leaf : leaves) {
      print(out, leaf);
    }
    return out.toString();
  }

  private static void print(StringBuilder out, Leaf leaf) {
    out.append("segment ").append(leaf.ord).append(" (").append(leaf.maxDoc).append(" docs): ");
    switch (leaf.place) {
      case NOWHERE -> out.append("no doc can match\n");
      case HOST -> out.append("host, ").append(leaf.refusal).append('\n');
      case DEVICE -> {
        out.append("device ").append(leaf.device);
        out.append(", plan ").append(leaf.planBytes).append(" bytes, lists ");
        out.append(leaf.listBytes).append(" bytes");
        out.append(leaf.estimate == null ? "\n" : ", " + leaf.estimate + "\n");
        print(out, leaf.plan, 1);
      }
    }
  }

  private static void print(StringBuilder out, Node node, int depth) {
    out.append("  ".repeat(depth)).append(node.occur).append(' ').append(node.op);
    if (node.minShould > 0) {
      out.append(" at least ").append(node.minShould);
    }
    if (node.list != null) {
      out.append(' ').append(node.list.term).append("  df ").append(node.list.docFreq);
      if (node.list.inline) {
        out.append(", inline");
      } else {
        out.append(", ").append(node.list.pages).append(node.list.pages == 1 ? " page" : " pages");
      }
    }
    if (node.range != null) {
      ColumnRange range = node.range;
      out.append(' ').append(range.field);
      out.append(range.ranges > 1 ? " " + range.ranges + " ranges of [" : " [").append(range.lo);
      out.append(" TO ").append(range.hi).append("], ");
      out.append(range.pagesInRange).append(" of ").append(range.pages);
      out.append(range.pages == 1 ? " page" : " pages");
    }
    if (node.weight != 0f) {
      out.append("  weight ").append(node.weight);
    }
    out.append('\n');
    for (Node child : node.children) {
      print(out, child, depth + 1);
    }
  }
}
