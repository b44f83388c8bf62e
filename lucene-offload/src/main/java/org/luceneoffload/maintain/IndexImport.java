/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.maintain;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.index.SegmentReader;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.SegmentLists;
import org.luceneoffload.codec.column.OwnColumns;
import org.luceneoffload.codec.column.SegmentColumns;

/**
 * Gives device lists and columns to the segments of an index that have none: written by stock
 * Lucene, whatever their codec and formats, or by the offload codec without a device. No file of
 * the index is touched, so doc IDs, deletes, statistics and scores stay as they are, and stock
 * Lucene reads the index as before. Lists and columns are put beside the segments.
 *
 * <p>Fields with doc values get columns as {@link
 * org.luceneoffload.config.OffloadOptions#columns()} says. A column is of the doc values that the
 * latest commit has; if a writer updates them, readers of the update do without, until the index is
 * imported again.
 *
 * <p>An index writer and readers may be open meanwhile. Readers answer from the host what they have
 * no lists for; searchers made afterwards use the lists, over readers that were opened through an
 * {@link OffloadDirectory} of this process. What a crash cuts short is not seen, and the next run
 * goes on with the first segment that is not finished.
 */
public final class IndexImport extends Upkeep {
  private IndexImport(OffloadDirectory directory, MaintenanceProgress progress) {
    super(directory, progress);
  }

  /**
   * Imports the latest commit.
   *
   * @param directory the index, opened with a device that can be written
   * @param progress is told how far it is; {@link MaintenanceProgress#NONE}: nobody
   * @return what was written
   * @throws IOException if there is no index, it cannot be read, or the device cannot be written; a
   *     segment that has no room on the device is left out, and the report says so
   */
  public static MaintenanceReport run(OffloadDirectory directory, MaintenanceProgress progress)
      throws IOException {
    return new IndexImport(directory, progress).run();
  }

  @Override
  boolean verifies() {
    return false;
  }

  @Override
  void upkeep(SegmentReader reader, SegmentLists lists, SegmentColumns columns) throws IOException {
    Stream.concat(
            lists.lost().keySet().stream().map(SegmentImage::unusableReason),
            columns.lost().stream().map(OwnColumns::reason))
        .forEach(
            reason ->
                recordSkipped(
                    reader.getSegmentName(), "its own image is to be repaired: " + reason));
    boolean wantsLists = !lists.without().isEmpty() && !lists.isImported();
    boolean hasLists = !wantsLists || writeBeside(reader, lists.without());
    if (hasLists && columns.isIncomplete()) {
      writeColumnsBeside(reader, columns, List.of());
    }
  }
}
