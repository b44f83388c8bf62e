/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.volume;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A file of a volume, under one or more names. Guarded by the volume. */
final class VolumeFile {
  /** The extents of the file, ascending by file page and without gaps. */
  final List<Extent> extents;

  /** Its length in bytes. */
  final long length;

  /** What its pages carry, as a file of an index has; 0: they carry nothing of the volume's. */
  final long stamp;

  /** Its bytes, if they are in the metadata and nowhere else; else null. */
  final byte[] inline;

  /** Names that it has. */
  int links;

  /** Readers that are open. */
  int readers;

  /** Snapshot that this process holds for its own readers once the file is gone; 0: none. */
  long heldSequence;

  /** Latest snapshot with this file in it that was begun to be written; 0: none. */
  long lastSequence;

  VolumeFile(List<Extent> extents, long length) {
    this(extents, length, 0);
  }

  VolumeFile(List<Extent> extents, long length, long stamp) {
    this.extents = List.copyOf(extents);
    this.length = length;
    this.stamp = stamp;
    this.inline = null;
  }

  /** A file in the metadata. */
  VolumeFile(byte[] inline) {
    this.extents = List.of();
    this.length = inline.length;
    this.stamp = 0;
    this.inline = inline;
  }

  /**
   * Returns a file table that was read, with files that are open as the objects that their readers
   * know.
   *
   * @param known the files of the table before
   */
  static Map<String, VolumeFile> keepingReaders(
      Collection<VolumeFile> known, Map<String, VolumeFile> read) {
    Map<List<Extent>, VolumeFile> open = new HashMap<>();
    for (VolumeFile file : known) {
      if (file.readers > 0 && file.inline == null) {
        open.put(file.extents, file);
      }
    }
    if (open.isEmpty()) {
      return read;
    }
    Map<String, VolumeFile> result = new HashMap<>();
    read.forEach(
        (name, file) -> {
          VolumeFile present = open.get(file.extents);
          if (present != null && present.length == file.length) {
            present.links = file.links;
            present.lastSequence = file.lastSequence;
            result.put(name, present);
          } else {
            result.put(name, file);
          }
        });
    return result;
  }
}
