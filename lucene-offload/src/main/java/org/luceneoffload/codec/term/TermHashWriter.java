/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.term;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.codec.position.PositionedFields;
import org.luceneoffload.wire.OffloadWire;

/**
 * Writes the term hash of a segment: entries as the terms come, and after each field its slots. Of
 * the field under way it keeps 8 bytes a term, at most {@link TermHash#MAX_TERMS} times, and the
 * first entries; a field with more terms, or with terms that are nearly all in one document, gets
 * no slots, and its terms are found in the stock dictionary.
 */
public final class TermHashWriter implements Closeable {
  /** Fields of fewer terms are kept: there is nothing to save. */
  private static final int MIN_UNIQUE_TERMS = 1024;

  /** One term of so many, at most, may be in several documents. */
  private static final int ONE_SHARED_OF = 16;

  /** Most postings for each document; text has more, and its terms are looked up often. */
  private static final int MAX_UNIQUE_A_DOC = 4;

  /** Entries are held back until it is known whether the field is kept, or there are so many. */
  private static final int MAX_HELD_BYTES = 1 << 22;

  private final IndexOutput file;
  private final TermHashOutput out;
  private final int seed;
  private final int maxTerms;
  private final long maxUniquePostings; // 0: fields of unique terms are kept
  private final PositionedFields positioned;
  private final List<TermHash.Field> fields = new ArrayList<>();
  private boolean complete;
  private boolean closed;

  // The field under way.
  private FieldInfo field;
  private boolean hasFreqs;
  private final ByteBuffersDataOutput held = ByteBuffersDataOutput.newResettableInstance();
  private boolean holding;
  private long entriesStart;
  private long[] words = new long[64]; // hash and offset of each entry, as in a slot
  private int terms;
  private int uniqueTerms;
  private long postings;
  private boolean leftOut;

  private TermHashWriter(
      IndexOutput file,
      TermHashOutput out,
      long stamp,
      int maxTerms,
      long maxUniquePostings,
      PositionedFields positioned) {
    this.file = file;
    this.out = out;
    this.seed = TermHash.seed(stamp);
    this.maxTerms = maxTerms;
    this.maxUniquePostings = maxUniquePostings;
    this.positioned = positioned;
  }

  /**
   * Begins the term hash of a segment. Fields whose terms are nearly all in one document are left
   * out.
   *
   * @param stamp stamp of the posting image that the entries refer to
   * @param positioned fields whose lists have positions
   */
  public static TermHashWriter open(
      SegmentWriteState state, long stamp, PositionedFields positioned) throws IOException {
    return open(state, stamp, positioned, TermHash.MAX_TERMS);
  }

  /** Opens a writer with another limit on the terms of a field. */
  public static TermHashWriter open(
      SegmentWriteState state, long stamp, PositionedFields positioned, int maxTerms)
      throws IOException {
    String name = TermHash.fileName(state.segmentInfo, state.segmentSuffix);
    IndexOutput file = state.directory.createOutput(name, state.context);
    return on(
        file,
        stamp,
        state.segmentInfo.getId(),
        state.segmentSuffix,
        maxTerms,
        state.segmentInfo.maxDoc(),
        positioned);
  }

  /**
   * Begins a term hash.
   *
   * @param file where it goes; closed with the writer, or if this fails
   * @param stamp stamp of the posting image that the entries refer to
   * @param segmentId ID of the segment
   * @param suffix segment suffix of the postings format
   * @param maxTerms most terms of a field
   * @param maxDoc documents of the segment if fields of unique terms are to be left out; 0 if they
   *     are to be kept
   * @param positioned fields whose lists have positions
   */
  public static TermHashWriter on(
      IndexOutput file,
      long stamp,
      byte[] segmentId,
      String suffix,
      int maxTerms,
      int maxDoc,
      PositionedFields positioned)
      throws IOException {
    try {
      TermHashOutput out = new TermHashOutput(file);
      int version = positioned.isEmpty() ? TermHash.VERSION_PAGES : TermHash.VERSION_POSITIONS;
      CodecUtil.writeIndexHeader(out, TermHash.CODEC, version, segmentId, suffix);
      out.writeLong(stamp);
      long maxUniquePostings = (long) MAX_UNIQUE_A_DOC * maxDoc;
      return new TermHashWriter(file, out, stamp, maxTerms, maxUniquePostings, positioned);
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, file);
      throw t;
    }
  }

  /** Adds a term; each only once, and all of a field together. */
  public void add(FieldInfo of, BytesRef term, OffloadTermState state) throws IOException {
    if (of != field) {
      finishField();
      startField(of);
    }
    if (leftOut) {
      return;
    }
    long offset = holding ? held.size() : out.position() - entriesStart;
    if (terms == maxTerms || offset > TermHash.MAX_OFFSET) {
      leaveOut();
      return;
    }
    if (terms == words.length) {
      words = ArrayUtil.grow(words, terms + 1);
    }
    words[terms++] = TermHash.hash(term, seed) << Integer.SIZE | offset;
    uniqueTerms += state.docFreq == 1 ? 1 : 0;
    postings += state.docFreq;
    DataOutput to = holding ? held : out;
    to.writeVInt(term.length);
    to.writeBytes(term.bytes, term.offset, term.length);
    writeList(to, state);
    if (holding && held.size() > MAX_HELD_BYTES) {
      decide();
    }
  }

  private void startField(FieldInfo next) {
    field = next;
    hasFreqs = next.getIndexOptions().subsumes(IndexOptions.DOCS_AND_FREQS);
    entriesStart = out.position();
    holding = maxUniquePostings > 0;
    terms = 0;
    uniqueTerms = 0;
    postings = 0;
    leftOut = false;
  }

  private void leaveOut() {
    leftOut = true;
    words = new long[64];
    held.reset();
  }

  /** Leaves the field out if its terms are nearly all unique, or else writes what is held back. */
  private void decide() throws IOException {
    holding = false;
    if (terms >= MIN_UNIQUE_TERMS
        && terms - uniqueTerms <= terms / ONE_SHARED_OF
        && postings <= maxUniquePostings) {
      leaveOut();
    } else {
      held.copyTo(out);
      held.reset();
    }
  }

  private void writeList(DataOutput to, OffloadTermState state) throws IOException {
    to.writeVInt(state.docFreq - 1);
    if (hasFreqs) {
      to.writeVLong(state.totalTermFreq - state.docFreq);
    }
    if (state.docFreq == 1) {
      to.writeVInt(state.inlineDoc());
      if (field.hasNorms()) {
        to.writeByte((byte) state.norm);
      }
    } else {
      to.writeVInt(state.firstPage);
      to.writeByte((byte) state.slot);
      if (state.docFreq > OffloadWire.BLOCK_POSTINGS) {
        to.writeVInt(state.pageCount - 1);
        to.writeLong(state.impacts);
      }
    }
    if (positioned.contains(field)) {
      writePositions(to, state);
    }
  }

  private static void writePositions(DataOutput to, OffloadTermState state) throws IOException {
    if (state.hasOnePosition()) {
      to.writeVInt(state.position);
      return;
    }
    to.writeVLong((long) state.positionPage << 1 | (state.hasEqualPositions ? 1 : 0));
    to.writeByte((byte) state.positionSlot);
    if (state.hasPositionBlocks()) {
      to.writeVInt(state.positionPageCount - 1);
    }
  }

  /**
   * Writes the slots. Entries in the order of their hashes fill a table just as linear probing
   * would, front to back, so the table is never in memory.
   */
  private void finishField() throws IOException {
    if (field == null || terms == 0) {
      return;
    }
    if (holding) {
      decide();
    }
    if (leftOut) {
      return;
    }
    Arrays.sort(words, 0, terms);
    long slotsStart = out.alignToLong();
    long homes = TermHash.homes(terms);
    long position = 0;
    for (int i = 0; i < terms; i++) {
      long home = TermHash.home(words[i] >>> Integer.SIZE, homes);
      for (; position < home; position++) {
        out.writeLong(TermHash.EMPTY);
      }
      out.writeLong(words[i]);
      position++;
    }
    long end = homes + Math.min(terms, TermHash.OVERFLOW);
    for (; position < end; position++) {
      out.writeLong(TermHash.EMPTY);
    }
    fields.add(
        new TermHash.Field(
            field.number,
            hasFreqs,
            field.hasNorms(),
            positioned.contains(field),
            entriesStart,
            slotsStart,
            homes,
            position));
  }

  /** Returns whether a field's terms can be found; known after {@link #finish}. */
  public boolean holds(FieldInfo info) {
    return fields.stream().anyMatch(written -> written.number() == info.number);
  }

  /** Ends the file well; without it, {@link #close} leaves a file that cannot be opened. */
  public void finish() throws IOException {
    finishField();
    field = null;
    words = null;
    TermHashFields.write(file, fields, out.finish());
    complete = true;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (file) {
      if (complete) {
        CodecUtil.writeFooter(file);
      }
    }
  }
}
