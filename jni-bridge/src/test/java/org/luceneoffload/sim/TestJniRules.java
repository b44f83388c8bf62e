/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.StridedList;
import org.luceneoffload.device.timing.ModelListener;
import org.luceneoffload.device.timing.ModelSettings;
import org.luceneoffload.device.timing.ModelledPlan;
import org.luceneoffload.device.timing.TimingModel;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.util.CheckedJni;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/** Every native function, called in a JVM that checks the rules of JNI: it has nothing to say. */
class TestJniRules {
  @TempDir Path home;

  /** Calls every native function, most of them also so that they fail. */
  static final class Child {
    public static void main(String[] args) throws IOException {
      Path home = Path.of(args[0]);
      try (Device device =
          new SimDeviceProvider().openForWriting("capacity=16m,sessions=1", home)) {
        StridedList list = StridedList.write(device, 0, 2_000_000, 20, 5);
        device.flush();
        ByteBuffer buffer = ByteBuffer.allocateDirect(4 << 20).order(ByteOrder.LITTLE_ENDIAN);
        device.read(0, buffer.clear());
        DeviceSession session = device.openSession();
        fails(device::openSession);
        StridedList.run(session, list.plan(), OffloadWire.Mode.DOCS, 0, () -> false);
        int bytes = StridedList.encode(session.planBuffer(), list.plan(), OffloadWire.Mode.DOCS, 0);
        ByteBuffer docs = session.executeDocs(bytes, DeviceSession.StopSignal.NEVER);
        int count = ResultHeaderLayout.entryCount(docs, 0);
        session.copyAscending(docs, ResultHeaderLayout.BYTES, count, new int[count]);
        fails(
            () -> session.copyAscending(docs, ResultHeaderLayout.BYTES, count + 1, new int[count]));
        fails(() -> session.copyAscending(docs, 1 << 20, count, new int[count]));
        StridedList.run(session, list.selfIntersection(), OffloadWire.Mode.COUNT, 0, () -> false);
        fails(
            () ->
                StridedList.run(
                    session, list.selfIntersection(), OffloadWire.Mode.COUNT, 0, () -> true));
        fails(() -> session.execute(12, DeviceSession.StopSignal.NEVER));
        TimingModel.of(device)
            .startModel(
                Profiles.load("pcie5-csd").wireBytes(),
                ModelSettings.withTrace(100),
                ModelListener.NONE);
        StridedList.run(session, list.plan(), OffloadWire.Mode.COUNT, 0, () -> false);
        ModelledPlan.of(session).modelData(OffloadWire.ModelData.DEVICE_TRACE);
        fails(() -> ModelledPlan.of(session).modelData(99));
        fails(() -> TimingModel.of(device).modelWrites(OffloadWire.ModelSide.DEVICE));
        TimingModel.of(device).stopModel();
        int resource = device.putLiveDocs(buffer.clear());
        device.dropResource(resource);
        fails(() -> device.dropResource(resource));
        device.trim(0, device.info().lbaCount());
        fails(() -> new SimDeviceProvider().openForWriting("", home));
        session.close();
      }
      closeUnderLoad(Files.createDirectory(home.resolve("load")));
      System.out.println("done");
    }

    /** A device is closed while plans, block commands and sessions are under way in it. */
    private static void closeUnderLoad(Path home) throws IOException {
      for (int round = 0; round < 5; round++) {
        Device device = new SimDeviceProvider().openForWriting("capacity=16m,sessions=8", home);
        StridedList list = StridedList.write(device, 0, 100_000, 20, 5);
        List<Thread> threads = new ArrayList<>();
        CountDownLatch running = new CountDownLatch(4);
        for (int i = 0; i < 4; i++) {
          boolean plans = i % 2 == 0;
          threads.add(Thread.ofPlatform().start(() -> untilClosed(device, list, plans, running)));
        }
        try {
          running.await();
          device.close();
          for (Thread thread : threads) {
            thread.join();
          }
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }

    private static void untilClosed(
        Device device, StridedList list, boolean plans, CountDownLatch running) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 14).order(ByteOrder.LITTLE_ENDIAN);
      try {
        while (true) {
          if (plans) {
            try (DeviceSession session = device.openSession()) {
              StridedList.run(session, list.plan(), OffloadWire.Mode.DOCS, 0, () -> false);
            }
          } else {
            device.read(0, buffer.clear());
            device.dropResource(device.putLiveDocs(buffer.clear()));
          }
          running.countDown();
        }
      } catch (IOException closed) {
        running.countDown();
      }
    }

    private interface Call {
      void run() throws IOException;
    }

    private static void fails(Call call) throws IOException {
      try {
        call.run();
      } catch (OffloadException expected) {
        return;
      }
      throw new IllegalStateException("that should have failed");
    }
  }

  @Test
  void nothingIsReported() throws Exception {
    CheckedJni.assertNothingIsReported(Child.class, home);
  }

  @Test
  void noFunctionTakesManyValues() {
    CheckedJni.assertFewParameters(
        SimDevice.class, SimSession.class, SimTask.class, HostExecutor.class);
  }
}
