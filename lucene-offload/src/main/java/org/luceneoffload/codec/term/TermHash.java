/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.term;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.FileTypeHint;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOConsumer;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.StringHelper;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.util.Spares;

/**
 * Finds the device list of a term without the stock terms dictionary: one read of a hash table and
 * one of the entry, nothing of it on the heap. An entry holds the whole term, so what is found, and
 * what is not, is exact.
 *
 * <p>The file (extension {@code .odh}) is derived data. If it is missing, damaged or of another
 * segment, it is given up: {@link #find} answers {@link #UNKNOWN}, and the terms dictionary has to
 * be asked. Opening it reads a few hundred bytes, however many terms there are; every other byte is
 * verified before it is believed.
 *
 * <h2>The file</h2>
 *
 * <dl>
 *   <dd>TermHash --&gt; IndexHeader, Stamp, FieldHash<sup>n</sup>, PageSum<sup>p</sup>, FieldList,
 *       Footer
 *   <dd>Stamp --&gt; {@link DataOutput#writeLong Int64}: that of the posting image
 *   <dd>FieldHash --&gt; Entry<sup>terms</sup>, zeros up to a multiple of 8 bytes, Slot<sup>s</sup>
 *   <dd>Entry --&gt; TermLength, TermBytes, DocFreq, MoreFreq?, EntryList, EntryPositions?
 *   <dd>TermLength --&gt; {@link DataOutput#writeVInt VInt}
 *   <dd>DocFreq --&gt; VInt: one less than the documents with the term
 *   <dd>MoreFreq --&gt; {@link DataOutput#writeVLong VLong}: occurrences of the term less the
 *       documents with it, if the field has frequencies
 *   <dd>EntryList of a term in one document --&gt; Doc, Norm?
 *   <dd>Doc --&gt; VInt
 *   <dd>Norm --&gt; {@link DataOutput#writeByte byte}, if the field has norms
 *   <dd>EntryList of any other term --&gt; FirstPage, FirstSlot, (PageCount, Impacts)?
 *   <dd>FirstPage --&gt; VInt: the list's first page
 *   <dd>FirstSlot --&gt; byte: number of the list's first posting block in that page
 *   <dd>PageCount, Impacts --&gt; as {@link org.luceneoffload.codec.Offload104PostingsFormat} has
 *       them
 *   <dd>EntryPositions, if the field's lists have positions, of a term that occurs once --&gt;
 *       VInt: its position
 *   <dd>EntryPositions of any other term --&gt; PositionPage, FirstSlot, PageCount?: of its
 *       position blocks, with pages and PageCount as in a PositionList of {@link
 *       Offload104PostingsFormat}
 *   <dd>PositionPage --&gt; VLong: twice the first page, plus 1 if positions of a document may be
 *       equal
 *   <dd>Slot --&gt; Int64: in the high half the hash of a term, in the low half where its Entry
 *       begins, counted in bytes from the first of the field; -1 without a term. The hash is
 *       MurmurHash3 (x86, 32 bits) of the term's bytes, seeded with the low half of the Stamp,
 *       shifted right by one bit.
 *   <dd>PageSum --&gt; {@link DataOutput#writeInt Int32}: CRC-32C of 4096 bytes of the file, the
 *       first ones those at its beginning; the last page ends with the last FieldHash
 *   <dd>FieldList --&gt; FieldCount, (FieldNumber, Flags, EntriesStart, SlotsStart, Homes,
 *       SlotCount)<sup>FieldCount</sup>, PagesEnd, ListSum, FieldListStart
 *   <dd>FieldCount, FieldNumber --&gt; VInt
 *   <dd>Flags --&gt; byte: 1 if the field has frequencies, plus 2 if it has norms, plus 4 if its
 *       lists have positions
 *   <dd>EntriesStart, SlotsStart --&gt; VLong: positions in the file
 *   <dd>Homes, SlotCount --&gt; VLong
 *   <dd>PagesEnd --&gt; Int64: position of the first PageSum
 *   <dd>ListSum --&gt; Int32: CRC-32C of the FieldList up to here
 *   <dd>FieldListStart --&gt; Int64: position in the file
 * </dl>
 *
 * <p>A term's home is slot {@code hash * Homes >> 31}. It is in the first free slot from there on,
 * terms of lesser hashes having been put in first; so hashes ascend from slot to slot, and a
 * greater one ends a search as an empty slot does. Slots after the homes take what is left over at
 * the end; there are 64 of them, but not more than terms, and more only if needed.
 *
 * <p>Two kinds of fields are not in the FieldList, and their terms are looked up in the terms
 * dictionary: those of more than 2<sup>24</sup> terms or 4 GB of entries, and those whose terms are
 * nearly all in one document, such as IDs. For these the dictionary's own state is all that a
 * device needs to know, and the hash would be three times as large as the dictionary.
 *
 * <p>Version 1 of the file has no PageSum, PagesEnd and ListSum. Its footer's checksum over the
 * whole file is verified when the first term is looked up. Version 2 has them. Version 3 is that of
 * files with positions.
 *
 * <p>Safe for use by several threads at once.
 */
public final class TermHash implements Closeable {
  /** The result of {@link #find} if the file was given up: the dictionary knows. */
  public static final OffloadTermState UNKNOWN = new OffloadTermState();

  public static final String CODEC = "OffloadTermHash";

  /** Files up to this version have one checksum. */
  public static final int VERSION_WHOLE = 1;

  /** Files from this version on have a checksum for each page. */
  public static final int VERSION_PAGES = 2;

  /** Files with positions, and only those. */
  public static final int VERSION_POSITIONS = 3;

  public static final int VERSION_CURRENT = VERSION_POSITIONS;

  /** A slot without entry. Others are not negative. */
  public static final long EMPTY = -1;

  /** Most terms of a field: what the writer keeps of them is 128 MB then. */
  public static final int MAX_TERMS = 1 << 24;

  /** Largest offset of an entry from the first one of its field. */
  public static final long MAX_OFFSET = 0xFFFF_FFFFL;

  /**
   * Slots after the homes that every field with so many terms has, needed or not. How many are
   * needed depends on the seed, and the same postings must always make a file of the same length;
   * with four homes of five filled, fewer than one table in 10<sup>11</sup> needs more.
   */
  public static final int OVERFLOW = 64;

  /** Bytes of an entry besides the term, at most, unless its numbers are very large. */
  private static final int ENTRY_BYTES = 32;

  private static final int HASH_BITS = 31;
  private static final int SPARES = 16;

  /** The state of the bytes that are read for a look-up. */
  private enum Trust {
    /** Each page is verified when it is read first, or the whole file was. */
    VERIFIED,
    /** The whole file has to be verified first. */
    UNVERIFIED,
    /** The file is given up. */
    NONE
  }

  /**
   * The place of a field in the file.
   *
   * @param number number of the field
   * @param hasFreqs whether entries have a frequency
   * @param hasNorms whether entries of one posting have a norm byte
   * @param hasPositions whether entries have positions
   * @param entriesStart file position of the first entry; the last ends at the slots
   * @param slotsStart file position of the slots
   * @param homes number of slots that can be the first to be looked at for a hash
   * @param slots number of slots; those after the homes take what the last homes have no room for
   */
  public record Field(
      int number,
      boolean hasFreqs,
      boolean hasNorms,
      boolean hasPositions,
      long entriesStart,
      long slotsStart,
      long homes,
      long slots) {}

  private final String name;
  private final String suffix;
  private final IndexInput in; // null if there is no file
  private final TermHashPages pages; // null if the file is verified as a whole
  private final long stamp;
  private final int seed;
  private final int maxDoc;
  private final Map<Integer, Field> fields;
  private final OffloadStats stats; // null: nobody counts
  private final Spares<RandomAccessInput> spares = new Spares<>(SPARES);
  private volatile Trust trust;
  private volatile String unusableReason;

  private TermHash(
      String name,
      String suffix,
      IndexInput in,
      TermHashPages pages,
      long stamp,
      int maxDoc,
      Map<Integer, Field> fields,
      OffloadStats stats) {
    this.name = name;
    this.suffix = suffix;
    this.in = in;
    this.pages = pages;
    this.stamp = stamp;
    this.seed = seed(stamp);
    this.maxDoc = maxDoc;
    this.fields = fields;
    this.stats = stats;
    this.trust = pages == null ? Trust.UNVERIFIED : Trust.VERIFIED;
  }

  /**
   * Opens the term hash of a segment.
   *
   * @param stamp the stamp that the terms dictionary names
   * @param stats where to count a file that cannot be used; null: nowhere
   * @return never null; without fields, and with a reason, if the file cannot be used
   */
  public static TermHash open(SegmentReadState state, long stamp, OffloadStats stats) {
    SegmentInfo segment = state.segmentInfo;
    String name = fileName(segment, state.segmentSuffix);
    try {
      IndexInput in =
          state.directory.openInput(
              name, state.context.withHints(FileTypeHint.INDEX, DataAccessHint.RANDOM));
      TermHash hash = on(name, in, segment, state.segmentSuffix, stats);
      if (hash.stamp == stamp) {
        return hash;
      }
      hash.close();
      return unusable(
          name,
          state.segmentSuffix,
          String.format(
              Locale.ROOT,
              "it is of another image: expected stamp %016x, got %016x",
              stamp,
              hash.stamp),
          stats);
    } catch (NoSuchFileException | FileNotFoundException e) {
      return unusable(name, state.segmentSuffix, "it is missing", stats);
    } catch (IOException e) {
      return unusable(name, state.segmentSuffix, e.getMessage(), stats);
    }
  }

  private static TermHash unusable(String name, String suffix, String reason, OffloadStats stats) {
    TermHash hash = new TermHash(name, suffix, null, null, 0, 0, Map.of(), stats);
    hash.giveUp(reason);
    return hash;
  }

  /**
   * Opens a term hash that says itself which image it goes with.
   *
   * @param name the file's name
   * @param in the file; closed with the hash, or if this fails
   * @param stats as for {@link #open}
   * @throws IOException if the file is of another segment or of a later version, is truncated, or
   *     cannot be read
   */
  public static TermHash on(
      String name, IndexInput in, SegmentInfo segment, String suffix, OffloadStats stats)
      throws IOException {
    try {
      int version = readHeader(in, segment.getId(), suffix);
      long stamp = in.readLong();
      long first = in.getFilePointer();
      CodecUtil.retrieveChecksum(in);
      TermHashFields list = TermHashFields.read(in, version, first);
      TermHashPages pages = version == VERSION_WHOLE ? null : new TermHashPages(list.pages());
      return new TermHash(name, suffix, in, pages, stamp, segment.maxDoc(), list.byNumber(), stats);
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, in);
      throw t;
    }
  }

  /** Returns the version in the header. Parses nothing: a damaged length would be believed. */
  private static int readHeader(IndexInput in, byte[] segmentId, String suffix) throws IOException {
    byte[] found = new byte[CodecUtil.indexHeaderLength(CODEC, suffix)];
    if (in.length() < found.length + Long.BYTES) {
      throw new CorruptIndexException("truncated term hash of " + in.length() + " bytes", in);
    }
    in.readBytes(found, 0, found.length);
    for (int version = VERSION_CURRENT; version >= VERSION_WHOLE; version--) {
      ByteBuffersDataOutput expected = new ByteBuffersDataOutput();
      CodecUtil.writeIndexHeader(expected, CODEC, version, segmentId, suffix);
      if (Arrays.equals(found, expected.toArrayCopy())) {
        return version;
      }
    }
    throw new CorruptIndexException(
        "the header is damaged, of another segment or of a later version", in);
  }

  public static String fileName(SegmentInfo segment, String suffix) {
    return IndexFileNames.segmentFileName(segment.name, suffix, ImageFiles.HASH_EXTENSION);
  }

  /**
   * Returns the seed of the hash; the stamp is random, so that callers cannot choose terms that
   * collide.
   */
  public static int seed(long stamp) {
    return (int) stamp;
  }

  /** Returns the hash of a term, of 31 bits. */
  public static long hash(BytesRef term, int seed) {
    return StringHelper.murmurhash3_x86_32(term.bytes, term.offset, term.length, seed) >>> 1;
  }

  /**
   * Returns the number of slots for so many terms, those for overflow left out: four of five are
   * filled.
   */
  public static long homes(int terms) {
    return terms + (terms >>> 2) + 1L;
  }

  /** Returns the first slot to be looked at; the greater the hash, the greater the slot. */
  public static long home(long hash, long homes) {
    return hash * homes >>> HASH_BITS;
  }

  /** Returns the file's name. */
  public String name() {
    return name;
  }

  /** Returns the segment suffix in the file's header. */
  public String suffix() {
    return suffix;
  }

  /** Returns the stamp of the image that the entries refer to. */
  public long stamp() {
    return stamp;
  }

  /** Returns why the file cannot be used; null if nothing is known against it. */
  public String unusableReason() {
    return unusableReason;
  }

  /** Returns where the field of a number is; null if its terms are not in here. */
  public Field field(int number) {
    return fields.get(number);
  }

  /**
   * Finds a term of a field.
   *
   * @param positions whether the state is to say where its positions are
   * @return null if the field has no such term; {@link #UNKNOWN} if the file cannot be used
   */
  public OffloadTermState find(Field field, BytesRef term, boolean positions) {
    return find(field, term, positions, null);
  }

  /**
   * Finds a term of a field, and tells what it is about to read.
   *
   * @param ahead told before a page is read that was not read before; null: nobody is
   */
  public OffloadTermState find(Field field, BytesRef term, boolean positions, ReadAhead ahead) {
    if (trust != Trust.VERIFIED && !verifyWhole()) {
      return UNKNOWN;
    }
    try {
      RandomAccessInput bytes = acquire();
      OffloadTermState state =
          new TermHashCursor(bytes, pages, in, maxDoc, ahead)
              .at(field, hash(term, seed))
              .find(field, term, positions);
      spares.put(bytes);
      return state;
    } catch (IOException e) {
      giveUp(e.getMessage());
      return UNKNOWN;
    }
  }

  /**
   * Returns a file to be read by one thread in look-ups to come; null if the file cannot be used,
   * or is not verified yet.
   */
  public RandomAccessInput begin() {
    if (trust != Trust.VERIFIED) {
      return null;
    }
    try {
      return acquire();
    } catch (IOException e) {
      giveUp(e.getMessage());
      return null;
    }
  }

  /** Gives back what {@link #begin} returned. */
  public void end(RandomAccessInput bytes) {
    spares.put(bytes);
  }

  /** Begins to look a term up; reads nothing. */
  public TermHashCursor begin(
      RandomAccessInput bytes, Field field, BytesRef term, ReadAhead ahead) {
    return new TermHashCursor(bytes, pages, in, maxDoc, ahead).at(field, hash(term, seed));
  }

  /** Finds a term as {@link #find}, with a look-up that has begun. */
  public OffloadTermState find(
      TermHashCursor cursor, Field field, BytesRef term, boolean positions) {
    try {
      return cursor.find(field, term, positions);
    } catch (IOException e) {
      giveUp(e.getMessage());
      return UNKNOWN;
    }
  }

  /** Asks for the slot of a term; see {@link org.luceneoffload.codec.OffloadTerms#askForSlot}. */
  public void askForSlot(Field field, BytesRef term, boolean again) {
    ask(cursor -> cursor.at(field, hash(term, seed)).askForSlot(again));
  }

  /** Asks for the entry of a term; see {@link org.luceneoffload.codec.OffloadTerms#askForEntry}. */
  public void askForEntry(Field field, BytesRef term, boolean again) {
    ask(cursor -> cursor.at(field, hash(term, seed)).askForEntry(term.length + ENTRY_BYTES, again));
  }

  private void ask(IOConsumer<TermHashCursor> question) {
    if (pages == null || trust != Trust.VERIFIED) {
      return;
    }
    try {
      RandomAccessInput bytes = acquire();
      question.accept(new TermHashCursor(bytes, pages, in, maxDoc, null));
      spares.put(bytes);
    } catch (IOException e) {
      // Whoever looks the term up finds out, if it matters.
    }
  }

  private RandomAccessInput acquire() throws IOException {
    RandomAccessInput spare = spares.take();
    return spare != null ? spare : in.randomAccessSlice(0, in.length());
  }

  /** Verifies a file without page checksums, once; returns whether it can be used. */
  private synchronized boolean verifyWhole() {
    if (trust == Trust.UNVERIFIED) {
      checkIntegrity();
    }
    return trust == Trust.VERIFIED;
  }

  /** Verifies the checksum over the whole file; damage gives it up. */
  public synchronized void checkIntegrity() {
    if (trust == Trust.NONE) {
      return;
    }
    try {
      CodecUtil.checksumEntireFile(in);
      trust = Trust.VERIFIED;
    } catch (IOException e) {
      giveUp(e.getMessage());
    }
  }

  /** Has the dictionary asked from now on; counts and logs it the first time. */
  private synchronized void giveUp(String reason) {
    if (trust == Trust.NONE) {
      return;
    }
    unusableReason = reason;
    trust = Trust.NONE;
    if (stats != null) {
      stats.increment(OffloadStats.Counter.TERM_HASHES_UNUSABLE);
      stats.countReason("term hash given up: " + reason);
    }
    CauseLog.warn(
        "term hash unusable",
        name,
        "term hash " + name + " given up, terms are looked up in the dictionary: " + reason);
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(in);
  }

  @Override
  public String toString() {
    return "TermHash(" + name + (unusableReason == null ? "" : ", " + unusableReason) + ")";
  }
}
