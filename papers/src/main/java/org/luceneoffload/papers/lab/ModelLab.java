/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.papers.classic.ClassicModel;
import org.luceneoffload.wire.OffloadWire.ModelSide;

/**
 * Runs the classic programs of the simulator, and plays what they did under a profile. What was
 * recorded is kept until the lab is closed, so that the same experiment under another profile costs
 * only the playing.
 */
public final class ModelLab implements Lab, AutoCloseable {
  private final Map<ClassicExperiment, ClassicModel> recorded = new ConcurrentHashMap<>();
  private final boolean keep;
  private byte[] profile;

  /**
   * Opens a lab.
   *
   * @param profile device and host
   * @param keep whether recordings are kept for other profiles
   */
  public ModelLab(DeviceProfile profile, boolean keep) {
    this.keep = keep;
    use(profile);
  }

  /** Goes over to another profile. */
  public void use(DeviceProfile other) {
    profile = other.wireArray();
  }

  @Override
  public Modelled run(ClassicExperiment experiment) throws IOException {
    ClassicModel kept = recorded.get(experiment);
    if (kept != null) {
      return play(kept);
    }
    ClassicModel model = record(experiment);
    if (keep) {
      recorded.put(experiment, model);
      return play(model);
    }
    try (model) {
      return play(model);
    }
  }

  private Modelled play(ClassicModel model) throws IOException {
    return new Modelled(
        ModelReport.read(model.play(profile, ModelSide.DEVICE)),
        ModelReport.read(model.play(profile, ModelSide.HOST)),
        model.deviceCounts().results());
  }

  /** Records an experiment, with as much device memory as it takes. */
  public static ClassicModel record(ClassicExperiment experiment) {
    return record(experiment, 0);
  }

  /** Records an experiment with so much device memory, or with as much as it takes: 0. */
  public static ClassicModel record(ClassicExperiment experiment, long memoryBytes) {
    return ClassicModel.record(
        workload(experiment.workload()),
        experiment.operation(),
        experiment.ranked(),
        true,
        memoryBytes);
  }

  /** Returns the lists as the simulator makes them. */
  static ClassicModel.Workload workload(Workload workload) {
    return new ClassicModel.Workload(
        workload.lists(),
        workload.longest(),
        workload.skew(),
        workload.ratioPpm(),
        0,
        workload.seed(),
        workload.longerFirst(),
        workload.lengths());
  }

  @Override
  public void close() {
    recorded.values().forEach(ClassicModel::close);
    recorded.clear();
  }
}
