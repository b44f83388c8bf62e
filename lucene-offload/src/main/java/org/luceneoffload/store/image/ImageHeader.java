/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.image;

import java.io.IOException;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.luceneoffload.wire.OffloadWire;

/**
 * The first page of an image.
 *
 * <ul>
 *   <li>HeaderPage --&gt; IndexHeader, Stamp, WireVersion, zeros up to 4096 bytes
 *   <li>Stamp --&gt; {@link org.apache.lucene.store.DataOutput#writeLong Int64}
 *   <li>WireVersion --&gt; {@link org.apache.lucene.store.DataOutput#writeInt Int32}
 * </ul>
 */
public final class ImageHeader {
  private static final int VERSION = 1;

  private ImageHeader() {}

  /**
   * Writes the page as the first of an image.
   *
   * @param codec {@link ImageFiles#CODEC} or {@link ImageFiles#COLUMN_CODEC}
   * @param stamp stamp of the image
   * @param segmentId ID of the segment
   * @param suffix segment suffix of the format that writes
   */
  public static void write(
      IndexOutput out, String codec, long stamp, byte[] segmentId, String suffix)
      throws IOException {
    CodecUtil.writeIndexHeader(out, codec, VERSION, segmentId, suffix);
    out.writeLong(stamp);
    out.writeInt(OffloadWire.VERSION);
    byte[] zeros = new byte[OffloadWire.PAGE_BYTES - Math.toIntExact(out.getFilePointer())];
    out.writeBytes(zeros, zeros.length);
  }

  /**
   * Checks the first page of an image, its length and that it has a footer; for the parameters see
   * {@link #write}.
   *
   * @throws IOException if the image is another, damaged, or cannot be read
   */
  public static void check(IndexInput in, String codec, long stamp, byte[] segmentId, String suffix)
      throws IOException {
    CodecUtil.checkIndexHeader(in, codec, VERSION, VERSION, segmentId, suffix);
    long found = in.readLong();
    if (found != stamp) {
      throw new CorruptIndexException(
          String.format("stale image: expected stamp %016x, got %016x", stamp, found), in);
    }
    int version = in.readInt();
    if (version != OffloadWire.VERSION) {
      throw new CorruptIndexException(
          "the image has wire version " + version + ", this is " + OffloadWire.VERSION, in);
    }
    if (in.length() % OffloadWire.PAGE_BYTES != CodecUtil.footerLength()) {
      throw new CorruptIndexException("truncated image of " + in.length() + " bytes", in);
    }
    CodecUtil.retrieveChecksum(in);
  }
}
