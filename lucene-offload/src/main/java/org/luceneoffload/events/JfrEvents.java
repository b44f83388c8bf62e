/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.events;

import java.util.function.Supplier;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.SplitPlans;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.ResultReader;

/** The events themselves. Loaded only where the module {@code jdk.jfr} is. */
final class JfrEvents {
  private static final String PREFIX = "org.luceneoffload.";
  private static final String CATEGORY = "Lucene Offload";

  private JfrEvents() {}

  /** Returns whether this JVM records, if asked to. */
  static boolean isAvailable() {
    return FlightRecorder.isAvailable();
  }

  /** The base of all events, which names the device. */
  @Category(CATEGORY)
  @StackTrace(false)
  abstract static class DeviceEvent extends Event {
    @Label("Device")
    @Description("Name of the device")
    String device;
  }

  @Name(PREFIX + "PlanRun")
  @Label("Plan Run")
  @Description("A part of a query run on the device: one plan, one segment, one result page")
  @Threshold("10 ms")
  static final class PlanRunEvent extends DeviceEvent implements PlanRun {
    @Label("Images")
    @Description("Posting images of the segment")
    String images;

    @Label("Mode")
    String mode;

    @Label("Status")
    @Description("OK, or why the device did not answer")
    String status;

    @Label("Plan Size")
    @DataAmount
    int planBytes;

    @Label("Result Size")
    @DataAmount
    int resultBytes;

    @Label("Matches")
    @Description("Matches that the device counted")
    long matches;

    @Label("More")
    @Description("Whether the result page is full and the plan goes on with another one")
    boolean more;

    @Label("Pages Read")
    @Description("Posting pages visited")
    long pagesRead;

    @Label("Blocks Skipped")
    @Description("Posting blocks stepped over")
    long blocksSkipped;

    @Label("Postings Decoded")
    long postingsDecoded;

    @Label("Docs Scored")
    long docsScored;

    @Label("Way")
    @Description("How the device found the matches, if it says so")
    String way;

    @Label("Windows")
    @Description("Windows that the plan was cut into, for device and host; 0: it was not cut")
    int windows;

    @Label("Windows On Device")
    @Description("Windows that the device did; the host did the others")
    int windowsOnDevice;

    @Override
    public void answered(
        Device device,
        Supplier<String> names,
        int planMode,
        int bytes,
        ResultReader page,
        SplitPlans.Counts split) {
      end();
      if (shouldCommit()) {
        fill(device, names, planMode, OffloadWire.Status.OK);
        planBytes = bytes;
        resultBytes = page.bytes();
        matches = page.matchCount();
        more = page.more();
        pagesRead = page.pagesRead();
        blocksSkipped = page.blocksSkipped();
        postingsDecoded = page.postingsDecoded();
        docsScored = page.docsScored();
        way = OffloadWire.Way.name(page.way());
        windows = split.windows();
        windowsOnDevice = split.onDevice();
        commit();
      }
    }

    @Override
    public void failed(
        Device device, Supplier<String> names, int planMode, OffloadException failure) {
      end();
      if (shouldCommit()) {
        fill(device, names, planMode, failure.status());
        commit();
      }
    }

    private void fill(Device on, Supplier<String> names, int planMode, int result) {
      device = on.name();
      images = names.get();
      mode = modeName(planMode);
      status = OffloadWire.Status.name(result);
    }

    private static String modeName(int planMode) {
      return switch (planMode) {
        case OffloadWire.Mode.COUNT -> "COUNT";
        case OffloadWire.Mode.DOCS -> "DOCS";
        case OffloadWire.Mode.SCORED_DOCS -> "SCORED_DOCS";
        case OffloadWire.Mode.TOP_K -> "TOP_K";
        case OffloadWire.Mode.AGGREGATE -> "AGGREGATE";
        case OffloadWire.Mode.TOP_K_BY_COLUMN -> "TOP_K_BY_COLUMN";
        default -> Integer.toString(planMode);
      };
    }
  }

  static PlanRun planRun() {
    PlanRunEvent event = new PlanRunEvent();
    if (!event.isEnabled()) {
      return null;
    }
    event.begin();
    return event;
  }

  @Name(PREFIX + "Refusal")
  @Label("Refusal")
  @Description("A query, or a segment of one, that runs on the host")
  static final class RefusalEvent extends DeviceEvent {
    @Label("Whole Query")
    @Description("Whether it is the query, and not a segment of it")
    boolean wholeQuery;

    @Label("Reason")
    String reason;

    @Label("Detail")
    @Description("What the reason is about")
    String detail;
  }

  static void refused(Device device, boolean wholeQuery, String reason, String detail) {
    RefusalEvent event = new RefusalEvent();
    if (event.shouldCommit()) {
      event.device = device.name();
      event.wholeQuery = wholeQuery;
      event.reason = reason;
      event.detail = detail;
      event.commit();
    }
  }

  @Name(PREFIX + "Fallback")
  @Label("Fallback")
  @Description("A segment of a query that the host answers because the device failed")
  static final class FallbackEvent extends DeviceEvent {
    @Label("Cause")
    @Description("Status of the failure")
    String cause;

    @Label("Message")
    String message;
  }

  static void fellBack(Device device, String cause, String message) {
    FallbackEvent event = new FallbackEvent();
    if (event.shouldCommit()) {
      event.device = device.name();
      event.cause = cause;
      event.message = message;
      event.commit();
    }
  }

  /** An event about a segment's posting image. */
  abstract static class ImageEvent extends DeviceEvent {
    @Label("File")
    String file;
  }

  @Name(PREFIX + "ImageWritten")
  @Label("Image Written")
  @Description("A posting image that was written to the device in full")
  static final class ImageWrittenEvent extends ImageEvent {
    @Label("Size")
    @DataAmount
    long bytes;
  }

  static void imageWritten(Device device, String file, long bytes) {
    ImageWrittenEvent event = new ImageWrittenEvent();
    if (event.shouldCommit()) {
      event.device = device.name();
      event.file = file;
      event.bytes = bytes;
      event.commit();
    }
  }

  @Name(PREFIX + "ImageOpened")
  @Label("Image Opened")
  @Description("A segment that was opened with a usable posting image")
  static final class ImageOpenedEvent extends ImageEvent {
    @Label("Size")
    @DataAmount
    long bytes;
  }

  static void imageOpened(Device device, String file, long bytes) {
    ImageOpenedEvent event = new ImageOpenedEvent();
    if (event.shouldCommit()) {
      event.device = device.name();
      event.file = file;
      event.bytes = bytes;
      event.commit();
    }
  }

  @Name(PREFIX + "ImageUnusable")
  @Label("Image Unusable")
  @Description("A posting image that was given up, or is not there; the host answers")
  static final class ImageUnusableEvent extends ImageEvent {
    @Label("Trouble")
    @Description("DROPPED while it was written, MISSING, or BAD: stale or damaged")
    String trouble;

    @Label("Reason")
    String reason;
  }

  static void imageUnusable(Device device, String file, String trouble, String reason) {
    ImageUnusableEvent event = new ImageUnusableEvent();
    if (event.shouldCommit()) {
      event.device = device.name();
      event.file = file;
      event.trouble = trouble;
      event.reason = reason;
      event.commit();
    }
  }

  @Name(PREFIX + "DeviceOpened")
  @Label("Device Opened")
  static final class DeviceOpenedEvent extends DeviceEvent {
    @Label("Model")
    String model;

    @Label("Kernels")
    @Description("Kernels that decode and score")
    String kernels;

    @Label("Read Only")
    boolean readOnly;
  }

  static void deviceOpened(Device device) {
    DeviceOpenedEvent event = new DeviceOpenedEvent();
    if (event.shouldCommit()) {
      event.device = device.name();
      event.model = device.info().model();
      event.kernels = device.info().kernels();
      event.readOnly = device.info().readOnly();
      event.commit();
    }
  }

  @Name(PREFIX + "DeviceClosed")
  @Label("Device Closed")
  static final class DeviceClosedEvent extends DeviceEvent {}

  static void deviceClosed(Device device) {
    DeviceClosedEvent event = new DeviceClosedEvent();
    if (event.shouldCommit()) {
      event.device = device.name();
      event.commit();
    }
  }

  @Name(PREFIX + "CircuitBreaker")
  @Label("Circuit Breaker")
  @Description("A device that is given no plans for a time, or gets them again")
  static final class CircuitBreakerEvent extends DeviceEvent {
    @Label("Open")
    @Description("True: opened; false: half-open")
    boolean open;

    @Label("Reason")
    String reason;
  }

  static void circuitBreaker(Device device, boolean open, String reason) {
    CircuitBreakerEvent event = new CircuitBreakerEvent();
    if (event.shouldCommit()) {
      event.device = device.name();
      event.open = open;
      event.reason = reason;
      event.commit();
    }
  }
}
