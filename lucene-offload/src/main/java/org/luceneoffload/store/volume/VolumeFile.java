/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.util.List;

/** A file of a volume, under one or more names. Guarded by the volume. */
final class VolumeFile {
  /** The extents of the file, ascending by file page and without gaps. */
  final List<Extent> extents;

  /** Its length in bytes. */
  final long length;

  /** Names that it has. */
  int links;

  /** Readers that are open. */
  int readers;

  /** Latest snapshot that somebody began to write with this file in it; 0: none. */
  long lastSequence;

  VolumeFile(List<Extent> extents, long length) {
    this.extents = List.copyOf(extents);
    this.length = length;
  }

  /** LBAs that it takes up. */
  long lbaCount() {
    long count = 0;
    for (Extent extent : extents) {
      count += extent.pageCount();
    }
    return count;
  }
}
