/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.CRC32;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersIndexOutput;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.StringHelper;
import org.luceneoffload.store.volume.VolumeId;
import org.luceneoffload.wire.OffloadWire;

/**
 * The file that stands in the application's own directory for an image on a device, so that the
 * index there is complete: a small file with the segment's header that names the volume and the
 * file in it.
 *
 * <ul>
 *   <li>Stub --&gt; IndexHeader, VolumeIdHigh, VolumeIdLow, Uid, ImageLength, Footer
 *   <li>VolumeIdHigh, VolumeIdLow, Uid, ImageLength --&gt; {@link IndexOutput#writeLong Int64}
 * </ul>
 *
 * @param segmentId ID of the segment
 * @param suffix segment suffix of the format that wrote the image
 * @param volume the volume; not null
 * @param uid random number that names the file in the volume; 0 if the image was given up, and is
 *     nowhere
 * @param imageLength bytes of the image
 */
public record ImageStub(
    byte[] segmentId, String suffix, VolumeId volume, long uid, long imageLength) {
  private static final String CODEC = "OffloadImageStub";
  private static final int VERSION = 1;

  /** A stub is shorter than this, and an image is not. */
  static final int MAX_BYTES = OffloadWire.PAGE_BYTES;

  /**
   * Returns a stub with the segment ID and suffix from the index header of an image; null if the
   * bytes are no image.
   */
  static ImageStub forImage(byte[] head, int length, VolumeId volume) {
    ByteArrayDataInput in = new ByteArrayDataInput(head, 0, length);
    try {
      CodecUtil.checkHeader(in, codec(head, length), 1, Integer.MAX_VALUE);
      return new ImageStub(readId(in), readSuffix(in), volume, 0, 0);
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /** Returns which of the two kinds of images the bytes are, if they are one. */
  private static String codec(byte[] head, int length) throws IOException {
    ByteArrayDataInput in = new ByteArrayDataInput(head, Integer.BYTES, length - Integer.BYTES);
    return in.readString().equals(ImageFiles.COLUMN_CODEC)
        ? ImageFiles.COLUMN_CODEC
        : ImageFiles.CODEC;
  }

  /** Reads a stub; null if the file is none. */
  static ImageStub read(IndexInput file) throws IOException {
    if (file.length() >= MAX_BYTES) {
      return null;
    }
    byte[] bytes = new byte[(int) file.length()];
    file.seek(0);
    file.readBytes(bytes, 0, bytes.length);
    return parse(bytes, bytes.length);
  }

  /** Parses a stub; null if the bytes are none. */
  public static ImageStub parse(byte[] bytes, int length) {
    ByteArrayDataInput in = new ByteArrayDataInput(bytes, 0, length);
    try {
      CodecUtil.checkHeader(in, CODEC, VERSION, VERSION);
      byte[] id = readId(in);
      String suffix = readSuffix(in);
      VolumeId volume = new VolumeId(in.readLong(), in.readLong());
      ImageStub stub = new ImageStub(id, suffix, volume, in.readLong(), in.readLong());
      int end = in.getPosition();
      return end + CodecUtil.footerLength() == length && isSound(bytes, length) ? stub : null;
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  /** Returns whether the footer has the checksum of the bytes before it. */
  private static boolean isSound(byte[] bytes, int length) {
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, length - Long.BYTES);
    long written = ByteBuffer.wrap(bytes, length - Long.BYTES, Long.BYTES).getLong();
    return crc.getValue() == written;
  }

  /**
   * Returns whether a file that has an image's name and is no stub was one, before something
   * happened to it. What is too short to be a stub never became one: its writer was killed.
   */
  static boolean isDamaged(IndexInput file) throws IOException {
    int least = CodecUtil.indexHeaderLength(CODEC, "") + 4 * Long.BYTES + CodecUtil.footerLength();
    return file.length() >= least && file.length() < MAX_BYTES && read(file) == null;
  }

  /** Writes this stub as the whole of a file. */
  public void write(IndexOutput out) throws IOException {
    // Encoded apart, so that the checksum is right whatever the output wraps.
    ByteBuffersDataOutput bytes = new ByteBuffersDataOutput();
    try (ByteBuffersIndexOutput encoder =
        new ByteBuffersIndexOutput(bytes, "posting image stub", "stub")) {
      CodecUtil.writeIndexHeader(encoder, CODEC, VERSION, segmentId, suffix);
      encoder.writeLong(volume.high());
      encoder.writeLong(volume.low());
      encoder.writeLong(uid);
      encoder.writeLong(imageLength);
      CodecUtil.writeFooter(encoder);
    }
    byte[] array = bytes.toArrayCopy();
    out.writeBytes(array, array.length);
  }

  /** Returns the same stub for another file of the volume. */
  ImageStub with(long newUid, long newLength) {
    return new ImageStub(segmentId, suffix, volume, newUid, newLength);
  }

  /** Returns the name of the image in the volume. */
  public String volumeName() {
    return volumeName(uid);
  }

  /** Returns the name, in the volume, of the image with number {@code uid}. */
  public static String volumeName(long uid) {
    return String.format(Locale.ROOT, "%016x", uid);
  }

  private static byte[] readId(DataInput in) throws IOException {
    byte[] id = new byte[StringHelper.ID_LENGTH];
    in.readBytes(id, 0, id.length);
    return id;
  }

  private static String readSuffix(DataInput in) throws IOException {
    byte[] suffix = new byte[in.readByte() & 0xFF];
    in.readBytes(suffix, 0, suffix.length);
    return new String(suffix, StandardCharsets.UTF_8);
  }
}
