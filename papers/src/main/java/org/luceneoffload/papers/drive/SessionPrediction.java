/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.IOException;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.EventLog;
import org.luceneoffload.wire.OffloadWire;

/**
 * Predicts what a query takes on a device that has its pages in memory: a session on the device of
 * a profile, which does the work that was counted and loads nothing.
 */
final class SessionPrediction {
  private static final int PLAN_BYTES = 512;
  private static final int RESULT_BYTES = 512;

  private SessionPrediction() {}

  /** Returns the microseconds that the model gives a query. */
  static double micros(HostLab.Work work, DeviceProfile profile) throws IOException {
    EventLog.Builder log = new EventLog.Builder();
    double[] units = MeasuredProfile.inMemory(work);
    for (int kind = 0; kind < units.length; kind++) {
      log.work(kind, Math.round(units[kind]));
    }
    try (EventLog played = log.send(RESULT_BYTES).end(PLAN_BYTES, false)) {
      byte[] report = played.play(profile.wireArray(), OffloadWire.ModelSide.DEVICE);
      return ModelReport.read(report).elapsedPs() / 1e6;
    }
  }
}
