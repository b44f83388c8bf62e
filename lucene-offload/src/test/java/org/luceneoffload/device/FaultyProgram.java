/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/** A program part that fails when told to. */
public final class FaultyProgram implements RamBlockDevice.Program {
  /** Ways to fail. */
  public enum Fault {
    /** A status. */
    STATUS,
    /** An exception that a device should not throw. */
    RUNTIME_EXCEPTION,
    /** A result page that is not one. */
    GARBAGE,
    /** A result page with a doc ID out of order. */
    WRONG_DOCS
  }

  private final RamBlockDevice.Program in;
  private final AtomicLong plansUntilFault = new AtomicLong(Long.MAX_VALUE);
  private final AtomicLong faults = new AtomicLong();
  private volatile Fault fault = Fault.STATUS;

  /** Lets {@code in} run the plans that do not fail. */
  public FaultyProgram(RamBlockDevice.Program in) {
    this.in = in;
  }

  /** Lets this many plans succeed and fails all after them. */
  public void failAfter(long plans, Fault how) {
    fault = how;
    plansUntilFault.set(plans);
  }

  /** Ends the failures. */
  public void heal() {
    plansUntilFault.set(Long.MAX_VALUE);
  }

  /** Plans that were failed. */
  public long faults() {
    return faults.get();
  }

  @Override
  public ByteBuffer run(RamBlockDevice device, ByteBuffer plan, DeviceSession.StopSignal stop)
      throws IOException {
    if (plansUntilFault.getAndDecrement() > 0) {
      return in.run(device, plan, stop);
    }
    faults.incrementAndGet();
    switch (fault) {
      case STATUS -> throw new OffloadException(OffloadWire.Status.IO_ERROR, "injected");
      case RUNTIME_EXCEPTION -> throw new IllegalStateException("injected");
      case GARBAGE -> {
        return plan;
      }
      default -> {
        ByteBuffer result = in.run(device, plan, stop);
        if (ResultHeaderLayout.entryCount(result, 0) == 0) {
          throw new OffloadException(OffloadWire.Status.ABORTED, "injected");
        }
        result.putInt(ResultHeaderLayout.BYTES, -1);
        return result;
      }
    }
  }
}
