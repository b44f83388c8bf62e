/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.util.List;

/**
 * A run of pages of a file that are neighbours on the device.
 *
 * @param filePage first page number in the file
 * @param pageCount pages, at least 1
 * @param lba LBA of the first
 */
public record Extent(int filePage, int pageCount, long lba) {
  /**
   * Returns the run that a page of a file is in; null if the file does not have the page.
   *
   * @param extents of the file, ascending by file page
   */
  public static Extent of(List<Extent> extents, int filePage) {
    int low = 0;
    int high = extents.size() - 1;
    while (low <= high) {
      int mid = (low + high) >>> 1;
      Extent extent = extents.get(mid);
      if (filePage < extent.filePage()) {
        high = mid - 1;
      } else if (filePage >= extent.endFilePage()) {
        low = mid + 1;
      } else {
        return extent;
      }
    }
    return null;
  }

  /** Returns the LBA of a page of the file that is in this run. */
  public long lbaOf(int page) {
    return lba + (page - filePage);
  }

  /** Returns the page number in the file behind the last page of this run. */
  public int endFilePage() {
    return filePage + pageCount;
  }

  /** Returns the LBA behind the last page of this run. */
  public long endLba() {
    return lba + pageCount;
  }
}
