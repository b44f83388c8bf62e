/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.events;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * Waits for a flight recorder while a device is open, and then has it ask for the counters. With
 * the last device it takes everything back, because the recorder, which lives as long as the JVM,
 * would keep the class loader of this library. An application that never records does not pay for
 * the recorder.
 */
final class RecorderListener implements FlightRecorderListener {
  private static int devices;
  private static RecorderListener current; // while there are devices

  private CounterEvents events; // while the recorder asks for them
  private boolean stopped;

  private RecorderListener() {}

  /** Notes that a device was opened. */
  static void deviceOpened() {
    RecorderListener first = null;
    synchronized (RecorderListener.class) {
      if (devices++ == 0) {
        first = new RecorderListener();
        current = first;
      }
    }
    // Without a lock: the recorder calls listeners under a lock of its own.
    if (first != null) {
      FlightRecorder.addListener(first);
    }
  }

  /** Notes that a device was closed; its opener has come back from {@link #deviceOpened}. */
  static void deviceClosed() {
    RecorderListener last = null;
    synchronized (RecorderListener.class) {
      if (--devices == 0) {
        last = current;
        current = null;
      }
    }
    if (last != null) {
      FlightRecorder.removeListener(last);
      last.stop();
    }
  }

  @Override
  public synchronized void recorderInitialized(FlightRecorder recorder) {
    if (!stopped) {
      events = new CounterEvents();
      events.start();
    }
  }

  private void stop() {
    CounterEvents started;
    synchronized (this) {
      stopped = true;
      started = events;
      events = null;
    }
    if (started != null) {
      started.stop();
    }
  }
}
