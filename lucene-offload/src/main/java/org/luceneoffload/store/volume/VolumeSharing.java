/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What a volume does for a process that writes to it beside others: makes it one, and syncs. The
 * state is the volume's, and guarded as it is there.
 */
final class VolumeSharing {
  /** A file table that this process wrote, what it leaves free, and when it had its lease. */
  private record Written(FileTable table, FreeSpace free, long turn) {}

  private final Volume volume;
  private Written written; // the last, if it is durable; guarded by the lock of syncs
  private boolean others; // somebody else has written a table lately; guarded the same way

  VolumeSharing(Volume volume) {
    this.volume = volume;
  }

  /** Opens the volume for writing; see {@link Volume#openForWriting(String)}. */
  void openForWriting(String index) throws IOException {
    if (isWritableFor(index)) {
      return;
    }
    volume.openingForWriting.lock();
    try {
      if (isWritableFor(index)) {
        return;
      }
      VolumeShare present = volume.share();
      if (present == null && !volume.shared.hasScopes()) {
        volume.openForWriting();
        return;
      }
      VolumeShare joined = present == null ? new VolumeShare(volume.device, volume.space) : present;
      joined.takeIndex(index);
      try {
        join(joined, index);
      } catch (Throwable t) {
        leave(joined, index, present == null);
        throw t;
      }
    } finally {
      volume.openingForWriting.unlock();
    }
  }

  private boolean isWritableFor(String index) {
    synchronized (volume) {
      return volume.writable && (volume.share == null || volume.share.holds(index));
    }
  }

  private void join(VolumeShare joined, String index) throws IOException {
    synchronized (volume.syncLock) {
      long turn = takeTable(joined);
      try {
        if (volume.share() == null) {
          VolumeMetadata found = volume.lookup.openOrFormat();
          synchronized (volume) {
            volume.metadata = found;
            volume.share = joined;
            volume.space.reset(new FreeSpace());
          }
        }
        synchronized (volume) {
          volume.share.join(index);
        }
        write(turn, 0, false);
      } finally {
        joined.giveTable();
      }
      synchronized (volume) {
        volume.writable = true;
      }
      volume.leases.tryHold(
          volume.lookedUpIn()); // no table any more that this process held as a reader
    }
  }

  /**
   * Takes the table, unless a write may still come that was not known of: it may be to the table.
   */
  private long takeTable(VolumeShare share) throws IOException {
    volume.checkSettled();
    return share.takeTable();
  }

  private void leave(VolumeShare joined, String index, boolean first) {
    synchronized (volume) {
      joined.leave(index);
      if (first) {
        volume.share = null;
      }
    }
    joined.giveIndex(index);
  }

  /**
   * Puts what this process has changed into the latest file table, and makes it durable.
   *
   * @param wanted LBAs that it needs at once; 0: none
   * @param last whether it will write no more
   */
  void sync(long wanted, boolean last) throws IOException {
    synchronized (volume.syncLock) {
      VolumeSpace.Waiting waiting;
      synchronized (volume) {
        volume.requireWritable();
        if (!volume.dirty && wanted == 0 && !last && !volume.space.isAnyWaiting()) {
          return;
        }
        // Before the device is asked whether it has settled: what comes later waits for the next.
        waiting = volume.space.takeWaiting();
      }
      try {
        if (others) {
          volume.device.flush(); // so that they wait the less for the table
        }
        long turn = takeTable(volume.share());
        try {
          write(turn, wanted, last);
        } finally {
          volume.share().giveTable();
        }
      } catch (Throwable t) {
        volume.space.putBack(waiting);
        throw t;
      }
      volume.space.freeNow(waiting);
      volume.leases.tryHold(volume.lookedUpIn()); // in place of the table before
    }
  }

  /**
   * Syncs, and takes over the space of writers that have died, as the next writer of their indexes
   * would.
   *
   * @param wanted LBAs that this process needs at once
   * @return whether there may be some; if not, nothing was done
   */
  boolean inherit(long wanted) throws IOException {
    synchronized (volume.syncLock) {
      VolumeShare share = volume.share();
      try {
        if (written == null || !share.takeOrphans(written.table.spaces().keySet())) {
          return false;
        }
        sync(wanted, false);
        return true;
      } finally {
        share.giveOrphans();
      }
    }
  }

  /** Writes the file table; with the lock of syncs and the lease of the table held. */
  private void write(long turn, long wanted, boolean last) throws IOException {
    VolumeMetadata metadata;
    synchronized (volume) {
      metadata = volume.metadata;
    }
    others = written == null || written.turn != turn;
    FileTable latest = others ? metadata.readLatest() : written.table;
    FreeSpace free = others ? freeBeside(latest, metadata) : written.free;
    written = null; // until another is durable
    List<GoneFile> gone = releaseGone(latest.gone(), free);
    VolumeShare.Attempt attempt;
    FileTable table;
    ByteBuffer snapshot;
    long changesCovered;
    synchronized (volume) {
      volume.checkSettled();
      if (others) {
        adopt(latest);
      }
      assert volume.share.merged(latest, volume.names).equals(volume.names);
      attempt = volume.share.prepare(latest, free, gone, volume.names, volume.users, wanted, last);
      table = attempt.table();
      changesCovered = volume.changes;
      try {
        snapshot = metadata.encode(table);
      } catch (Throwable t) {
        volume.share.failed(attempt);
        throw t;
      }
      noteAttempt(attempt, latest.sequence());
    }
    List<Extent> freed;
    boolean durable = false;
    try {
      volume.holdLease();
      volume.device.flush();
      metadata.writeSnapshot(table.sequence(), snapshot);
      volume.device.flush();
      durable = true;
    } finally {
      synchronized (volume) {
        if (durable) {
          volume.sequence = table.sequence();
          volume.dirty = volume.changes != changesCovered;
          volume.leases.setGone(table.gone());
          freed = volume.share.durable(attempt);
        } else {
          volume.share.failed(attempt);
          freed = List.of();
        }
      }
    }
    written = new Written(table, free, turn);
    assert free.extents().equals(freeBeside(table, metadata).extents());
    freed.forEach(volume.space::freeNow);
  }

  private FreeSpace freeBeside(FileTable table, VolumeMetadata metadata) throws IOException {
    return VolumeSpace.freeBeside(VolumeShare.filesOf(table), metadata, volume.device);
  }

  /** Notes that the attempt's table may be there from now on. */
  private void noteAttempt(VolumeShare.Attempt attempt, long before) {
    for (VolumeFile file : volume.names.values()) {
      file.lastSequence = attempt.table().sequence();
    }
    for (VolumeShare.Named one : attempt.removed()) {
      VolumeFile file = one.file();
      if (file.links == 0
          && file.readers > 0
          && file.heldSequence == 0
          && volume.leases.areWanted()) {
        file.heldSequence = before;
        volume.leases.opened(before);
      }
    }
  }

  /**
   * Frees the files that are no longer read on any host; with the lease of the table held.
   *
   * @return the others
   */
  private List<GoneFile> releaseGone(List<GoneFile> gone, FreeSpace free) {
    long least = gone.isEmpty() ? -1 : volume.leases.least(volume.lookedUpIn());
    List<GoneFile> kept = new ArrayList<>();
    for (GoneFile file : gone) {
      boolean settled = file.since() <= least;
      for (Extent extent : file.extents()) {
        settled = settled && volume.space.trim(extent);
      }
      if (settled) {
        file.extents().forEach(extent -> free.add(extent.lba(), extent.pageCount()));
      } else {
        kept.add(file);
      }
    }
    return kept;
  }

  /** Takes over what others have changed; with the lock of syncs held. */
  private void adopt(FileTable latest) {
    synchronized (volume) {
      volume.names = volume.share.merged(latest, volume.names);
      volume.users = VolumeShare.union(volume.users, latest.users());
      volume.leases.setGone(latest.gone());
      volume.sequence = latest.sequence();
    }
  }

  /** Reads what others have made durable since. */
  void refresh() throws IOException {
    synchronized (volume.syncLock) {
      VolumeMetadata metadata;
      long known;
      synchronized (volume) {
        metadata = volume.metadata;
        known = volume.sequence;
      }
      if (metadata.latestSequence() != known) {
        FileTable latest = metadata.readLatest();
        synchronized (volume) {
          if (latest.sequence() > volume.sequence) {
            adopt(latest);
          }
        }
      }
    }
  }
}
