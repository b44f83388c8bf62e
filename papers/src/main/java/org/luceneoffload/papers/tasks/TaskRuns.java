/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ProfileException;
import org.luceneoffload.papers.tasks.TaskLab.Mode;
import org.luceneoffload.papers.tasks.TaskLab.Outcome;
import org.luceneoffload.papers.tasks.TaskLab.Workload;

/**
 * The workloads on one profile, in the steady state; a run is played once.
 *
 * @param profile device and host
 * @param workloads what runs
 * @param lab plays them
 * @param played runs of this profile, by workload and mode
 */
record TaskRuns(
    DeviceProfile profile,
    TaskWorkloads workloads,
    TaskLab lab,
    Map<String, Map<Mode, Outcome>> played) {
  TaskRuns(DeviceProfile profile, TaskWorkloads workloads, TaskLab lab) {
    this(profile, workloads, lab, new HashMap<>());
  }

  /** Returns the workloads. */
  List<Workload> all() {
    return workloads.all();
  }

  /** Returns the steady state of a workload in a mode. */
  Outcome of(Workload workload, Mode mode) throws ProfileException {
    Map<Mode, Outcome> runs = played.computeIfAbsent(workload.name(), name -> new HashMap<>());
    Outcome outcome = runs.get(mode);
    if (outcome == null) {
      outcome = lab.steady(profile, workload, mode);
      runs.put(mode, outcome);
    }
    return outcome;
  }

  Outcome host(Workload workload) throws ProfileException {
    return of(workload, Mode.HOST);
  }

  Outcome device(Workload workload) throws ProfileException {
    return of(workload, Mode.DEVICE);
  }

  Outcome dynamic(Workload workload) throws ProfileException {
    return of(workload, Mode.DYNAMIC);
  }

  Outcome handCoded(Workload workload) throws ProfileException {
    return of(workload, Mode.HAND_CODED);
  }

  /** Returns the gain of dynamic placement over the host alone, in percent. */
  double gain(Workload workload) throws ProfileException {
    return dynamic(workload).gainPct(host(workload));
  }

  /** Returns the same workloads on another profile. */
  TaskRuns on(DeviceProfile other) {
    return new TaskRuns(other, workloads, lab);
  }
}
