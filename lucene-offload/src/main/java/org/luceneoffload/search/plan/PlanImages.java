/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.column.DeviceImages;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.wire.Operator;

/** The images that the plan of a segment refers to, and what their device has to know. */
final class PlanImages {
  private SegmentImage first;
  private List<SegmentImage> all = List.of();
  private long needed; // the bits of operators that some devices lack

  /** Checks that an image can be used. */
  static void checkUsable(SegmentImage image, boolean hasLists) throws RefusedException {
    if (!image.usable() || image.handle() == null || !hasLists) {
      String reason = image.usable() ? "it has no device lists" : image.unusableReason();
      throw new RefusedException(Refusal.Reason.IMAGE_UNUSABLE, image.fileName() + ": " + reason);
    }
  }

  /** Returns all images, in the order of their first use. */
  List<SegmentImage> all() {
    return all;
  }

  /** Adds an image, whose device has to be that of the others. */
  void add(SegmentImage added) throws RefusedException {
    if (first == null) {
      first = added;
      all = List.of(added);
    }
    if (first == added || all.contains(added)) {
      return;
    }
    if (first.handle() != added.handle()) {
      throw new RefusedException(
          Refusal.Reason.SEVERAL_DEVICES, first.fileName() + " and " + added.fileName());
    }
    all = new ArrayList<>(all);
    all.add(added);
  }

  /** Has a plan without lists run on the device of the segment's lists. */
  void addAnyIfNone(QueryNode root, LeafReaderContext context)
      throws RefusedException, IOException {
    if (first != null) {
      return;
    }
    SegmentImage any = root.isAllDocs() ? null : DeviceImages.any(context.reader());
    if (any == null || !any.usable() || any.handle() == null) {
      // That every doc matches is nothing to ask a device for.
      throw new RefusedException(
          Refusal.Reason.NO_LISTS, "every doc of segment " + context.ord + " matches");
    }
    add(any);
  }

  /** Notes that the plan has an operator that some devices lack. */
  void need(Operator operator) {
    needed |= operator.bit();
  }

  /** Checks that a device has an operator. */
  static void checkKnown(DeviceHandle device, Operator operator) throws RefusedException {
    if (!device.device().info().knows(operator)) {
      throw new RefusedException(
          Refusal.Reason.DEVICE_LACKS_MODE, device + " lacks operator " + operator);
    }
  }

  /** Returns whether plans to the device say of norm tables only what they are made of. */
  boolean haveShortTables() {
    return first.handle().device().info().shortTables();
  }

  /** Checks that the device takes the plan: its operators and its size. */
  void check(int bytes) throws RefusedException {
    DeviceHandle device = first.handle();
    long lacking = needed & ~device.device().info().opBits();
    if (lacking != 0) {
      checkKnown(device, Operator.of(Long.numberOfTrailingZeros(lacking)));
    }
    int mostBytes = device.device().info().maxPlanBytes();
    if (bytes > mostBytes) {
      throw new RefusedException(
          Refusal.Reason.PLAN_LIMIT,
          "the plan has " + bytes + " bytes, the device takes " + mostBytes);
    }
  }
}
