/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import java.util.Arrays;
import java.util.function.LongConsumer;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.luceneoffload.codec.term.OffloadTermState;

/** Reads the postings of a segment, whatever format they are in, and writes them as image lists. */
final class PostingsCopier {
  /** Postings from one call of the listener to the next, about. */
  private static final int STEP = 1 << 16;

  /** Most documents of a segment whose norms are held in memory, a byte each. */
  private static final int MAX_NORMS = 1 << 26;

  private final LeafReader reader;
  private final DeviceListWriter lists;
  private final LongConsumer listener;
  private PostingsEnum reuse;
  private long listCount;
  private long postingCount;
  private long unreported;

  // The field under way.
  private FieldInfo field;
  private boolean hasFreqs;
  private boolean positioned;
  private byte[] norms; // null: none, or too many
  private boolean normsByTerm;
  private NumericDocValues termNorms; // null unless they are read term by term

  /**
   * A copier.
   *
   * @param listener told of postings as they are copied
   */
  PostingsCopier(LeafReader reader, DeviceListWriter lists, LongConsumer listener) {
    this.reader = reader;
    this.lists = lists;
    this.listener = listener;
  }

  /** Returns the number of lists written. */
  long lists() {
    return listCount;
  }

  /** Returns the number of postings in them. */
  long postings() {
    return postingCount;
  }

  /**
   * Begins a field.
   *
   * @param withPositions whether its lists get positions
   */
  void startField(FieldInfo next, boolean withPositions) throws IOException {
    field = next;
    positioned = withPositions;
    hasFreqs = next.getIndexOptions().subsumes(IndexOptions.DOCS_AND_FREQS);
    norms = null;
    normsByTerm = false;
    termNorms = null;
    if (!next.hasNorms()) {
      return;
    }
    NumericDocValues values = reader.getNormValues(next.name);
    if (values == null) {
      return;
    }
    if (reader.maxDoc() > MAX_NORMS) {
      normsByTerm = true;
      return;
    }
    norms = new byte[reader.maxDoc()];
    Arrays.fill(norms, (byte) 1); // of a doc without
    for (int doc = values.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = values.nextDoc()) {
      norms[doc] = (byte) values.longValue();
    }
  }

  /**
   * Writes the list of a term.
   *
   * @return where it went
   * @throws CorruptIndexException if the postings are not those that the dictionary counts
   */
  OffloadTermState copy(TermsEnum at) throws IOException {
    OffloadTermState state = new OffloadTermState();
    state.docFreq = at.docFreq();
    state.totalTermFreq = hasFreqs ? at.totalTermFreq() : state.docFreq;
    if (normsByTerm) {
      termNorms = reader.getNormValues(field.name);
    }
    lists.startList(positioned);
    int wanted = hasFreqs ? PostingsEnum.FREQS : PostingsEnum.NONE;
    reuse = at.postings(reuse, positioned ? PostingsEnum.POSITIONS : wanted);
    int docs = 0;
    long freqs = 0;
    for (int doc = reuse.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = reuse.nextDoc()) {
      int freq = hasFreqs ? reuse.freq() : 1;
      lists.add(doc, freq, norm(doc));
      for (int i = positioned ? freq : 0; i > 0; i--) {
        lists.addPosition(reuse.nextPosition());
      }
      state.inlineDoc = doc;
      docs++;
      freqs += freq;
    }
    if (docs != state.docFreq || freqs != state.totalTermFreq) {
      throw new CorruptIndexException(
          "term \""
              + at.term().utf8ToString()
              + "\" of field \""
              + field.name
              + "\" has "
              + docs
              + " documents and "
              + freqs
              + " occurrences; the dictionary says "
              + state.docFreq
              + " and "
              + state.totalTermFreq,
          reader.toString());
    }
    lists.finishList(state);
    listCount++;
    postingCount += docs;
    unreported += docs;
    if (unreported >= STEP) {
      report();
    }
    return state;
  }

  /** Tells the listener of the postings that it has not been told of. */
  void report() {
    listener.accept(unreported);
    unreported = 0;
  }

  private int norm(int doc) throws IOException {
    if (norms != null) {
      return norms[doc] & 0xFF;
    }
    return termNorms != null && termNorms.advanceExact(doc)
        ? (int) termNorms.longValue() & 0xFF
        : 1;
  }
}
