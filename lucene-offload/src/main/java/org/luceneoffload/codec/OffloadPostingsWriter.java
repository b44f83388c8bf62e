/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import org.apache.lucene.codecs.BlockTermState;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.PushPostingsWriterBase;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsWriter;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.codec.position.PositionedFields;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.wire.OffloadWire;

/**
 * Hands everything to the stock writer, and doc IDs, frequencies, norms and positions to the image
 * as well.
 */
final class OffloadPostingsWriter extends PushPostingsWriterBase {
  private final Lucene104PostingsWriter inner;
  private final DeviceListWriter lists; // null: no image is written
  private final PositionedFields positioned;
  private final NormMemo norms = new NormMemo();
  private boolean fieldHasNorms;
  private boolean fieldPositioned;
  private boolean termHasNorms;
  private int lastPage;
  private int lastSlot;
  private int lastPositionPage;
  private int lastPositionSlot;

  OffloadPostingsWriter(SegmentWriteState state) throws IOException {
    inner = new Lucene104PostingsWriter(state);
    try {
      ImageDirectory directory = ImageDirectory.find(state.directory);
      PositionedFields wanted =
          directory == null || directory.handle() == null
              ? PositionedFields.NONE
              : PositionedFields.of(state.fieldInfos, directory.options().positions());
      lists = DeviceListWriter.open(state, !wanted.isEmpty());
      positioned = lists == null ? PositionedFields.NONE : wanted;
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, inner);
      throw t;
    }
  }

  /** Returns whether terms get device lists. */
  boolean hasLists() {
    return lists != null;
  }

  /** Returns the fields whose device lists have positions. */
  PositionedFields positioned() {
    return positioned;
  }

  /** Returns the stamp of the image, if terms get device lists. */
  long stamp() {
    return lists.stamp();
  }

  @Override
  public void init(IndexOutput termsOut, SegmentWriteState state) throws IOException {
    CodecUtil.writeIndexHeader(
        termsOut,
        Offload104PostingsFormat.TERMS_CODEC,
        positioned.isEmpty()
            ? Offload104PostingsFormat.VERSION_TERM_HASH
            : Offload104PostingsFormat.VERSION_POSITIONS,
        state.segmentInfo.getId(),
        state.segmentSuffix);
    termsOut.writeByte((byte) (lists == null ? 0 : 1));
    if (lists != null) {
      termsOut.writeLong(lists.stamp());
    }
    if (!positioned.isEmpty()) {
      positioned.write(termsOut);
    }
    inner.init(termsOut, state);
  }

  @Override
  public BlockTermState newTermState() {
    return new OffloadTermState(inner.newTermState());
  }

  @Override
  public void setField(FieldInfo fieldInfo) {
    super.setField(fieldInfo);
    inner.setField(fieldInfo);
    fieldHasNorms = fieldInfo.hasNorms();
    fieldPositioned = positioned.contains(fieldInfo);
  }

  @Override
  public void startTerm(NumericDocValues termNorms) {
    termHasNorms = fieldHasNorms && termNorms != null;
    if (lists == null || !termHasNorms) {
      inner.startTerm(termNorms);
    } else {
      norms.reset(termNorms);
      inner.startTerm(norms);
    }
    if (lists != null) {
      lists.startList(fieldPositioned);
    }
  }

  @Override
  public void startDoc(int docID, int freq) throws IOException {
    inner.startDoc(docID, freq);
    if (lists != null) {
      lists.add(docID, writeFreqs ? freq : 1, termHasNorms ? norms.byteOf(docID) : 1);
    }
  }

  @Override
  public void addPosition(int position, BytesRef payload, int startOffset, int endOffset)
      throws IOException {
    inner.addPosition(position, payload, startOffset, endOffset);
    if (fieldPositioned) {
      lists.addPosition(position);
    }
  }

  @Override
  public void finishDoc() {
    inner.finishDoc();
  }

  @Override
  public void finishTerm(BlockTermState state) throws IOException {
    OffloadTermState ours = (OffloadTermState) state;
    ours.inner.docFreq = state.docFreq;
    ours.inner.totalTermFreq = state.totalTermFreq;
    inner.finishTerm(ours.inner);
    if (lists != null) {
      lists.finishList(ours);
    }
  }

  @Override
  public void encodeTerm(
      DataOutput out, FieldInfo fieldInfo, BlockTermState state, boolean absolute)
      throws IOException {
    OffloadTermState ours = (OffloadTermState) state;
    inner.encodeTerm(out, fieldInfo, ours.inner, absolute);
    if (lists == null) {
      return;
    }
    if (absolute) {
      lastPage = 0;
      lastSlot = OffloadTermState.NO_SLOT;
      lastPositionPage = 0;
      lastPositionSlot = OffloadTermState.NO_SLOT;
    }
    encodeList(out, fieldInfo, ours);
    if (positioned.contains(fieldInfo)) {
      encodePositions(out, ours);
    }
  }

  private void encodeList(DataOutput out, FieldInfo fieldInfo, OffloadTermState ours)
      throws IOException {
    if (ours.docFreq == 1) {
      if (fieldInfo.hasNorms()) {
        out.writeByte((byte) ours.norm);
      }
      return;
    }
    int pageDelta = ours.firstPage - lastPage;
    boolean explicitSlot = ours.slot != (pageDelta == 0 ? lastSlot + 1 : 0);
    out.writeVInt(pageDelta << 1 | (explicitSlot ? 1 : 0));
    if (explicitSlot) {
      out.writeByte((byte) ours.slot);
    }
    lastPage = ours.firstPage;
    lastSlot = ours.slot;
    if (ours.docFreq > OffloadWire.BLOCK_POSTINGS) {
      out.writeVInt(ours.pageCount - 1);
      out.writeLong(ours.impacts);
      lastPage += ours.pageCount - 1;
      lastSlot = OffloadTermState.NO_SLOT;
    }
  }

  private void encodePositions(DataOutput out, OffloadTermState ours) throws IOException {
    if (ours.hasOnePosition()) {
      out.writeVInt(ours.position);
      return;
    }
    int pageDelta = ours.positionPage - lastPositionPage;
    boolean explicitSlot = ours.positionSlot != (pageDelta == 0 ? lastPositionSlot + 1 : 0);
    out.writeVInt(pageDelta << 2 | (ours.hasEqualPositions ? 2 : 0) | (explicitSlot ? 1 : 0));
    if (explicitSlot) {
      out.writeByte((byte) ours.positionSlot);
    }
    lastPositionPage = ours.positionPage;
    lastPositionSlot = ours.positionSlot;
    if (ours.hasPositionBlocks()) {
      out.writeVInt(ours.positionPageCount - 1);
      lastPositionPage += ours.positionPageCount - 1;
      lastPositionSlot = OffloadTermState.NO_SLOT;
    }
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(lists, inner);
  }

  /**
   * Norms of the term under way that remember the latest one, because the stock writer looks up the
   * same norms just before this one does.
   */
  private static final class NormMemo extends NumericDocValues {
    private NumericDocValues in;
    private int doc;
    private boolean found;
    private long value;

    void reset(NumericDocValues norms) {
      in = norms;
      doc = -1;
    }

    int byteOf(int target) throws IOException {
      return advanceExact(target) ? (int) value & 0xFF : 1;
    }

    @Override
    public boolean advanceExact(int target) throws IOException {
      if (target != doc) {
        doc = target;
        found = in.advanceExact(target);
        value = found ? in.longValue() : 0;
      }
      return found;
    }

    @Override
    public long longValue() {
      return value;
    }

    @Override
    public int docID() {
      return doc;
    }

    @Override
    public int nextDoc() {
      throw new UnsupportedOperationException("norms are looked up by document");
    }

    @Override
    public int advance(int target) {
      throw new UnsupportedOperationException("norms are looked up by document");
    }

    @Override
    public long cost() {
      return in.cost();
    }
  }
}
