/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.term;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/**
 * The list of fields at the end of a term hash, as {@link TermHash} describes it.
 *
 * @param byNumber the fields by their numbers
 * @param pages where the pages end, and the list of their checksums begins; 0 if there is none
 */
public record TermHashFields(Map<Integer, TermHash.Field> byNumber, long pages) {
  private static final int HAS_FREQS = 1;
  private static final int HAS_NORMS = 2;
  private static final int HAS_POSITIONS = 4;

  /** A list is shorter, by far: a damaged position must not make the reader ask for gigabytes. */
  private static final int MAX_BYTES = 1 << 24;

  /**
   * Writes the list.
   *
   * @param pages where the pages end
   */
  public static void write(IndexOutput out, List<TermHash.Field> fields, long pages)
      throws IOException {
    ByteBuffersDataOutput list = new ByteBuffersDataOutput();
    list.writeVInt(fields.size());
    for (TermHash.Field field : fields) {
      list.writeVInt(field.number());
      list.writeByte(
          (byte)
              ((field.hasFreqs() ? HAS_FREQS : 0)
                  | (field.hasNorms() ? HAS_NORMS : 0)
                  | (field.hasPositions() ? HAS_POSITIONS : 0)));
      list.writeVLong(field.entriesStart());
      list.writeVLong(field.slotsStart());
      list.writeVLong(field.homes());
      list.writeVLong(field.slots());
    }
    list.writeLong(pages);
    byte[] bytes = list.toArrayCopy();
    long start = out.getFilePointer();
    out.writeBytes(bytes, bytes.length);
    out.writeInt(checksum(bytes));
    out.writeLong(start);
  }

  /**
   * Reads the list.
   *
   * @param version version of the file
   * @param first position after the file's stamp
   * @throws CorruptIndexException if the list is damaged; in a file of the first version it may be
   *     damaged even so
   */
  public static TermHashFields read(IndexInput in, int version, long first) throws IOException {
    long end = in.length() - CodecUtil.footerLength() - Long.BYTES;
    if (end < first) {
      throw new CorruptIndexException("truncated term hash of " + in.length() + " bytes", in);
    }
    in.seek(end);
    long start = in.readLong();
    if (start < first || start >= end || end - start > MAX_BYTES) {
      throw new CorruptIndexException("the fields are said to be at " + start, in);
    }
    int flags = HAS_FREQS | HAS_NORMS;
    if (version == TermHash.VERSION_WHOLE) {
      return new TermHashFields(readFields(in, flags, first, start, start, end), 0);
    }
    if (version >= TermHash.VERSION_POSITIONS) {
      flags |= HAS_POSITIONS;
    }
    long sum = end - Integer.BYTES;
    long pages = readVerified(in, start, sum);
    if (pages < first || pages > start || (start - pages) != 4 * TermHashPages.count(pages)) {
      throw new CorruptIndexException("the pages are said to end at " + pages, in);
    }
    return new TermHashFields(readFields(in, flags, first, start, pages, sum - Long.BYTES), pages);
  }

  /** Verifies the list's checksum and returns the number before it. */
  private static long readVerified(IndexInput in, long start, long sum) throws IOException {
    if (sum - start < Long.BYTES + 1) {
      throw new CorruptIndexException("the list of fields is too short", in);
    }
    byte[] bytes = new byte[(int) (sum - start)];
    in.seek(start);
    in.readBytes(bytes, 0, bytes.length);
    if (in.readInt() != checksum(bytes)) {
      throw new CorruptIndexException("the list of fields is damaged", in);
    }
    in.seek(sum - Long.BYTES);
    return in.readLong();
  }

  private static int checksum(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    return (int) crc.getValue();
  }

  private static Map<Integer, TermHash.Field> readFields(
      IndexInput in, int knownFlags, long first, long start, long slotsEnd, long end)
      throws IOException {
    in.seek(start);
    int count = in.readVInt();
    Map<Integer, TermHash.Field> fields = new HashMap<>();
    long previousEnd = first;
    for (int i = 0; i < count; i++) {
      int number = in.readVInt();
      int flags = in.readByte();
      TermHash.Field field =
          new TermHash.Field(
              number,
              (flags & HAS_FREQS) != 0,
              (flags & HAS_NORMS) != 0,
              (flags & HAS_POSITIONS) != 0,
              in.readVLong(),
              in.readVLong(),
              in.readVLong(),
              in.readVLong());
      boolean possible =
          (flags & ~knownFlags) == 0
              && (field.hasFreqs() || !field.hasPositions())
              && field.entriesStart() >= previousEnd
              && field.slotsStart() > field.entriesStart()
              && field.slotsStart() <= slotsEnd
              && field.homes() > 0
              && field.homes() <= field.slots()
              && field.slots() <= (slotsEnd - field.slotsStart()) / Long.BYTES;
      if (!possible || fields.put(number, field) != null) {
        throw new CorruptIndexException("impossible place of field " + number + ": " + field, in);
      }
      previousEnd = field.slotsStart() + field.slots() * Long.BYTES;
    }
    if (in.getFilePointer() != end) {
      throw new CorruptIndexException("the fields end at " + in.getFilePointer(), in);
    }
    return fields;
  }
}
