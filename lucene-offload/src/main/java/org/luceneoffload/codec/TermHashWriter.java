/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.wire.OffloadWire;

/**
 * Writes the term hash of a segment: entries as the terms come, and after each field its slots. Of
 * the field under way it keeps 8 bytes a term, at most {@link TermHash#MAX_TERMS} times; a field
 * with more terms gets no slots, and its terms are found in the stock dictionary.
 */
final class TermHashWriter implements Closeable {
  private final IndexOutput out;
  private final int seed;
  private final int maxTerms;
  private final List<TermHash.Field> fields = new ArrayList<>();
  private boolean complete;
  private boolean closed;

  // The field under way.
  private FieldInfo field;
  private boolean hasFreqs;
  private long entriesStart;
  private long[] words = new long[64]; // hash and offset of each entry, as in a slot
  private int terms;
  private boolean tooMany;

  private TermHashWriter(IndexOutput out, long stamp, int maxTerms) {
    this.out = out;
    this.seed = TermHash.seed(stamp);
    this.maxTerms = maxTerms;
  }

  /**
   * Begins the term hash of a segment.
   *
   * @param stamp stamp of the posting image that the entries refer to
   */
  static TermHashWriter open(SegmentWriteState state, long stamp) throws IOException {
    return open(state, stamp, TermHash.MAX_TERMS);
  }

  /** The same with another limit on the terms of a field. */
  static TermHashWriter open(SegmentWriteState state, long stamp, int maxTerms) throws IOException {
    String name = TermHash.fileName(state.segmentInfo, state.segmentSuffix);
    IndexOutput out = state.directory.createOutput(name, state.context);
    return on(out, stamp, state.segmentInfo.getId(), state.segmentSuffix, maxTerms);
  }

  /**
   * Begins a term hash.
   *
   * @param out where it goes; closed with the writer, or if this fails
   * @param stamp stamp of the posting image that the entries refer to
   * @param segmentId ID of the segment
   * @param suffix segment suffix of the postings format
   * @param maxTerms most terms of a field
   */
  static TermHashWriter on(
      IndexOutput out, long stamp, byte[] segmentId, String suffix, int maxTerms)
      throws IOException {
    try {
      CodecUtil.writeIndexHeader(out, TermHash.CODEC, TermHash.VERSION, segmentId, suffix);
      out.writeLong(stamp);
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, out);
      throw t;
    }
    return new TermHashWriter(out, stamp, maxTerms);
  }

  /** Adds a term; each only once, and all of a field together. */
  void add(FieldInfo of, BytesRef term, OffloadTermState state) throws IOException {
    if (of != field) {
      finishField();
      startField(of);
    }
    if (tooMany) {
      return;
    }
    long offset = out.getFilePointer() - entriesStart;
    if (terms == maxTerms || offset > TermHash.MAX_OFFSET) {
      tooMany = true;
      words = new long[64];
      return;
    }
    if (terms == words.length) {
      words = ArrayUtil.grow(words, terms + 1);
    }
    words[terms++] = TermHash.hash(term, seed) << Integer.SIZE | offset;
    out.writeVInt(term.length);
    out.writeBytes(term.bytes, term.offset, term.length);
    writeList(state);
  }

  private void startField(FieldInfo next) {
    field = next;
    hasFreqs = next.getIndexOptions().subsumes(IndexOptions.DOCS_AND_FREQS);
    entriesStart = out.getFilePointer();
    terms = 0;
    tooMany = false;
  }

  private void writeList(OffloadTermState state) throws IOException {
    out.writeVInt(state.docFreq - 1);
    if (hasFreqs) {
      out.writeVLong(state.totalTermFreq - state.docFreq);
    }
    if (state.docFreq == 1) {
      out.writeVInt(state.inlineDoc());
      if (field.hasNorms()) {
        out.writeByte((byte) state.norm);
      }
      return;
    }
    out.writeVInt(state.firstPage);
    out.writeByte((byte) state.slot);
    if (state.docFreq > OffloadWire.BLOCK_POSTINGS) {
      out.writeVInt(state.pageCount - 1);
      out.writeLong(state.impacts);
    }
  }

  /**
   * Writes the slots. Entries in the order of their hashes fill a table just as linear probing
   * would, front to back, so the table is never in memory.
   */
  private void finishField() throws IOException {
    if (field == null || terms == 0 || tooMany) {
      return;
    }
    Arrays.sort(words, 0, terms);
    long slotsStart = out.alignFilePointer(Long.BYTES);
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
            field.number, hasFreqs, field.hasNorms(), entriesStart, slotsStart, homes, position));
  }

  /** Whether a field's terms can be found; known after {@link #finish}. */
  boolean holds(FieldInfo info) {
    return fields.stream().anyMatch(written -> written.number() == info.number);
  }

  /** Ends the file well; without it, {@link #close} leaves a file that cannot be opened. */
  void finish() throws IOException {
    finishField();
    field = null;
    words = null;
    TermHash.writeFields(out, fields);
    complete = true;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (out) {
      if (complete) {
        CodecUtil.writeFooter(out);
      }
    }
  }
}
