/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.util.List;
import java.util.StringJoiner;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.PlanExplanation.LeafEstimate;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.plan.node.LeafNode;
import org.luceneoffload.search.plan.node.PageRuns;
import org.luceneoffload.search.plan.node.PlanLayout;
import org.luceneoffload.search.plan.node.UnionLeaf;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * The work on a segment for a query: nothing, since no doc matches; run a plan on its device; or
 * leave the work to the host.
 *
 * @param root the tree to evaluate; null if no doc matches or the host does the work
 * @param layout the tree's way to the wire; null with {@code root}
 * @param images the images that the lists are in
 * @param refusal why the host does the work; null otherwise
 * @param estimate what device and host are expected to take; null if they were not weighed
 * @param taskMode how windows of it are run as a task, of {@link OffloadWire.TaskMode}; 0: they are
 *     not
 */
public record LeafPlan(
    LeafNode root,
    PlanLayout layout,
    List<SegmentImage> images,
    Refusal refusal,
    LeafEstimate estimate,
    int taskMode) {
  /** Windows of a plan at most: each begins anew, and has to find its place in the lists. */
  private static final int MAX_WINDOWS = 16;

  /** The plan of a segment in which no doc matches. */
  static final LeafPlan NO_MATCH = new LeafPlan(null, null, List.of(), null, null, 0);

  /** Returns the plan of a segment that the host must do. */
  public static LeafPlan onHost(Refusal refusal) {
    return new LeafPlan(null, null, List.of(), refusal, null, 0);
  }

  /** Returns a plan of a segment for its device. */
  static LeafPlan onDevice(LeafNode root, PlanLayout layout, List<SegmentImage> images) {
    return new LeafPlan(root, layout, images, null, null, 0);
  }

  /**
   * Returns the plan that finds the docs of lists of one image.
   *
   * @throws OffloadException if that exceeds a limit of the wire
   */
  public static LeafPlan ofLists(UnionLeaf lists, int maxDoc) throws OffloadException {
    try {
      return onDevice(lists, new PlanLayout(lists, maxDoc), List.of(lists.image()));
    } catch (RefusedException e) {
      throw new OffloadException(OffloadWire.Status.PLAN_TOO_LARGE, e.refusal().toString(), e);
    }
  }

  /**
   * Returns this plan, of which the work may be cut into windows.
   *
   * @param mode of {@link OffloadWire.TaskMode}: DYNAMIC, or STATIC
   */
  public LeafPlan shared(int mode) {
    return new LeafPlan(root, layout, images, refusal, estimate, mode);
  }

  /** Returns whether the work may be cut into windows, which device and host may share. */
  public boolean isShared() {
    return taskMode != 0;
  }

  /** Adds the first pages of each list to those that are asked for. */
  public void firstPages(PageRuns runs) {
    if (root != null) {
      runs.addLists(root);
    }
  }

  /**
   * Returns how many windows of docs shared work is cut into, so that each has about as many pages:
   * 1 if it is so little that handing parts of it over would take longer.
   *
   * @param windowPages pages that a window has at least
   */
  public int windows(int windowPages) {
    return (int) Math.max(1, Math.min(MAX_WINDOWS, layout.pages() / windowPages));
  }

  /** Returns this plan, or the host in its place if that is expected to be faster. */
  public LeafPlan weighed(LeafEstimate weighed) {
    if (weighed.prefersDevice()) {
      return new LeafPlan(root, layout, images, null, weighed, taskMode);
    }
    Refusal reason = new Refusal(Refusal.Reason.PLANNER, weighed.toString());
    return new LeafPlan(null, null, List.of(), reason, weighed, 0);
  }

  /** Returns whether the device could do the work, be it done there or not. */
  public boolean suitsDevice() {
    return onDevice() || (refusal != null && refusal.isChoice());
  }

  /** Returns whether no doc of the segment can match. */
  public boolean matchesNothing() {
    return root == null && refusal == null;
  }

  /** Returns whether the device can do the work. */
  public boolean onDevice() {
    return root != null;
  }

  /** Returns about the most docs that can match. */
  public long cost() {
    return root == null ? 0 : root.cost();
  }

  /** Returns an upper bound of the scores. */
  public float maxScore() {
    return root == null ? 0f : root.maxScore();
  }

  /** Returns the device, if the work is on it. */
  public DeviceHandle handle() {
    return images.get(0).handle();
  }

  /** Returns whether the device can rank what the plan finds. */
  public boolean supportsTopK() {
    return handle().device().info().hasMode(OffloadWire.Mode.TOP_K);
  }

  /**
   * Returns the image that an LBA of the device belongs to, or all of them if it is none's or not
   * known.
   *
   * @param lba as {@link org.luceneoffload.device.OffloadException#lba}
   */
  public List<SegmentImage> imagesOn(long lba) {
    for (SegmentImage image : images) {
      if (image.isOn(lba)) {
        return List.of(image);
      }
    }
    return images;
  }

  /** Returns the names of the posting images that the lists are in. */
  public String imageNames() {
    StringJoiner names = new StringJoiner(" ");
    images.forEach(image -> names.add(image.fileName()));
    return names.toString();
  }

  /** Returns how many pages hold the lists and the columns. */
  public long pages() {
    return root == null ? 0 : layout.pages();
  }

  /** Returns the bytes of the posting pages that hold the lists: what a host would read. */
  public long listBytes() {
    return pages() * OffloadWire.PAGE_BYTES;
  }
}
