/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.util.List;
import org.apache.lucene.index.Term;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.store.DeviceHandle;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.Plan;

/**
 * What a segment has to do for a query: nothing, since no doc matches; run a plan on its device; or
 * leave the work to the host.
 *
 * @param plan the plan; null if no doc matches or the host does the work
 * @param lists the terms behind the plan's lists, by index
 * @param images the images that the lists are in
 * @param cost about the most docs that can match
 * @param maxScore upper bound of a score
 * @param refusal why the host does the work; null otherwise
 */
record LeafPlan(
    Plan plan,
    List<TermList> lists,
    List<SegmentImage> images,
    long cost,
    float maxScore,
    Refusal refusal) {

  /** A term and its list in the segment. */
  record TermList(Term term, int docFreq, int pageCount, boolean inline) {}

  /** The plan of a segment in which no doc matches. */
  static final LeafPlan NO_MATCH = new LeafPlan(null, List.of(), List.of(), 0, 0f, null);

  /** The plan of a segment that the host must do. */
  static LeafPlan onHost(Refusal refusal) {
    return new LeafPlan(null, List.of(), List.of(), 0, 0f, refusal);
  }

  /** Whether no doc of the segment can match. */
  boolean matchesNothing() {
    return plan == null && refusal == null;
  }

  /** Whether the device can do the work. */
  boolean onDevice() {
    return plan != null;
  }

  /** The device, if the work is on it. */
  DeviceHandle handle() {
    return images.get(0).handle();
  }

  /** Bytes of the posting pages that hold the lists: what a host would read. */
  long listBytes() {
    long pages = 0;
    for (TermList list : lists) {
      pages += list.pageCount();
    }
    return pages * OffloadWire.PAGE_BYTES;
  }
}
