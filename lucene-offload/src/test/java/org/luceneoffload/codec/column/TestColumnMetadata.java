/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.DocValuesType;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;

/** Metadata of columns as earlier versions wrote them. */
class TestColumnMetadata {
  private static final byte[] ID = new byte[16];
  private static final long STAMP = 77;

  @Test
  void withoutBounds() throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexOutput out = directory.createOutput("_0.odm", IOContext.DEFAULT)) {
        CodecUtil.writeIndexHeader(out, "OffloadColumns", 1, ID, "");
        out.writeLong(STAMP);
        out.writeVInt(2);
        for (int field = 3; field <= 4; field++) {
          out.writeVInt(field);
          out.writeByte((byte) 1); // SORTED_NUMERIC
          out.writeVInt(field); // first page
          out.writeVInt(1); // pages
          out.writeVInt(100); // docs
          out.writeVLong(120); // values
          out.writeLong(-50);
          out.writeLong(49);
        }
        CodecUtil.writeFooter(out);
      }
      ColumnMetadata read = ColumnMetadata.read(directory, "_0.odm", ID, "");
      assertEquals(STAMP, read.stamp());
      assertEquals(2, read.columns().size());
      ColumnEntry first = read.columns().get(0);
      assertEquals(
          new ColumnEntry(3, DocValuesType.SORTED_NUMERIC, 3, 1, 100, 120, -50, 49, null, 0),
          first);
      DeviceColumn column = first.in(null);
      assertNull(column.bounds());
      assertEquals(new PageBounds.Overlap(1, 1, 50.0), column.overlap(0, 100));
    }
  }

  @Test
  void columnsInTheSamePlaceAreAlikeWhateverIsKnownOfTheirPages() throws IOException {
    PageBounds.Builder bounds = new PageBounds.Builder();
    bounds.add(-50, 49, 100);
    ColumnEntry earlier =
        new ColumnEntry(3, DocValuesType.NUMERIC, 3, 1, 100, 100, -50, 49, null, 0);
    ColumnEntry now =
        new ColumnEntry(3, DocValuesType.NUMERIC, 3, 1, 100, 100, -50, 49, bounds.build(), 0);
    ColumnEntry elsewhere =
        new ColumnEntry(3, DocValuesType.NUMERIC, 4, 1, 100, 100, -50, 49, bounds.build(), 0);
    assertTrue(earlier.isLike(now));
    assertTrue(now.isLike(earlier));
    assertFalse(earlier.isLike(elsewhere));
    assertFalse(earlier.isLike(null));
  }
}
