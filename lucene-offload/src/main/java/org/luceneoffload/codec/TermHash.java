/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.FileTypeHint;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.StringHelper;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.util.Spares;

/**
 * Finds the device list of a term without the stock terms dictionary: one read of a hash table and
 * one of the entry, nothing of it on the heap. An entry holds the whole term, so what is found, and
 * what is not, is exact. The file is described in {@link Offload104PostingsFormat}.
 *
 * <p>Safe for use by several threads at once.
 */
final class TermHash implements Closeable {
  static final String EXTENSION = "odh";
  static final String CODEC = "OffloadTermHash";
  static final int VERSION = 1;

  /** A slot without entry. Others are not negative. */
  static final long EMPTY = -1;

  /** Most terms of a field: what the writer keeps of them is 128 MB then. */
  static final int MAX_TERMS = 1 << 24;

  /** Largest offset of an entry from the first one of its field. */
  static final long MAX_OFFSET = 0xFFFF_FFFFL;

  /**
   * Slots after the homes that every field with so many terms has, needed or not. How many are
   * needed depends on the seed, and the same postings must always make a file of the same length;
   * with four homes of five filled, fewer than one table in 10<sup>11</sup> needs more.
   */
  static final int OVERFLOW = 64;

  private static final int HASH_BITS = 31;
  private static final int HAS_FREQS = 1;
  private static final int HAS_NORMS = 2;
  private static final int SPARES = 16;

  /**
   * Where a field is in the file.
   *
   * @param number number of the field
   * @param hasFreqs whether entries have a frequency
   * @param hasNorms whether entries of one posting have a norm byte
   * @param entriesStart file position of the first entry; the last ends at the slots
   * @param slotsStart file position of the slots
   * @param homes number of slots that can be the first to be looked at for a hash
   * @param slots number of slots; those after the homes take what the last homes have no room for
   */
  record Field(
      int number,
      boolean hasFreqs,
      boolean hasNorms,
      long entriesStart,
      long slotsStart,
      long homes,
      long slots) {}

  private final IndexInput in;
  private final long stamp;
  private final int seed;
  private final int maxDoc;
  private final Map<Integer, Field> fields;
  private final Spares<RandomAccessInput> spares = new Spares<>(SPARES);

  private TermHash(IndexInput in, long stamp, int maxDoc, Map<Integer, Field> fields) {
    this.in = in;
    this.stamp = stamp;
    this.seed = seed(stamp);
    this.maxDoc = maxDoc;
    this.fields = fields;
  }

  /**
   * Opens the term hash of a segment.
   *
   * @param stamp the stamp that the terms dictionary names
   * @return a hash without fields if the file is damaged
   * @throws CorruptIndexException if the file is of another segment, truncated, or says what cannot
   *     be
   */
  static TermHash open(SegmentReadState state, long stamp) throws IOException {
    String name = fileName(state.segmentInfo, state.segmentSuffix);
    IndexInput in =
        state.directory.openInput(
            name, state.context.withHints(FileTypeHint.INDEX, DataAccessHint.RANDOM));
    if (isDamaged(in)) {
      return new TermHash(in, stamp, state.segmentInfo.maxDoc(), Map.of());
    }
    TermHash hash = on(in, state.segmentInfo, state.segmentSuffix);
    if (hash.stamp != stamp) {
      hash.close();
      throw new CorruptIndexException(
          String.format(
              "term hash of another image: expected stamp %016x, got %016x", stamp, hash.stamp),
          in);
    }
    return hash;
  }

  /**
   * Whether the checksum over the whole file is wrong. A damaged hash would change answers, and
   * need not be asked: the terms dictionary knows all that it does. The file is read for that; it
   * is small beside the segment.
   *
   * @throws CorruptIndexException if the file is cut off, as for every file of a segment
   */
  private static boolean isDamaged(IndexInput in) throws IOException {
    try {
      CodecUtil.retrieveChecksum(in);
      in.seek(0);
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, in);
      throw t;
    }
    try {
      CodecUtil.checksumEntireFile(in);
      return false;
    } catch (CorruptIndexException e) {
      CauseLog.warn(
          "damaged term hash", "terms are looked up in the dictionary instead: " + e.getMessage());
      return true;
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, in);
      throw t;
    }
  }

  /**
   * Opens a term hash that says itself which image it goes with.
   *
   * @param in the file; closed with the hash, or if this fails
   */
  static TermHash on(IndexInput in, SegmentInfo segment, String suffix) throws IOException {
    try {
      CodecUtil.checkIndexHeader(in, CODEC, VERSION, VERSION, segment.getId(), suffix);
      long stamp = in.readLong();
      long first = in.getFilePointer();
      CodecUtil.retrieveChecksum(in);
      return new TermHash(in, stamp, segment.maxDoc(), readFields(in, first));
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, in);
      throw t;
    }
  }

  static String fileName(SegmentInfo segment, String suffix) {
    return IndexFileNames.segmentFileName(segment.name, suffix, EXTENSION);
  }

  /** Seed of the hash; the stamp is random, so nobody can choose terms that collide. */
  static int seed(long stamp) {
    return (int) stamp;
  }

  /** Hash of a term, of 31 bits. */
  static long hash(BytesRef term, int seed) {
    return StringHelper.murmurhash3_x86_32(term.bytes, term.offset, term.length, seed) >>> 1;
  }

  /** Slots for so many terms, those for overflow left out: four of five are filled. */
  static long homes(int terms) {
    return terms + (terms >>> 2) + 1L;
  }

  /** The first slot to be looked at; the greater the hash, the greater the slot. */
  static long home(long hash, long homes) {
    return hash * homes >>> HASH_BITS;
  }

  /** Writes what {@link #readFields} reads: the fields, and where that list of them begins. */
  static void writeFields(IndexOutput out, List<Field> fields) throws IOException {
    long start = out.getFilePointer();
    out.writeVInt(fields.size());
    for (Field field : fields) {
      out.writeVInt(field.number);
      out.writeByte((byte) ((field.hasFreqs ? HAS_FREQS : 0) | (field.hasNorms ? HAS_NORMS : 0)));
      out.writeVLong(field.entriesStart);
      out.writeVLong(field.slotsStart);
      out.writeVLong(field.homes);
      out.writeVLong(field.slots);
    }
    out.writeLong(start);
  }

  private static Map<Integer, Field> readFields(IndexInput in, long first) throws IOException {
    long end = in.length() - CodecUtil.footerLength() - Long.BYTES;
    if (end < first) {
      throw new CorruptIndexException("truncated term hash of " + in.length() + " bytes", in);
    }
    in.seek(end);
    long start = in.readLong();
    if (start < first || start >= end) {
      throw new CorruptIndexException("the fields are said to be at " + start, in);
    }
    in.seek(start);
    int count = in.readVInt();
    Map<Integer, Field> fields = new HashMap<>();
    long previousEnd = first;
    for (int i = 0; i < count; i++) {
      int number = in.readVInt();
      int flags = in.readByte();
      Field field =
          new Field(
              number,
              (flags & HAS_FREQS) != 0,
              (flags & HAS_NORMS) != 0,
              in.readVLong(),
              in.readVLong(),
              in.readVLong(),
              in.readVLong());
      boolean possible =
          (flags & ~(HAS_FREQS | HAS_NORMS)) == 0
              && field.entriesStart >= previousEnd
              && field.slotsStart > field.entriesStart
              && field.slotsStart <= start
              && field.homes > 0
              && field.homes <= field.slots
              && field.slots <= (start - field.slotsStart) / Long.BYTES;
      if (!possible || fields.put(number, field) != null) {
        throw new CorruptIndexException("impossible place of field " + number + ": " + field, in);
      }
      previousEnd = field.slotsStart + field.slots * Long.BYTES;
    }
    if (in.getFilePointer() != end) {
      throw new CorruptIndexException("the fields end at " + in.getFilePointer(), in);
    }
    return fields;
  }

  /** Stamp of the image that the entries refer to. */
  long stamp() {
    return stamp;
  }

  /** Where the field of a number is; null if its terms are not in here. */
  Field field(int number) {
    return fields.get(number);
  }

  /**
   * Finds a term of a field.
   *
   * @return null if the field has no such term
   */
  OffloadTermState find(Field field, BytesRef term) throws IOException {
    RandomAccessInput bytes = spares.take();
    if (bytes == null) {
      bytes = in.randomAccessSlice(0, in.length());
    }
    OffloadTermState state =
        new TermHashCursor(bytes, in, maxDoc).find(field, term, hash(term, seed));
    spares.put(bytes);
    return state;
  }

  /** Verifies the checksum over the whole file. */
  void checkIntegrity() throws IOException {
    CodecUtil.checksumEntireFile(in);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  @Override
  public String toString() {
    return "TermHash(" + in + ")";
  }
}
