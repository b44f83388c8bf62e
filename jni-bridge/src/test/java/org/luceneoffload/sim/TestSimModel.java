/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.StridedList;
import org.luceneoffload.device.timing.ModelListener;
import org.luceneoffload.device.timing.ModelSettings;
import org.luceneoffload.device.timing.ModelledPlan;
import org.luceneoffload.device.timing.TimingModel;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.natives.NativeHandle;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ModelProfileLayout;
import org.luceneoffload.wire.layout.ModelReportLayout;
import org.luceneoffload.wire.layout.ModelTraceRecordLayout;

/** The timing model of the simulator, by way of the device interface. */
class TestSimModel {
  private static final int POSTINGS = 100_000;
  private static final DeviceSession.StopSignal NEVER = DeviceSession.StopSignal.NEVER;

  @TempDir Path home;
  private Device device;
  private StridedList list;
  private DeviceSession session;

  static List<String> profiles() {
    return Profiles.names();
  }

  @BeforeEach
  void open() throws IOException {
    device = new SimDeviceProvider().openForWriting("capacity=16m", home);
    list = StridedList.write(device, 0, POSTINGS, 20, 5);
    session = device.openSession();
  }

  @AfterEach
  void close() throws IOException {
    session.close();
    device.close();
    assertEquals(0, NativeHandle.live());
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip().order(ByteOrder.LITTLE_ENDIAN);
  }

  private ByteBuffer run(int mode) throws IOException {
    return copy(StridedList.run(session, list.plan(), mode, 0, NEVER));
  }

  private static ByteBuffer profile() throws IOException {
    return Profiles.load("smart-ssd-sas").wireBytes();
  }

  private static void assertStatus(int status, org.junit.jupiter.api.function.Executable call) {
    OffloadException e = assertThrows(OffloadException.class, call);
    assertEquals(status, e.status(), e.getMessage());
  }

  @ParameterizedTest
  @MethodSource("profiles")
  void aPlanIsReportedOnBothSidesAndAnsweredAsEver(String name) throws IOException {
    ByteBuffer plain = run(OffloadWire.Mode.TOP_K);
    List<ByteBuffer> reports = new ArrayList<>();
    TimingModel.of(device)
        .startModel(
            Profiles.load(name).wireBytes(),
            ModelSettings.DEFAULT,
            told -> {
              reports.add(copy(told.modelData(OffloadWire.ModelData.DEVICE_REPORT)));
              reports.add(copy(told.modelData(OffloadWire.ModelData.HOST_REPORT)));
            });
    assertEquals(plain, run(OffloadWire.Mode.TOP_K));
    assertEquals(plain, run(OffloadWire.Mode.TOP_K));
    assertEquals(4, reports.size());
    assertEquals(reports.get(0), reports.get(2), "a second run is as the first");
    assertEquals(reports.get(1), reports.get(3));
    for (int side = 0; side < 2; side++) {
      ByteBuffer report = reports.get(side);
      assertEquals(ModelReportLayout.BYTES, report.limit());
      assertEquals(OffloadWire.MODEL_REPORT_MAGIC, ModelReportLayout.magic(report, 0));
      assertEquals(OffloadWire.ModelSide.DEVICE + side, ModelReportLayout.side(report, 0));
      assertTrue(ModelReportLayout.elapsedPs(report, 0) > 0);
      assertEquals(list.extent().pageCount(), ModelReportLayout.pageLoads(report, 0), "pages");
    }
    TimingModel.of(device).stopModel();
    run(OffloadWire.Mode.COUNT);
    assertEquals(4, reports.size(), "nobody is told any more");
    assertStatus(
        OffloadWire.Status.INVALID_FIELD,
        () -> ModelledPlan.of(session).modelData(OffloadWire.ModelData.DEVICE_REPORT));
  }

  @Test
  void aTraceOfMoreThanOneCrossingIsWhole() throws IOException {
    TimingModel.of(device)
        .startModel(profile(), ModelSettings.withTrace(1 << 20), ModelListener.NONE);
    run(OffloadWire.Mode.COUNT);
    run(OffloadWire.Mode.TOP_K);
    ByteBuffer report =
        copy(ModelledPlan.of(session).modelData(OffloadWire.ModelData.DEVICE_REPORT));
    int records = ModelReportLayout.traceRecords(report, 0);
    ByteBuffer trace = copy(ModelledPlan.of(session).modelData(OffloadWire.ModelData.DEVICE_TRACE));
    assertEquals(0, ModelReportLayout.traceLost(report, 0));
    assertEquals((long) records * ModelTraceRecordLayout.BYTES, trace.limit());
    assertTrue(records > list.extent().pageCount());
    ByteBuffer host = copy(ModelledPlan.of(session).modelData(OffloadWire.ModelData.HOST_TRACE));
    assertNotEquals(trace, host);
    assertEquals(trace, ModelledPlan.of(session).modelData(OffloadWire.ModelData.DEVICE_TRACE));
  }

  @Test
  void aBadProfileIsRefusedByTheNameOfItsField() throws IOException {
    ByteBuffer profile = profile();
    ModelProfileLayout.coreHz(profile, 0, 3);
    OffloadException e =
        assertThrows(
            OffloadException.class,
            () ->
                TimingModel.of(device)
                    .startModel(profile, ModelSettings.DEFAULT, ModelListener.NONE));
    assertEquals(OffloadWire.Status.INVALID_ARGUMENT, e.status());
    assertTrue(e.getMessage().contains("core_hz is 3"), e.getMessage());
    assertStatus(
        OffloadWire.Status.INVALID_FIELD,
        () ->
            TimingModel.of(device)
                .startModel(profile().limit(100), ModelSettings.DEFAULT, ModelListener.NONE));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            TimingModel.of(device)
                .startModel(ByteBuffer.allocate(8), ModelSettings.DEFAULT, ModelListener.NONE));
  }

  @Test
  void aListenerThatFailsFailsThePlan() throws IOException {
    TimingModel.of(device)
        .startModel(
            profile(),
            ModelSettings.DEFAULT,
            told -> {
              throw new IOException("no more");
            });
    IOException e = assertThrows(IOException.class, () -> run(OffloadWire.Mode.COUNT));
    assertEquals("no more", e.getMessage());
    TimingModel.of(device).stopModel();
    run(OffloadWire.Mode.COUNT);
  }

  @Test
  void writesArePlacedAndTimed() throws IOException {
    assertStatus(
        OffloadWire.Status.INVALID_FIELD,
        () -> TimingModel.of(device).modelWrites(OffloadWire.ModelSide.DEVICE));
    TimingModel.of(device).startModel(profile(), ModelSettings.DEFAULT, ModelListener.NONE);
    assertStatus(
        OffloadWire.Status.INVALID_FIELD,
        () -> TimingModel.of(device).modelWrites(OffloadWire.ModelSide.DEVICE));
    StridedList.write(device, 1000, POSTINGS, 20, 6);
    for (int side = OffloadWire.ModelSide.DEVICE; side <= OffloadWire.ModelSide.HOST; side++) {
      ByteBuffer report = TimingModel.of(device).modelWrites(side);
      assertEquals(side, ModelReportLayout.side(report, 0));
      assertTrue(ModelReportLayout.flashPrograms(report, 0) > 0);
      assertTrue(ModelReportLayout.elapsedPs(report, 0) > 0);
    }
  }

  @Test
  void afterCloseThereIsNothingToStop() throws IOException {
    TimingModel.of(device).startModel(profile(), ModelSettings.DEFAULT, ModelListener.NONE);
    device.close();
    TimingModel.of(device).stopModel();
    assertStatus(
        OffloadWire.Status.CLOSED,
        () ->
            TimingModel.of(device)
                .startModel(profile(), ModelSettings.DEFAULT, ModelListener.NONE));
  }
}
