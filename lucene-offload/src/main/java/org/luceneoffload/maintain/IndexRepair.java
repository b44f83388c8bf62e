/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.maintain;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
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
 * index writer may be open.
 */
public final class IndexRepair extends Upkeep {
  private IndexRepair(OffloadDirectory directory, MaintenanceProgress progress) {
    super(directory, progress);
  }

  /**
   * Repairs the latest commit.
   *
   * @param directory the index, opened with a device that can be written
   * @throws org.apache.lucene.store.LockObtainFailedException if an index writer is open
   * @throws IOException if there is no index, it cannot be read, or the device cannot be written; a
   *     segment that has no room on the device is left out, and the report says so
   */
  public static MaintenanceReport run(OffloadDirectory directory, MaintenanceProgress progress)
      throws IOException {
    checkWritable(directory);
    try (Lock lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
      lock.ensureValid();
      return new IndexRepair(directory, progress).run();
    }
  }

  @Override
  boolean verifies() {
    return true;
  }

  @Override
  void upkeep(SegmentReader reader, SegmentLists lists, SegmentColumns columns) {
    SortedSet<String> beside = new TreeSet<>(lists.without());
    lists.lost().values().forEach(beside::addAll);
    for (Map.Entry<SegmentImage, SortedSet<String>> lost : lists.lost().entrySet()) {
      rewrite(reader, lost.getKey(), lost.getValue(), beside);
    }
    if (lists.hasLostHashes()) {
      rewriteHashes(reader, lists);
    }
    if (lists.importDamage() != null) {
      writeBeside(reader, lists.without());
    } else if (lists.lost().isEmpty()
        && !lists.hasLostHashes()
        && !lists.without().isEmpty()
        && !lists.isImported()) {
      recordSkipped(reader.getSegmentName(), "it never had device lists: import makes them");
    }
    List<OwnColumns> elsewhere = new ArrayList<>();
    for (OwnColumns lost : columns.lost()) {
      if (remakeColumns(reader, lost)) {
        elsewhere.add(lost);
      }
    }
    if (columns.importDamage() != null || !elsewhere.isEmpty()) {
      writeColumnsBeside(reader, columns, elsewhere);
    }
  }
}
