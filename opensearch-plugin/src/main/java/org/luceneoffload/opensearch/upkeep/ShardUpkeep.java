/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.upkeep;

import java.io.IOException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.store.AlreadyClosedException;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.maintain.IndexDetach;
import org.luceneoffload.maintain.IndexImport;
import org.luceneoffload.maintain.IndexRepair;
import org.luceneoffload.maintain.MaintenanceProgress;
import org.luceneoffload.maintain.MaintenanceReport;
import org.opensearch.OpenSearchStatusException;
import org.opensearch.common.concurrent.GatedCloseable;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.index.shard.IndexShard;
import org.opensearch.index.shard.IndexShardState;

/**
 * Upkeep of one shard, while it is searched and written to. No file of a commit changes: a recovery
 * or a snapshot may be reading it. Everything lies beside the segments.
 */
public final class ShardUpkeep {
  private static final Logger LOG = LogManager.getLogger(ShardUpkeep.class);

  private final IndexShard shard;
  private final OffloadDirectory directory;

  private ShardUpkeep(IndexShard shard) {
    this.shard = shard;
    directory = OffloadDirectory.find(shard.store().directory());
  }

  /**
   * Does it, and returns when it is done.
   *
   * @throws OpenSearchStatusException if the shard has no device, or not now
   * @throws IOException if the index cannot be read or the device cannot be written
   */
  public static ShardReport run(IndexShard shard, UpkeepOperation operation) throws IOException {
    shard.store().incRef();
    try {
      ShardUpkeep upkeep = new ShardUpkeep(shard);
      upkeep.checkDevice(operation);
      return upkeep.run(operation);
    } finally {
      shard.store().decRef();
    }
  }

  /**
   * Makes what a shard lacks that has come from elsewhere. What fails is logged.
   *
   * @param all whether segments get images that were written without
   */
  public static void afterStart(IndexShard shard, boolean all) {
    if (!shard.store().tryIncRef()) {
      return; // closed meanwhile
    }
    try {
      ShardUpkeep upkeep = new ShardUpkeep(shard);
      if (upkeep.directory == null || upkeep.directory.whyNoImages() != null) {
        return; // it works without, as the log says already
      }
      try (GatedCloseable<IndexCommit> kept = keep(shard, false)) {
        MaintenanceReport done =
            all ? upkeep.makeAll(kept.get()) : upkeep.makeLost(kept.get(), false);
        if (done.segmentsWritten() > 0 || !done.leftOut().isEmpty()) {
          LOG.info(
              "{}: images made for {} segments, left out: {}",
              shard.shardId(),
              done.segmentsWritten(),
              done.leftOut());
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("{}: images could not be made, the host answers: {}", shard.shardId(), e.toString());
    } finally {
      shard.store().decRef();
    }
  }

  /**
   * Makes images for segments that never had any, and for those that were written with images which
   * are elsewhere: the files of a clone are those of another shard, which has the images.
   */
  private MaintenanceReport makeAll(IndexCommit kept) throws IOException {
    MaintenanceReport lost = makeLost(kept, false);
    MaintenanceReport none = IndexImport.run(directory, progress());
    return new MaintenanceReport(
        none.segments(),
        Math.max(0, none.segmentsPresent() - lost.segmentsWritten()),
        Math.min(none.segments(), lost.segmentsWritten() + none.segmentsWritten()),
        lost.lists() + none.lists(),
        lost.postings() + none.postings(),
        lost.pages() + none.pages(),
        lost.bytes() + none.bytes(),
        lost.hashes() + none.hashes(),
        lost.columns() + none.columns(),
        lost.seconds() + none.seconds(),
        none.leftOut()); // what was lost and could not be made is in here, too
  }

  /** Makes images again that segments were written with; reads all that are there, or none. */
  private MaintenanceReport makeLost(IndexCommit kept, boolean readAll) throws IOException {
    return IndexRepair.runBeside(directory, kept, readAll, progress());
  }

  /** Keeps the last commit; what will replace this method in OpenSearch has no commit of Lucene. */
  @SuppressWarnings("deprecation")
  private static GatedCloseable<IndexCommit> keep(IndexShard shard, boolean flushFirst) {
    return shard.acquireLastIndexCommit(flushFirst);
  }

  private void checkDevice(UpkeepOperation operation) {
    String why = directory == null ? "its store is not of type offload" : directory.whyNoImages();
    if (why != null) {
      throw new OpenSearchStatusException(
          "cannot " + operation.requestName() + " images of shard " + shard.shardId() + ": " + why,
          RestStatus.SERVICE_UNAVAILABLE);
    }
  }

  private ShardReport run(UpkeepOperation operation) throws IOException {
    if (operation == UpkeepOperation.DETACH) {
      IndexDetach.Report done = IndexDetach.runBeside(directory);
      return new ShardReport(
          shard.shardId(),
          shard.routingEntry().primary(),
          shard.routingEntry().currentNodeId(),
          0,
          done.images(),
          done.columnImages(),
          done.bytes(),
          (long) (done.seconds() * 1e3),
          done.leftOut());
    }
    // What was indexed so far is committed, and stays until all is done.
    try (GatedCloseable<IndexCommit> kept = keep(shard, true)) {
      MaintenanceReport done =
          operation == UpkeepOperation.IMPORT ? makeAll(kept.get()) : makeLost(kept.get(), true);
      return new ShardReport(
          shard.shardId(),
          shard.routingEntry().primary(),
          shard.routingEntry().currentNodeId(),
          done.segments(),
          done.segmentsWritten(),
          done.columns(),
          done.bytes(),
          (long) (done.seconds() * 1e3),
          done.leftOut());
    }
  }

  /**
   * Returns a progress that ends the work once the shard is closed: closing does not wait for it.
   */
  private MaintenanceProgress progress() {
    return (segment, postings, ofPostings) -> {
      if (shard.state() == IndexShardState.CLOSED) {
        throw new AlreadyClosedException(shard.shardId() + " is closed");
      }
    };
  }
}
