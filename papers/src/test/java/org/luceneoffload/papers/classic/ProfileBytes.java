/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.luceneoffload.wire.OffloadWire.ModelCompletion;
import org.luceneoffload.wire.layout.ModelProfileLayout;

/** A profile of round numbers, for tests. */
public final class ProfileBytes {
  private ProfileBytes() {}

  public static ByteBuffer valid() {
    ByteBuffer b = ByteBuffer.allocate(ModelProfileLayout.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    ModelProfileLayout.magic(b, 0, org.luceneoffload.wire.OffloadWire.MODEL_PROFILE_MAGIC);
    ModelProfileLayout.version(b, 0, org.luceneoffload.wire.OffloadWire.VERSION);
    b.put(ModelProfileLayout.NAME, (byte) 't');
    link(b);
    cores(b);
    flash(b);
    return b;
  }

  private static void link(ByteBuffer b) {
    ModelProfileLayout.linkBytesPerS(b, 0, 500_000_000L);
    ModelProfileLayout.linkCommandNs(b, 0, 10_000);
    ModelProfileLayout.linkCompletionNs(b, 0, 7_000);
    ModelProfileLayout.linkCompletion(b, 0, ModelCompletion.INTERRUPT);
    ModelProfileLayout.linkQueueDepth(b, 0, 32);
    ModelProfileLayout.sendChunkBytes(b, 0, 8192);
    ModelProfileLayout.sendChunkNs(b, 0, 20_000);
  }

  private static void cores(ByteBuffer b) {
    ModelProfileLayout.coreHz(b, 0, 400_000_000L);
    ModelProfileLayout.coreCount(b, 0, 4);
    ModelProfileLayout.dramBytes(b, 0, 256L << 20);
    ModelProfileLayout.dramBytesPerS(b, 0, 1_600_000_000L);
    ModelProfileLayout.hostHz(b, 0, 3_400_000_000L);
    ModelProfileLayout.hostDramBytesPerS(b, 0, 20_000_000_000L);
    ModelProfileLayout.hostCoreCount(b, 0, 4);
    ModelProfileLayout.hostReadCpuNs(b, 0, 15_000);
    for (int work = 0; work < 7; work++) {
      ModelProfileLayout.coreMillicycles(b, 0, work, 40_000);
      ModelProfileLayout.hostMillicycles(b, 0, work, 5_000);
    }
  }

  private static void flash(ByteBuffer b) {
    ModelProfileLayout.firmwareCount(b, 0, 1);
    ModelProfileLayout.firmwareReadNs(b, 0, 3_000);
    ModelProfileLayout.flashWritesInFlight(b, 0, 8);
    ModelProfileLayout.flashChannels(b, 0, 4);
    ModelProfileLayout.flashWays(b, 0, 2);
    ModelProfileLayout.flashDies(b, 0, 1);
    ModelProfileLayout.flashPlanes(b, 0, 1);
    ModelProfileLayout.flashPageBytes(b, 0, 8192);
    ModelProfileLayout.flashBlockPages(b, 0, 64);
    ModelProfileLayout.flashPlaneBlocks(b, 0, 64);
    ModelProfileLayout.flashSparePpm(b, 0, 100_000);
    ModelProfileLayout.flashGcBlocks(b, 0, 2);
    ModelProfileLayout.flashPageTypes(b, 0, 1);
    ModelProfileLayout.flashReadNs(b, 0, 0, 40_000);
    ModelProfileLayout.flashProgramNs(b, 0, 0, 600_000);
    ModelProfileLayout.flashEraseNs(b, 0, 2_000_000);
    ModelProfileLayout.eccStepBytes(b, 0, 1024);
    ModelProfileLayout.channelBytesPerS(b, 0, 400_000_000L);
  }
}
