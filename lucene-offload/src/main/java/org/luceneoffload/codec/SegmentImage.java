/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.util.List;
import org.luceneoffload.OffloadOptions;
import org.luceneoffload.store.DeviceHandle;
import org.luceneoffload.store.Extent;

/**
 * The posting image of one segment, as a reader sees it: where it is on which device, and whether
 * it can be used. An image that turns out stale or damaged is marked bad, once and for all readers
 * that share it; the host answers from then on.
 */
public final class SegmentImage {
  private final String fileName;
  private final DeviceHandle handle;
  private final OffloadOptions options;
  private final long stamp;
  private final List<Extent> extents;
  private volatile String unusableReason;

  private SegmentImage(
      String fileName,
      DeviceHandle handle,
      OffloadOptions options,
      long stamp,
      List<Extent> extents,
      String unusableReason) {
    this.fileName = fileName;
    this.handle = handle;
    this.options = options;
    this.stamp = stamp;
    this.extents = List.copyOf(extents);
    this.unusableReason = unusableReason;
  }

  /** An image that can be used. */
  public static SegmentImage of(
      String fileName,
      DeviceHandle handle,
      OffloadOptions options,
      long stamp,
      List<Extent> extents) {
    return new SegmentImage(fileName, handle, options, stamp, extents, null);
  }

  /**
   * The place of an image that is not there.
   *
   * @param handle the device where it should be, or null if there is none
   * @param reason why it cannot be used
   */
  public static SegmentImage missing(
      String fileName, DeviceHandle handle, OffloadOptions options, String reason) {
    return new SegmentImage(fileName, handle, options, 0, List.of(), reason);
  }

  /** Name of the image file. */
  public String fileName() {
    return fileName;
  }

  /** The device with its counters; null if the directory has none. */
  public DeviceHandle handle() {
    return handle;
  }

  /** Options of the directory through which the segment was opened. */
  public OffloadOptions options() {
    return options;
  }

  /** Stamp that every page of the image carries. */
  public long stamp() {
    return stamp;
  }

  /** Where the pages of the file are, ascending by file page, page 0 (the header) included. */
  public List<Extent> extents() {
    return extents;
  }

  /** Whether plans may refer to this image. */
  public boolean usable() {
    return unusableReason == null;
  }

  /** Why the image cannot be used; null if it can. */
  public String unusableReason() {
    return unusableReason;
  }

  /** Gives the image up; counts and logs it the first time. */
  public void markBad(String reason) {
    unusableReason = reason;
  }

  @Override
  public String toString() {
    return "SegmentImage(" + fileName + (usable() ? "" : ", " + unusableReason) + ")";
  }
}
