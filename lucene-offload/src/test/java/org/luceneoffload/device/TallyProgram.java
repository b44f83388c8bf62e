/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/** A program part that keeps its own count of what passes through it. For one thread. */
public final class TallyProgram implements RamBlockDevice.Program {
  private final RamBlockDevice.Program in;

  /** Plans run to a result. */
  public long plans;

  /** Their bytes, those of failed ones too. */
  public long planBytes;

  /** Bytes of result pages. */
  public long resultBytes;

  /** As the result pages say. */
  public long pagesRead;

  /** As the result pages say. */
  public long pagesSkipped;

  /** As the result pages say. */
  public long blocksDecoded;

  /** As the result pages say. */
  public long blocksSkipped;

  /** As the result pages say. */
  public long postingsDecoded;

  /** As the result pages say. */
  public long docsScored;

  /** The way that result pages name: one of {@link OffloadWire.Way}, or none that there is. */
  public int way;

  /** Lets {@code in} run the plans. */
  public TallyProgram(RamBlockDevice.Program in) {
    this.in = in;
  }

  @Override
  public ByteBuffer run(RamBlockDevice device, ByteBuffer plan, DeviceSession.StopSignal stop)
      throws IOException {
    planBytes += plan.limit();
    ByteBuffer result = in.run(device, plan, stop);
    // So that no count is zero by the device's own making.
    ResultHeaderLayout.pagesRead(result, 0, 2);
    ResultHeaderLayout.pagesSkipped(result, 0, 13);
    ResultHeaderLayout.blocksDecoded(result, 0, 3);
    ResultHeaderLayout.blocksSkipped(result, 0, 5);
    ResultHeaderLayout.postingsDecoded(result, 0, 700);
    ResultHeaderLayout.docsScored(result, 0, 11);
    int flags = ResultHeaderLayout.flags(result, 0);
    ResultHeaderLayout.flags(result, 0, flags | way << OffloadWire.WAY_SHIFT);
    plans++;
    resultBytes += result.limit();
    pagesRead += 2;
    pagesSkipped += 13;
    blocksDecoded += 3;
    blocksSkipped += 5;
    postingsDecoded += 700;
    docsScored += 11;
    return result;
  }
}
