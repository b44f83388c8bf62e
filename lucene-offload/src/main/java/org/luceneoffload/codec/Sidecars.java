/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FilterCodecReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.Terms;
import org.luceneoffload.store.image.CoreFiles;
import org.luceneoffload.store.image.ImageDirectory;

/** The lists beside the segments that are open. */
public final class Sidecars {
  private static final CoreFiles<Sidecar> LISTS = new CoreFiles<>(Sidecars::open);

  private Sidecars() {}

  private static Sidecar open(SegmentInfo segment, ImageDirectory directory, Sidecar before)
      throws IOException {
    // What can be used is kept, whatever lies there now.
    return before != null && before.image().usable() ? before : Sidecar.open(segment, directory);
  }

  /**
   * Returns the imported terms of a field.
   *
   * @param reader a segment's reader, or one that filters it
   * @param terms what it returns for the field, not null
   * @return null if the field was not imported, or {@code reader} shows other terms than its
   *     segment has
   */
  static OffloadTerms terms(LeafReader reader, String field, Terms terms) throws IOException {
    SegmentReader segment = segment(reader);
    if (segment == null) {
      return null;
    }
    Sidecar sidecar = find(segment);
    if (sidecar == null || (reader != segment && segment.terms(field) != terms)) {
      return null;
    }
    FieldInfo info = segment.getFieldInfos().fieldInfo(field);
    return info == null ? null : sidecar.terms(info, terms);
  }

  /**
   * Returns the reader of the segment that a reader shows, filtered or not; null if it shows none.
   */
  public static SegmentReader segment(LeafReader reader) {
    LeafReader at = reader;
    while (true) {
      LeafReader next = FilterLeafReader.unwrap(at);
      if (next instanceof CodecReader codecReader) {
        next = FilterCodecReader.unwrap(codecReader);
      }
      if (next == at) {
        return at instanceof SegmentReader segment ? segment : null;
      }
      at = next;
    }
  }

  /**
   * Returns the lists beside a segment; null if there are none, or it was opened without a device.
   */
  static Sidecar find(SegmentReader reader) throws IOException {
    return LISTS.find(reader);
  }
}
