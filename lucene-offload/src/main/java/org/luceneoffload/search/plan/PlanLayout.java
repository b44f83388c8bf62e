/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.lucene.util.ArrayUtil;
import org.luceneoffload.codec.OffloadTermState;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.RefusedException;
import org.luceneoffload.store.volume.Extent;
import org.luceneoffload.wire.NormTable;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.PlanRequest;
import org.luceneoffload.wire.PlanWriter;
import org.luceneoffload.wire.layout.ExtentLayout;
import org.luceneoffload.wire.layout.ListRefLayout;
import org.luceneoffload.wire.layout.PlanHeaderLayout;
import org.luceneoffload.wire.layout.PlanNodeLayout;

/**
 * The lists that a tree refers to, numbered and counted, and the way from both to the wire's plan
 * descriptor: the nodes in pre-order, the lists in the order of their nodes, extents and norm
 * tables where they are first needed.
 */
public final class PlanLayout {
  /** Beyond these, sharing extents is not worth the search: files are in few of them. */
  private static final int MAX_SHARED = 64;

  private final LeafNode root;
  private final int maxDoc;
  private int nodes;
  private int depth;
  private int lists;
  private long pages;
  private Extent[] extents = new Extent[1];
  private int extentCount;
  private NormTable[] tables = new NormTable[1];
  private int tableCount;

  /**
   * Lays a tree out.
   *
   * @param maxDoc doc IDs of the segment are below this
   * @throws RefusedException if the tree exceeds a limit of the wire
   */
  PlanLayout(LeafNode root, int maxDoc) throws RefusedException {
    this.root = root;
    this.maxDoc = maxDoc;
    number(root, 1);
    check("nodes", nodes, OffloadWire.MAX_PLAN_NODES);
    check("levels", depth, OffloadWire.MAX_PLAN_DEPTH);
    check("posting lists", lists, OffloadWire.MAX_PLAN_LISTS);
    check("norm tables", tableCount, OffloadWire.MAX_PLAN_TABLES);
  }

  /** Docs of the segment are below this. */
  int maxDoc() {
    return maxDoc;
  }

  private static void check(String what, int count, int limit) throws RefusedException {
    if (count > limit) {
      throw new RefusedException(
          Refusal.Reason.PLAN_LIMIT,
          "the plan has " + count + " " + what + ", the most is " + limit);
    }
  }

  private void number(LeafNode node, int level) throws RefusedException {
    nodes++;
    depth = Math.max(depth, level);
    if (node instanceof LeafNode.Term term) {
      term.listIndex = lists++;
      if (term.table() != null) {
        term.tableIndex = tableIndex(term.table());
      }
      if (!term.list().isInline()) {
        pages += term.list().pageCount();
        takeExtents(term);
      }
    }
    for (LeafNode child : node.children()) {
      number(child, level + 1);
    }
  }

  private int tableIndex(NormTable table) {
    for (int i = 0; i < tableCount; i++) {
      if (tables[i] == table) {
        return i;
      }
    }
    if (tableCount == tables.length) {
      tables = ArrayUtil.grow(tables);
    }
    tables[tableCount] = table;
    return tableCount++;
  }

  /** Refers to a list by the extents of its image that hold its pages. */
  private void takeExtents(LeafNode.Term node) throws RefusedException {
    SegmentImage image = node.image();
    List<Extent> all = image.extents();
    int first = node.list().firstPage();
    long end = (long) first + node.list().pageCount();
    int from = extentCount;
    for (int i = 0; i < all.size(); i++) {
      Extent extent = all.get(i);
      if (extent.endFilePage() > first && extent.filePage() < end) {
        if (extentCount == extents.length) {
          extents = ArrayUtil.grow(extents);
        }
        extents[extentCount++] = extent;
      }
    }
    node.extentCount = extentCount - from;
    node.firstExtent = indexOfRun(from, node.extentCount);
    if (node.firstExtent < from) {
      extentCount = from;
    }
    if (extentCount > OffloadWire.MAX_PLAN_EXTENTS) {
      throw new RefusedException(
          Refusal.Reason.PLAN_LIMIT, "image " + image.fileName() + " is in too many extents");
    }
  }

  /** Index of the first run of extents equal to the {@code count} ones at {@code from}. */
  private int indexOfRun(int from, int count) {
    if (count > 0 && from <= MAX_SHARED) {
      for (int i = 0; i + count <= from; i++) {
        if (sameRuns(i, from, count)) {
          return i;
        }
      }
    }
    return from;
  }

  private boolean sameRuns(int one, int other, int count) {
    for (int i = 0; i < count; i++) {
      if (!extents[one + i].equals(extents[other + i])) {
        return false;
      }
    }
    return true;
  }

  /** Pages that hold the lists. */
  long pages() {
    return pages;
  }

  /** Bytes of the encoded plan. */
  public int bytes() {
    return PlanHeaderLayout.BYTES
        + nodes * PlanNodeLayout.BYTES
        + lists * ListRefLayout.BYTES
        + extentCount * ExtentLayout.BYTES
        + tableCount * OffloadWire.NORM_TABLE_BYTES;
  }

  /**
   * Encodes the plan from byte 0 of a buffer; the buffer's position does not matter.
   *
   * @param b little-endian
   * @return bytes written
   * @throws IllegalArgumentException if the buffer is too small
   */
  public int write(ByteBuffer b, PlanRequest request) {
    int bytes = bytes();
    if (bytes > b.capacity()) {
      throw new IllegalArgumentException(
          "the plan has " + bytes + " bytes, the plan buffer " + b.capacity());
    }
    b.clear();
    PlanWriter.writeHeader(b, request, bytes, nodes, lists, extentCount, tableCount, maxDoc);
    int at = writeNode(b, PlanHeaderLayout.BYTES, root);
    at += lists * ListRefLayout.BYTES;
    for (int i = 0; i < extentCount; i++) {
      Extent extent = extents[i];
      at = PlanWriter.writeExtent(b, at, extent.filePage(), extent.pageCount(), extent.lba());
    }
    for (int i = 0; i < tableCount; i++) {
      at = PlanWriter.writeTable(b, at, tables[i]);
    }
    assert at == bytes;
    return bytes;
  }

  /** Writes a subtree in pre-order, and its lists; returns the offset after the nodes. */
  private int writeNode(ByteBuffer b, int at, LeafNode node) {
    LeafNode.Term term = node instanceof LeafNode.Term list ? list : null;
    int next =
        PlanWriter.writeNode(
            b,
            at,
            node.op(),
            node.occur(),
            node.children().length,
            node instanceof LeafNode.Bool bool ? bool.minShould() : 0,
            term == null ? 0 : term.listIndex,
            term == null ? 0 : term.tableIndex,
            node.weight());
    if (term != null) {
      writeList(b, term);
    }
    for (LeafNode child : node.children()) {
      next = writeNode(b, next, child);
    }
    return next;
  }

  private void writeList(ByteBuffer b, LeafNode.Term node) {
    OffloadTermState list = node.list();
    int at =
        PlanHeaderLayout.BYTES
            + nodes * PlanNodeLayout.BYTES
            + node.listIndex * ListRefLayout.BYTES;
    if (list.isInline()) {
      PlanWriter.writeInline(b, at, list.inlineDoc(), list.inlineFreq(), list.inlineNorm());
    } else {
      PlanWriter.writePaged(
          b,
          at,
          list.firstPage(),
          list.slot(),
          list.pageCount(),
          list.docFreq,
          node.image().stamp(),
          list.impacts(),
          node.firstExtent,
          node.extentCount);
    }
  }
}
