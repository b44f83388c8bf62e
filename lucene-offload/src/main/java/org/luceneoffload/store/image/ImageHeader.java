/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.image;

import java.io.IOException;
import java.util.Locale;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.luceneoffload.wire.OffloadWire;

/**
 * The first page of an image, and what comes before its footer.
 *
 * <ul>
 *   <li>HeaderPage --&gt; IndexHeader, Stamp, WireVersion, zeros up to 4096 bytes
 *   <li>Stamp --&gt; {@link org.apache.lucene.store.DataOutput#writeLong Int64}
 *   <li>WireVersion --&gt; {@link org.apache.lucene.store.DataOutput#writeInt Int32}
 *   <li>PositionStart --&gt; {@link org.apache.lucene.store.DataOutput#writeInt Int32}: number of
 *       the first page that holds positions; those behind it do, too
 * </ul>
 *
 * <p>Version 1, that of every image without positions, has no PositionStart. Version 2 has it
 * between the last page and the footer.
 */
public final class ImageHeader {
  private static final int VERSION_START = 1;
  private static final int VERSION_POSITIONS = 2;

  private ImageHeader() {}

  /**
   * Writes the page as the first of an image.
   *
   * @param codec {@link ImageFiles#CODEC} or {@link ImageFiles#COLUMN_CODEC}
   * @param positions whether {@link #writePositionStart} follows
   * @param stamp stamp of the image
   * @param segmentId ID of the segment
   * @param suffix segment suffix of the format that writes
   */
  public static void write(
      IndexOutput out, String codec, boolean positions, long stamp, byte[] segmentId, String suffix)
      throws IOException {
    int version = positions ? VERSION_POSITIONS : VERSION_START;
    CodecUtil.writeIndexHeader(out, codec, version, segmentId, suffix);
    out.writeLong(stamp);
    out.writeInt(OffloadWire.VERSION);
    byte[] zeros = new byte[OffloadWire.PAGE_BYTES - Math.toIntExact(out.getFilePointer())];
    out.writeBytes(zeros, zeros.length);
  }

  /**
   * Writes, behind the last page, where positions begin.
   *
   * @param page number of the first page that holds any, or would
   */
  public static void writePositionStart(IndexOutput out, int page) throws IOException {
    out.writeInt(page);
  }

  /**
   * Checks the first page of an image, its length and that it has a footer; for the parameters see
   * {@link #write}.
   *
   * @return number of the first page that holds positions; 0 if the image is without
   * @throws IOException if the image is another, damaged, or cannot be read
   */
  public static int check(IndexInput in, String codec, long stamp, byte[] segmentId, String suffix)
      throws IOException {
    int format =
        CodecUtil.checkIndexHeader(in, codec, VERSION_START, VERSION_POSITIONS, segmentId, suffix);
    long found = in.readLong();
    if (found != stamp) {
      throw new CorruptIndexException(
          String.format(Locale.ROOT, "stale image: expected stamp %016x, got %016x", stamp, found),
          in);
    }
    int version = in.readInt();
    if (version != OffloadWire.VERSION) {
      throw new CorruptIndexException(
          "the image has wire version " + version + ", this is " + OffloadWire.VERSION, in);
    }
    int startBytes = format == VERSION_START ? 0 : Integer.BYTES;
    if (in.length() % OffloadWire.PAGE_BYTES != startBytes + CodecUtil.footerLength()) {
      throw new CorruptIndexException("truncated image of " + in.length() + " bytes", in);
    }
    CodecUtil.retrieveChecksum(in);
    return startBytes == 0 ? 0 : readPositionStart(in);
  }

  private static int readPositionStart(IndexInput in) throws IOException {
    in.seek(in.length() - CodecUtil.footerLength() - Integer.BYTES);
    int page = in.readInt();
    long pages = in.length() / OffloadWire.PAGE_BYTES;
    if (page < 1 || page > pages) {
      throw new CorruptIndexException("positions begin at page " + page + " of " + pages, in);
    }
    return page;
  }
}
