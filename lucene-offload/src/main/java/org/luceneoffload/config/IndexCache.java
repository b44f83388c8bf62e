/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.config;

import java.nio.file.Path;
import org.luceneoffload.OffloadDirectory;

/**
 * How much of the indexes on a storage node is kept on the host; see {@link
 * OffloadDirectory#open(String, OffloadOptions)}. The node's posting lists are not part of it.
 *
 * @param bytes of memory for pages of Lucene's files; what is more than 1 MiB is kept to
 * @param folder in which more pages are kept, from one process to the next; null: nowhere
 * @param folderBytes most bytes of the file in that folder
 */
public record IndexCache(long bytes, Path folder, long folderBytes) {
  /** 64 MiB of memory, and no folder. */
  public static final IndexCache DEFAULT = new IndexCache(64L << 20, null, 0);

  private static final long MIN_BYTES = 1L << 20;

  /** Checks the bounds. */
  public IndexCache {
    if (bytes < MIN_BYTES) {
      throw new IllegalArgumentException(
          "the cache of an index must have at least " + MIN_BYTES + " bytes, got " + bytes);
    }
    if (folder != null && folderBytes < MIN_BYTES) {
      throw new IllegalArgumentException(
          "the cache folder must get at least " + MIN_BYTES + " bytes, got " + folderBytes);
    }
  }

  /** Returns a cache with this memory and a folder. */
  public IndexCache withFolder(Path path, long most) {
    return new IndexCache(bytes, path, most);
  }
}
