/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.luceneoffload.codec.DeviceTerms;
import org.luceneoffload.codec.SegmentImage;

/** What a segment has on a device. */
public final class DeviceImages {
  private DeviceImages() {}

  /**
   * Returns an image of a segment, of posting lists or of columns, one that can be used if there is
   * one; null if it has none.
   */
  public static SegmentImage any(LeafReader reader) throws IOException {
    SegmentImage lists = DeviceTerms.anyImage(reader);
    if (lists != null && lists.usable()) {
      return lists;
    }
    SegmentImage columns = DeviceColumns.anyImage(reader);
    return columns != null && (lists == null || columns.usable()) ? columns : lists;
  }
}
