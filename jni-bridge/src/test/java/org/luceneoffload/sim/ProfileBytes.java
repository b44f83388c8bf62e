/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.luceneoffload.wire.OffloadWire.ModelCompletion;
import org.luceneoffload.wire.OffloadWire.ModelProfile;

/** A profile of round numbers, for tests. */
final class ProfileBytes {
  private ProfileBytes() {}

  static ByteBuffer valid() {
    ByteBuffer b = ByteBuffer.allocate(ModelProfile.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    ModelProfile.magic(b, 0, org.luceneoffload.wire.OffloadWire.MODEL_PROFILE_MAGIC);
    ModelProfile.version(b, 0, org.luceneoffload.wire.OffloadWire.VERSION);
    b.put(ModelProfile.NAME, (byte) 't');
    link(b);
    cores(b);
    flash(b);
    return b;
  }

  private static void link(ByteBuffer b) {
    ModelProfile.linkBytesPerS(b, 0, 500_000_000L);
    ModelProfile.linkCommandNs(b, 0, 10_000);
    ModelProfile.linkCompletionNs(b, 0, 7_000);
    ModelProfile.linkCompletion(b, 0, ModelCompletion.INTERRUPT);
    ModelProfile.linkQueueDepth(b, 0, 32);
    ModelProfile.sendChunkBytes(b, 0, 8192);
    ModelProfile.sendChunkNs(b, 0, 20_000);
  }

  private static void cores(ByteBuffer b) {
    ModelProfile.coreHz(b, 0, 400_000_000L);
    ModelProfile.coreCount(b, 0, 4);
    ModelProfile.dramBytes(b, 0, 256L << 20);
    ModelProfile.dramBytesPerS(b, 0, 1_600_000_000L);
    ModelProfile.hostHz(b, 0, 3_400_000_000L);
    ModelProfile.hostDramBytesPerS(b, 0, 20_000_000_000L);
    ModelProfile.hostCoreCount(b, 0, 4);
    ModelProfile.hostReadCpuNs(b, 0, 15_000);
    for (int work = 0; work < 7; work++) {
      ModelProfile.coreMillicycles(b, 0, work, 40_000);
      ModelProfile.hostMillicycles(b, 0, work, 5_000);
    }
  }

  private static void flash(ByteBuffer b) {
    ModelProfile.firmwareCount(b, 0, 1);
    ModelProfile.firmwareReadNs(b, 0, 3_000);
    ModelProfile.flashWritesInFlight(b, 0, 8);
    ModelProfile.flashChannels(b, 0, 4);
    ModelProfile.flashWays(b, 0, 2);
    ModelProfile.flashDies(b, 0, 1);
    ModelProfile.flashPlanes(b, 0, 1);
    ModelProfile.flashPageBytes(b, 0, 8192);
    ModelProfile.flashBlockPages(b, 0, 64);
    ModelProfile.flashPlaneBlocks(b, 0, 64);
    ModelProfile.flashSparePpm(b, 0, 100_000);
    ModelProfile.flashGcBlocks(b, 0, 2);
    ModelProfile.flashPageTypes(b, 0, 1);
    ModelProfile.flashReadNs(b, 0, 0, 40_000);
    ModelProfile.flashProgramNs(b, 0, 0, 600_000);
    ModelProfile.flashEraseNs(b, 0, 2_000_000);
    ModelProfile.eccStepBytes(b, 0, 1024);
    ModelProfile.channelBytesPerS(b, 0, 400_000_000L);
  }
}
