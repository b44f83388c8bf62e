/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan.node;

import java.nio.ByteBuffer;
import java.util.List;
import org.apache.lucene.util.ArrayUtil;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.store.volume.Extent;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.PlanWriter;

/** The extents that a plan refers to, in the order of their first use; equal runs are shared. */
final class PlanExtents {
  /** Beyond these, sharing extents is not worth the search: files are in few of them. */
  private static final int MAX_SHARED = 64;

  private Extent[] extents = new Extent[1];
  private int size;
  private PlanWriter.Extents latest = PlanWriter.Extents.NONE; // lists of an image mostly share it

  /** Returns how many extents there are. */
  int size() {
    return size;
  }

  /** Returns the extents of an image that hold some of its pages, adding them if need be. */
  PlanWriter.Extents holding(SegmentImage image, int first, int pageCount) throws RefusedException {
    List<Extent> all = image.extents();
    long end = (long) first + pageCount;
    int from = size;
    for (int i = 0; i < all.size(); i++) {
      Extent extent = all.get(i);
      if (extent.endFilePage() > first && extent.filePage() < end) {
        if (size == extents.length) {
          extents = ArrayUtil.grow(extents);
        }
        extents[size++] = extent;
      }
    }
    int count = size - from;
    int at = indexOfRun(from, count);
    if (at < from) {
      size = from;
    }
    if (size > OffloadWire.MAX_PLAN_EXTENTS) {
      throw new RefusedException(
          Refusal.Reason.PLAN_LIMIT, "image " + image.fileName() + " is in too many extents");
    }
    if (latest.first() != at || latest.count() != count) {
      latest = new PlanWriter.Extents(at, count);
    }
    return latest;
  }

  /** Returns the index of the first run of extents equal to the {@code count} at {@code from}. */
  private int indexOfRun(int from, int count) {
    if (count > 0 && from <= MAX_SHARED) {
      for (int i = 0; i + count <= from; i++) {
        if (isSameRun(i, from, count)) {
          return i;
        }
      }
    }
    return from;
  }

  private boolean isSameRun(int one, int other, int count) {
    for (int i = 0; i < count; i++) {
      if (!extents[one + i].equals(extents[other + i])) {
        return false;
      }
    }
    return true;
  }

  /** Writes all extents; returns the offset after them. */
  int write(ByteBuffer b, int at) {
    int next = at;
    for (int i = 0; i < size; i++) {
      Extent extent = extents[i];
      next = PlanWriter.writeExtent(b, next, extent.filePage(), extent.pageCount(), extent.lba());
    }
    return next;
  }
}
