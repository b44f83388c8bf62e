/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;

/**
 * Makes durable what a process has changed that alone writes to a volume. The state is the
 * volume's, and guarded as it is there; {@link VolumeSharing} does it for one of several.
 */
final class VolumeSync {
  private final Volume volume;

  VolumeSync(Volume volume) {
    this.volume = volume;
  }

  /** Makes the volume durable; see {@link Volume#sync}. */
  void sync() throws IOException {
    VolumeSpace space = volume.space;
    synchronized (volume.syncLock) {
      volume.leases.release(volume.lookedUpIn(), space);
      VolumeSpace.Waiting waiting;
      synchronized (volume) {
        volume.requireWritable();
        if (!volume.dirty && !space.isAnyWaiting()) {
          return;
        }
        // Before the device is asked whether it has settled: what comes later waits for the next.
        waiting = space.takeWaiting();
      }
      boolean durable = false;
      try {
        boolean leased =
            !waiting.freed().isEmpty() && volume.holdsIndexes() && volume.shared.hasLeases();
        writeSnapshot(leased ? waiting.freed() : List.of());
        durable = true;
        if (leased) {
          waiting = new VolumeSpace.Waiting(List.of(), waiting.settled());
        }
      } finally {
        if (!durable) {
          space.putBack(waiting);
        }
      }
      space.freeNow(waiting);
      volume.leases.release(volume.lookedUpIn(), space);
    }
  }

  /**
   * Makes the file table durable as it is now; with the lock of syncs held.
   *
   * @param kept LBAs of files that are without a name from now on, and may still be read
   */
  private void writeSnapshot(List<Extent> kept) throws IOException {
    VolumeMetadata metadata;
    long target;
    long changesCovered;
    ByteBuffer snapshot;
    synchronized (volume) {
      volume.checkSettled();
      metadata = volume.metadata;
      target = volume.sequence + 1;
      List<GoneFile> allGone = volume.leases.gone();
      if (!kept.isEmpty()) {
        allGone.add(new GoneFile(target, kept));
      }
      snapshot =
          metadata.encode(new FileTable(target, volume.names, volume.users, allGone, Map.of()));
      changesCovered = volume.changes;
      for (VolumeFile file : volume.names.values()) {
        file.lastSequence = target;
      }
    }
    volume.device.flush();
    metadata.writeSnapshot(target, snapshot);
    volume.device.flush();
    synchronized (volume) {
      volume.sequence = target;
      volume.dirty = volume.changes != changesCovered;
      if (!kept.isEmpty()) {
        volume.leases.addGone(new GoneFile(target, kept));
      }
    }
  }
}
