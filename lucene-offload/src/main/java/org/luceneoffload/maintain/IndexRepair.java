/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.maintain;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.store.Lock;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.SegmentLists;
import org.luceneoffload.codec.column.OwnColumns;
import org.luceneoffload.codec.column.SegmentColumns;

/**
 * Writes anew, from the index, the device lists and columns that are missing, stale or damaged: the
 * device's store was lost, the index was copied without it, an image had no room, or bits of it
 * have flipped. Everything on the device is read to find that out.
 *
 * <p>An image that the segment was written with is made again in its place, byte for byte where the
 * terms dictionary says; if this version would fill the pages otherwise, the lists are put beside
 * the segment. A term hash is made again in its place, too, unless it is in a compound file, and so
 * are columns, with the file that says which there are; those of a compound file are put beside the
 * segment. Imported lists and columns are imported again. Only a segment that never had any is left
 * to {@link IndexImport}.
 *
 * <p>Readers may be open meanwhile, and go on as before; those opened afterwards use the lists. No
 * index writer may be open. Under a writer and readers that are never closed, as a server has them,
 * {@link #runBeside} puts everything beside the segments.
 */
public final class IndexRepair extends Upkeep {
  private final boolean verify;
  private final boolean inPlace;

  private IndexRepair(
      OffloadDirectory directory, MaintenanceProgress progress, boolean verify, boolean inPlace) {
    super(directory, progress);
    this.verify = verify;
    this.inPlace = inPlace;
  }

  /**
   * Repairs the latest commit.
   *
   * @param directory the index, opened with a device that can be written
   * @param progress is told how far it is; {@link MaintenanceProgress#NONE}: nobody
   * @return what was written
   * @throws org.apache.lucene.store.LockObtainFailedException if an index writer is open
   * @throws IOException if there is no index, it cannot be read, or the device cannot be written; a
   *     segment that has no room on the device is left out, and the report says so
   */
  public static MaintenanceReport run(OffloadDirectory directory, MaintenanceProgress progress)
      throws IOException {
    checkWritable(directory);
    try (Lock lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
      lock.ensureValid();
      return new IndexRepair(directory, progress, true, true).run();
    }
  }

  /**
   * Repairs a commit while its index is open for writing. No file of the commit is touched. What is
   * lost is put beside the segments, where searchers made afterwards find it, over readers that are
   * open already, too. A merge makes the merged segment's own images, and what lay beside the
   * others goes with them.
   *
   * @param directory the index, opened with a device that can be written
   * @param kept a commit that the writer's deletion policy keeps meanwhile
   * @param verify whether everything on the device is read to find damage; else only what is known
   *     to be missing is written
   * @param progress is told how far it is; {@link MaintenanceProgress#NONE}: nobody
   * @return what was written
   * @throws IOException as {@link #run} does
   */
  public static MaintenanceReport runBeside(
      OffloadDirectory directory, IndexCommit kept, boolean verify, MaintenanceProgress progress)
      throws IOException {
    return new IndexRepair(directory, progress, verify, false).run(kept);
  }

  @Override
  boolean verifies() {
    return verify;
  }

  @Override
  void upkeep(SegmentReader reader, SegmentLists lists, SegmentColumns columns) {
    SortedSet<String> beside = new TreeSet<>(lists.without());
    lists.lost().values().forEach(beside::addAll);
    if (inPlace) {
      for (Map.Entry<SegmentImage, SortedSet<String>> lost : lists.lost().entrySet()) {
        rewrite(reader, lost.getKey(), lost.getValue(), beside);
      }
    } else if (!lists.lost().isEmpty()) {
      writeBeside(reader, beside);
    }
    if (lists.hasLostHashes() && inPlace) {
      rewriteHashes(reader, lists);
    } else if (lists.hasLostHashes()) {
      recordSkipped(
          reader.getSegmentName(),
          "its term hash is lost, and terms are looked up in the dictionary until it is merged");
    }
    if (lists.importDamage() != null && (inPlace || lists.lost().isEmpty())) {
      writeBeside(reader, lists.without());
    } else if (lists.lost().isEmpty()
        && !lists.hasLostHashes()
        && !lists.without().isEmpty()
        && !lists.isImported()) {
      recordSkipped(reader.getSegmentName(), "it never had device lists: import makes them");
    }
    List<OwnColumns> elsewhere = new ArrayList<>();
    for (OwnColumns lost : columns.lost()) {
      if (!inPlace || remakeColumns(reader, lost)) {
        elsewhere.add(lost);
      }
    }
    if (columns.importDamage() != null || !elsewhere.isEmpty()) {
      writeColumnsBeside(reader, columns, elsewhere);
    }
  }
}
