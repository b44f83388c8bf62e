/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.model;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.timing.ModelListener;
import org.luceneoffload.device.timing.ModelSettings;
import org.luceneoffload.device.timing.ModelledPlan;
import org.luceneoffload.device.timing.TimingModel;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ModelReportLayout;

/** Collects what a device models, from {@link #take} to {@link #take}. */
public final class ModelMeter implements ModelListener, Closeable {
  private final TimingModel model;
  private final DeviceProfile profile;
  private final boolean traces;
  private final List<ModelledProgram> programs = new ArrayList<>();

  /**
   * One plan.
   *
   * @param onDevice what it takes on the modelled device
   * @param onHost what it takes on its host
   * @param deviceTrace model_trace_record[] of the device; null: none was wanted
   * @param hostTrace model_trace_record[] of the host; null: none was wanted
   * @param lost trace records that were not kept, of both
   */
  public record ModelledProgram(
      ModelReport onDevice,
      ModelReport onHost,
      ByteBuffer deviceTrace,
      ByteBuffer hostTrace,
      long lost) {}

  private ModelMeter(TimingModel model, DeviceProfile profile, boolean traces) {
    this.model = model;
    this.profile = profile;
    this.traces = traces;
  }

  /**
   * Has a device model every plan until close.
   *
   * @param traceRecords records of a trace; 0: no trace
   */
  static ModelMeter start(Device device, DeviceProfile profile, int traceRecords)
      throws IOException {
    TimingModel model = TimingModel.of(device);
    ModelMeter meter = new ModelMeter(model, profile, traceRecords > 0);
    model.startModel(profile.wireBytes(), ModelSettings.withTrace(traceRecords), meter);
    return meter;
  }

  @Override
  public void modelled(ModelledPlan plan) throws IOException {
    ByteBuffer report = plan.modelData(OffloadWire.ModelData.DEVICE_REPORT);
    ModelReport onDevice = ModelReport.read(report, 0);
    long lost = lost(report);
    report = plan.modelData(OffloadWire.ModelData.HOST_REPORT);
    ModelReport onHost = ModelReport.read(report, 0);
    lost += lost(report);
    ByteBuffer deviceTrace = null;
    ByteBuffer hostTrace = null;
    if (traces) {
      deviceTrace = copy(plan.modelData(OffloadWire.ModelData.DEVICE_TRACE));
      hostTrace = copy(plan.modelData(OffloadWire.ModelData.HOST_TRACE));
    }
    synchronized (programs) {
      programs.add(new ModelledProgram(onDevice, onHost, deviceTrace, hostTrace, lost));
    }
  }

  private static long lost(ByteBuffer report) {
    return Integer.toUnsignedLong(ModelReportLayout.traceLost(report, 0));
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining())
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(bytes)
        .flip()
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the profile. */
  public DeviceProfile profile() {
    return profile;
  }

  /** Returns what was modelled since the last call, in the order in which it was run. */
  public List<ModelledProgram> take() {
    synchronized (programs) {
      List<ModelledProgram> taken = List.copyOf(programs);
      programs.clear();
      return taken;
    }
  }

  /** Takes all programs as {@link #take} does, and sums them up. */
  public ModelledCost takeCost() {
    return ModelledCost.of(profile.name(), take());
  }

  @Override
  public void close() throws IOException {
    model.stopModel();
  }
}
