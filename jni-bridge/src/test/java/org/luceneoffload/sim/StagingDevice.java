/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceInfo;
import org.luceneoffload.device.DeviceInfos;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.ExecutingSession;
import org.luceneoffload.device.FilterDevice;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** A device that takes a few plans at once, and runs them one after the other. */
public final class StagingDevice extends FilterDevice {
  private final Supplier<OffloadException> failures;

  /** Asked before each staged plan: the failure that ends the exchange there; null: it goes on. */
  public volatile Supplier<OffloadException> ends = () -> null;

  /** Plans that it takes at once; to be set before it is used. */
  public int most = 3;

  /** Bytes of its largest result page; 0: as many as it has. To be set before it is used. */
  public int resultBytes;

  /** How often it was asked something and answered: plans that are run together are one. */
  public final AtomicLong exchanges = new AtomicLong();

  /** Plans that were run together with others. */
  public final AtomicLong staged = new AtomicLong();

  /** Whether it says that plans may follow one another. */
  public volatile boolean series = true;

  /**
   * @param failures asked before each staged plan: its failure, null if it is to be run
   */
  public StagingDevice(Device in, Supplier<OffloadException> failures) {
    super(in);
    this.failures = failures;
  }

  /** Returns such a device over a simulator whose store lies in a folder. */
  public static StagingDevice onSimulator(Path folder, Supplier<OffloadException> failures)
      throws IOException {
    String options = "capacity=1g,dram=32m,sessions=8";
    return new StagingDevice(new SimDeviceProvider().openForWriting(options, folder), failures);
  }

  /** Returns a failure of one plan, which says nothing of the device. */
  public static OffloadException refusal() {
    return new OffloadException(OffloadWire.Status.PLAN_MALFORMED, "refused by the test");
  }

  @Override
  public DeviceInfo info() {
    DeviceInfo info = super.info();
    info = resultBytes == 0 ? info : DeviceInfos.like(info, info.readOnly(), resultBytes);
    return series ? info : DeviceInfos.withoutSeries(info);
  }

  @Override
  public int mostStaged() {
    return most;
  }

  @Override
  public DeviceSession openSession() throws IOException {
    return new Session(in.openSession());
  }

  private final class Session extends ExecutingSession {
    private final List<byte[]> plans = new ArrayList<>();

    Session(DeviceSession session) {
      super(session);
    }

    @Override
    public ByteBuffer execute(int planBytes, StopSignal stop) throws IOException {
      exchanges.incrementAndGet();
      return in.execute(planBytes, stop);
    }

    @Override
    public boolean stage(int planBytes, int resultBytes) {
      byte[] plan = new byte[planBytes];
      planBuffer().get(0, plan);
      return plans.size() < most && plans.add(plan);
    }

    @Override
    public List<Staged> executeStaged(StopSignal stop) throws IOException {
      exchanges.incrementAndGet();
      List<Staged> results = new ArrayList<>();
      OffloadException end = null;
      for (byte[] plan : plans) {
        end = end == null ? ends.get() : end;
        if (end != null) {
          results.add(Staged.unanswered(end));
          continue;
        }
        staged.incrementAndGet();
        results.add(run(plan, stop));
        stop.answered();
      }
      plans.clear();
      return results;
    }

    private Staged run(byte[] plan, StopSignal stop) throws IOException {
      OffloadException failure = failures.get();
      if (failure != null) {
        return new Staged(null, failure);
      }
      planBuffer().put(0, plan);
      try {
        ByteBuffer page = in.execute(plan.length, stop);
        ByteBuffer copy = ByteBuffer.allocateDirect(page.limit()).order(ByteOrder.LITTLE_ENDIAN);
        return new Staged(copy.put(0, page, 0, page.limit()), null);
      } catch (OffloadException e) {
        return new Staged(null, e);
      }
    }
  }
}
