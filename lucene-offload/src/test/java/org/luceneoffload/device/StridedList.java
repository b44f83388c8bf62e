/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.luceneoffload.wire.ListRef;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.Plan;
import org.luceneoffload.wire.PlanExtent;
import org.luceneoffload.wire.PlanNode;
import org.luceneoffload.wire.PlanTreeWriter;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.page.PageEncoder;
import org.luceneoffload.wire.plan.NormTable;
import org.luceneoffload.wire.plan.PlanRequest;

/**
 * A posting list on a device whose answers are known beforehand: docs 0, stride, 2 * stride, ...,
 * all of frequency 1 and norm 1. For tests of the way to a device and back.
 *
 * @param ref the list
 * @param extent where its pages are
 * @param stride distance of its docs
 */
public record StridedList(ListRef ref, PlanExtent extent, int stride) {
  /**
   * Writes a list.
   *
   * @param lba where its pages go
   * @param postings how many it has
   * @param stamp stamp of its pages
   */
  public static StridedList write(Device device, long lba, int postings, int stride, long stamp)
      throws IOException {
    ByteBuffer lbaBytes =
        ByteBuffer.allocateDirect(OffloadWire.PAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long[] next = {lba};
    PageEncoder encoder =
        new PageEncoder(
            stamp,
            1,
            page -> {
              lbaBytes.clear().put(page).flip();
              device.write(next[0]++, lbaBytes);
            });
    int[] docs = new int[OffloadWire.BLOCK_POSTINGS];
    int[] ones = new int[OffloadWire.BLOCK_POSTINGS];
    Arrays.fill(ones, 1);
    int base = OffloadWire.NO_DOC;
    for (int done = 0; done < postings; ) {
      int count = Math.min(docs.length, postings - done);
      for (int i = 0; i < count; i++) {
        docs[i] = (done + i) * stride;
      }
      int flags = done == 0 ? OffloadWire.BlockFlag.FIRST_OF_LIST : 0;
      done += count;
      if (done == postings) {
        flags |= OffloadWire.BlockFlag.LAST_OF_LIST;
      }
      encoder.addBlock(docs, ones, ones, count, base, flags);
      base = docs[count - 1];
    }
    encoder.finish();
    int pages = (int) (next[0] - lba);
    return new StridedList(
        ListRef.paged(1, 0, pages, postings, stamp, 0, 0, 1),
        new PlanExtent(1, pages, lba),
        stride);
  }

  /** Docs below this hold all of the list. */
  public int maxDoc() {
    return (ref.postingCount() - 1) * stride + 1;
  }

  /** Doc number {@code i} of the list. */
  public int doc(int i) {
    return i * stride;
  }

  /** A plan for the list itself. */
  public Plan plan() {
    return plan(PlanNode.term(OffloadWire.Occur.MUST, 0, 0, 1f));
  }

  /** A plan that intersects the list with itself: the list's docs, by way of every posting. */
  public Plan selfIntersection() {
    PlanNode term = PlanNode.term(OffloadWire.Occur.MUST, 0, 0, 1f);
    return plan(PlanNode.bool(OffloadWire.Occur.MUST, 0, List.of(term, term)));
  }

  private Plan plan(PlanNode root) {
    float[] norms = new float[OffloadWire.NORM_TABLE_ENTRIES];
    Arrays.fill(norms, 0.5f);
    return new Plan(root, List.of(ref), List.of(extent), List.of(new NormTable(norms)), maxDoc());
  }

  /** Encodes a plan over all its docs from {@code minDoc} on; returns its bytes. */
  public static int encode(ByteBuffer planBuffer, Plan plan, int mode, int minDoc) {
    PlanRequest request = PlanRequest.of(mode, minDoc, plan.maxDoc(), 1 << 16);
    if (mode == OffloadWire.Mode.TOP_K) {
      request.k = 10;
    }
    return PlanTreeWriter.write(planBuffer, plan, request);
  }

  /** Runs a plan over all its docs from {@code minDoc} on and returns the result page. */
  public static ByteBuffer run(
      DeviceSession session, Plan plan, int mode, int minDoc, DeviceSession.StopSignal stop)
      throws IOException {
    return session.execute(encode(session.planBuffer(), plan, mode, minDoc), stop);
  }

  /** Has a session count the list's intersection with itself; returns the count. */
  public long countSelfIntersection(DeviceSession session) throws IOException {
    ByteBuffer page =
        run(session, selfIntersection(), OffloadWire.Mode.COUNT, 0, DeviceSession.StopSignal.NEVER);
    return ResultHeaderLayout.matchCount(page, 0);
  }
}
