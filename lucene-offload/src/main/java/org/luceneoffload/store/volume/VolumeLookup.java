/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.io.IOException;

/**
 * Reads a volume's file table: when it is opened, when it becomes writable, and when another
 * process may have written a new one. The state is the volume's, and guarded as it is there.
 */
final class VolumeLookup {
  private final Volume volume;

  VolumeLookup(Volume volume) {
    this.volume = volume;
  }

  /**
   * Returns the metadata of the device, which has become writable; those of a new volume if it has
   * none.
   */
  VolumeMetadata openOrFormat() throws IOException {
    boolean overwrite = VolumeClaim.check(volume.device);
    VolumeMetadata found = overwrite ? null : VolumeMetadata.open(volume.device);
    if (found != null) {
      found.restoreSuperblock();
      return found;
    }
    if (overwrite) {
      VolumeClaim.clear(volume.device);
    }
    return VolumeMetadata.format(volume.device);
  }

  /** Reads the table if it is a new one; see {@link Volume#refresh}. */
  void refresh() throws IOException {
    VolumeMetadata known;
    long current;
    boolean beside;
    synchronized (volume) {
      if (volume.writable && volume.share == null) {
        return;
      }
      known = volume.metadata;
      current = volume.sequence;
      beside = volume.share != null;
    }
    if (beside) {
      volume.sharing.refresh();
    } else if (known == null) {
      load(VolumeMetadata.open(volume.device), false);
    } else if (known.latestSequence() != current) {
      load(known, false); // the lease on the earlier one covers it
    }
  }

  /** Looks on the device for a file that is not known, if another process may have written it. */
  void lookFor(String name) throws IOException {
    VolumeMetadata known;
    boolean beside;
    synchronized (volume) {
      boolean alone = volume.writable && (volume.share == null || volume.share.owns(name));
      if (alone || volume.names.containsKey(name)) {
        return;
      }
      known = volume.metadata;
      beside = volume.share != null;
    }
    if (beside) {
      volume.sharing.refresh();
      return;
    }
    // The monitor is not held while this waits for the device.
    load(known != null ? known : VolumeMetadata.open(volume.device), false);
  }

  /** Reads the file table. With {@code toWrite} no other process changes it from now on. */
  void load(VolumeMetadata found, boolean toWrite) throws IOException {
    if (found == null) {
      return;
    }
    FileTable snapshot = found.readLatest();
    if (toWrite) {
      snapshot.spaces().clear(); // nobody else writes: what others kept for their files is free
    }
    FreeSpace free = VolumeSpace.freeBeside(VolumeShare.filesOf(snapshot), found, volume.device);
    synchronized (volume) {
      // Another thread may have read a later one, or begun to write.
      boolean reads = !volume.writable && volume.share == null;
      if (toWrite || reads && snapshot.sequence() >= volume.sequence) {
        volume.metadata = found;
        volume.names = VolumeFile.keepingReaders(volume.names.values(), snapshot.names());
        volume.users = snapshot.users();
        volume.leases.setGone(snapshot.gone());
        volume.sequence = snapshot.sequence();
        volume.space.reset(free);
        volume.writable = toWrite;
      }
    }
  }
}
