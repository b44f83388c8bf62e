/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.events;

import org.luceneoffload.device.Device;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OpenDevices;

/**
 * The one way to the events. Every method is cheap, and does nothing, while no recording wants its
 * event, or where the JDK's module {@code jdk.jfr} is missing: only {@link JfrEvents} may touch it.
 */
public final class OffloadEvents {
  private static final boolean JFR = isThere();

  private OffloadEvents() {}

  private static boolean isThere() {
    try {
      Class.forName("jdk.jfr.Event");
      return JfrEvents.isAvailable();
    } catch (ClassNotFoundException | LinkageError | IllegalStateException | SecurityException e) {
      return false; // no such module, or the JVM was told to do without
    }
  }

  /** Returns whether this JVM has a flight recorder. */
  public static boolean available() {
    return JFR;
  }

  /** Begins to watch a plan's run; returns null if no recording wants to know. */
  public static PlanRun planRun() {
    return JFR ? JfrEvents.planRun() : null;
  }

  /**
   * Records that a query, or a segment of one, runs on the host.
   *
   * @param wholeQuery whether it is the query
   * @param reason the kind of reason, one of few
   * @param detail what it is about
   */
  public static void refused(Device device, boolean wholeQuery, String reason, String detail) {
    if (JFR) {
      JfrEvents.refused(device, wholeQuery, reason, detail);
    }
  }

  /**
   * Records that the host answers for a segment because the device failed.
   *
   * @param cause name of a status
   */
  public static void fellBack(Device device, String cause, String message) {
    if (JFR) {
      JfrEvents.fellBack(device, cause, message);
    }
  }

  /** Records that a posting image was written in full. */
  public static void imageWritten(Device device, String file, long bytes) {
    if (JFR) {
      JfrEvents.imageWritten(device, file, bytes);
    }
  }

  /** Records that a segment was opened with its posting image. */
  public static void imageOpened(Device device, String file, long bytes) {
    if (JFR) {
      JfrEvents.imageOpened(device, file, bytes);
    }
  }

  /** The reasons why a segment's posting image is not used. */
  public enum Trouble {
    /** It was never begun, since the device could not be written. */
    UNWRITTEN,
    /** It was given up while it was written. */
    DROPPED,
    /** It is not on the device. */
    MISSING,
    /** It is stale or damaged. */
    BAD
  }

  /** Records that a segment has no usable posting image, from now on or from the beginning. */
  public static void imageUnusable(Device device, String file, Trouble trouble, String reason) {
    if (JFR) {
      JfrEvents.imageUnusable(device, file, trouble.name(), reason);
    }
  }

  /** Records that a device was opened. */
  public static void deviceOpened(Device device, OffloadStats stats) {
    OpenDevices.add(device.name(), stats);
    if (JFR) {
      RecorderListener.deviceOpened();
      JfrEvents.deviceOpened(device);
    }
  }

  /** Records that a device was closed, or is about to be. */
  public static void deviceClosed(Device device, OffloadStats stats) {
    if (OpenDevices.remove(stats) && JFR) {
      JfrEvents.deviceClosed(device);
      RecorderListener.deviceClosed();
    }
  }

  /**
   * Records that the circuit breaker of a device opens, so that the host answers, or becomes
   * half-open.
   *
   * @param open whether it opens
   */
  public static void circuitBreaker(Device device, boolean open, String reason) {
    if (JFR) {
      JfrEvents.circuitBreaker(device, open, reason);
    }
  }
}
