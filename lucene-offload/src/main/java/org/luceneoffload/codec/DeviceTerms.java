/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Terms;

/** Terms as a searcher wants them: with device lists, wherever those are. */
public final class DeviceTerms {
  private DeviceTerms() {}

  /**
   * Returns the terms of a field: {@link OffloadTerms} if the segment was written with device lists
   * or they were imported, else what the reader returns, null included.
   */
  public static Terms of(LeafReader shown, String field) throws IOException {
    LeafReader reader = TransparentReaders.unwrap(shown);
    Terms terms = reader.terms(field);
    if (terms == null || (terms instanceof OffloadTerms ours && ours.image().usable())) {
      return terms;
    }
    OffloadTerms imported = Sidecars.terms(reader, field, terms);
    return imported == null || (terms instanceof OffloadTerms && !imported.image().usable())
        ? terms
        : imported;
  }

  /**
   * Returns the image of a segment, one that can be used if there is one; null if it was neither
   * written with one nor imported.
   */
  public static SegmentImage anyImage(LeafReader reader) throws IOException {
    SegmentImage image = null;
    for (FieldInfo field : reader.getFieldInfos()) {
      if (field.getIndexOptions() != IndexOptions.NONE
          && of(reader, field.name) instanceof OffloadTerms terms) {
        if (terms.image().usable()) {
          return terms.image();
        }
        image = image == null ? terms.image() : image;
      }
    }
    return image;
  }
}
