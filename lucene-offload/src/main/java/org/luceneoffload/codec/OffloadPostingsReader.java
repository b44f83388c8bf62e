/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import org.apache.lucene.codecs.BlockTermState;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.PostingsReaderBase;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat.IntBlockTermState;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsReader;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.ImpactsEnum;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.store.DataInput;
import org.apache.lucene.store.IndexInput;
import org.luceneoffload.codec.position.PositionedFields;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.wire.OffloadWire;

/**
 * Reads postings with the stock reader, whose enums it returns as they are, and from the terms
 * dictionary where the device's lists are.
 */
final class OffloadPostingsReader extends PostingsReaderBase {
  private final Lucene104PostingsReader inner;
  private boolean hasLists;
  private boolean hasTermHash;
  private PositionedFields positioned = PositionedFields.NONE;
  private long stamp;

  OffloadPostingsReader(SegmentReadState state) throws IOException {
    inner = new Lucene104PostingsReader(state);
  }

  /** Returns whether the segment was written with a posting image. */
  boolean hasLists() {
    return hasLists;
  }

  /** Returns whether the segment was written with a term hash. */
  boolean hasTermHash() {
    return hasTermHash;
  }

  /** Returns the fields whose device lists have positions. */
  PositionedFields positioned() {
    return positioned;
  }

  /** Returns the stamp of the image. */
  long stamp() {
    return stamp;
  }

  @Override
  public void init(IndexInput termsIn, SegmentReadState state) throws IOException {
    int version =
        CodecUtil.checkIndexHeader(
            termsIn,
            Offload104PostingsFormat.TERMS_CODEC,
            Offload104PostingsFormat.VERSION_START,
            Offload104PostingsFormat.VERSION_CURRENT,
            state.segmentInfo.getId(),
            state.segmentSuffix);
    int flag = termsIn.readByte();
    if (flag != 0 && flag != 1) {
      throw new CorruptIndexException("HasLists must be 0 or 1, got " + flag, termsIn);
    }
    hasLists = flag == 1;
    hasTermHash = hasLists && version >= Offload104PostingsFormat.VERSION_TERM_HASH;
    stamp = hasLists ? termsIn.readLong() : 0;
    if (version >= Offload104PostingsFormat.VERSION_POSITIONS) {
      positioned = PositionedFields.read(termsIn, state.fieldInfos);
    }
    inner.init(termsIn, state);
  }

  @Override
  public BlockTermState newTermState() {
    return new OffloadTermState((IntBlockTermState) inner.newTermState());
  }

  @Override
  public void decodeTerm(DataInput in, FieldInfo fieldInfo, BlockTermState state, boolean absolute)
      throws IOException {
    OffloadTermState ours = (OffloadTermState) state;
    ours.copyStatisticsToInner();
    inner.decodeTerm(in, fieldInfo, ours.inner, absolute);
    ours.hasDeviceList = hasLists;
    if (!hasLists) {
      return;
    }
    if (absolute) {
      ours.lastPage = 0;
      ours.lastSlot = OffloadTermState.NO_SLOT;
      ours.lastPositionPage = 0;
      ours.lastPositionSlot = OffloadTermState.NO_SLOT;
    }
    decodeList(in, fieldInfo, ours);
    ours.hasPositions = positioned.contains(fieldInfo);
    if (ours.hasPositions) {
      decodePositions(in, ours);
    }
  }

  private static void decodeList(DataInput in, FieldInfo fieldInfo, OffloadTermState ours)
      throws IOException {
    ours.norm = 1;
    ours.pageCount = 0;
    ours.impacts = 0;
    if (ours.docFreq == 1) {
      if (fieldInfo.hasNorms()) {
        ours.norm = in.readByte() & 0xFF;
      }
      return;
    }
    int start = in.readVInt();
    int pageDelta = start >>> 1;
    ours.firstPage = ours.lastPage + pageDelta;
    if ((start & 1) != 0) {
      ours.slot = in.readByte() & 0xFF;
    } else {
      ours.slot = pageDelta == 0 ? ours.lastSlot + 1 : 0;
    }
    ours.pageCount = 1;
    ours.lastPage = ours.firstPage;
    ours.lastSlot = ours.slot;
    if (ours.docFreq > OffloadWire.BLOCK_POSTINGS) {
      ours.pageCount = in.readVInt() + 1;
      ours.impacts = in.readLong();
      ours.lastPage += ours.pageCount - 1;
      ours.lastSlot = OffloadTermState.NO_SLOT;
    }
  }

  private static void decodePositions(DataInput in, OffloadTermState ours) throws IOException {
    if (ours.hasOnePosition()) {
      ours.position = in.readVInt();
      return;
    }
    int start = in.readVInt();
    int pageDelta = start >>> 2;
    ours.hasEqualPositions = (start & 2) != 0;
    ours.positionPage = ours.lastPositionPage + pageDelta;
    if ((start & 1) != 0) {
      ours.positionSlot = in.readByte() & 0xFF;
    } else {
      ours.positionSlot = pageDelta == 0 ? ours.lastPositionSlot + 1 : 0;
    }
    ours.positionPageCount = 1;
    ours.lastPositionPage = ours.positionPage;
    ours.lastPositionSlot = ours.positionSlot;
    if (ours.hasPositionBlocks()) {
      ours.positionPageCount = in.readVInt() + 1;
      ours.lastPositionPage += ours.positionPageCount - 1;
      ours.lastPositionSlot = OffloadTermState.NO_SLOT;
    }
  }

  @Override
  public PostingsEnum postings(
      FieldInfo fieldInfo, BlockTermState state, PostingsEnum reuse, int flags) throws IOException {
    if (reuse instanceof ListPeek peek) {
      peek.show((OffloadTermState) state);
      return peek;
    }
    return inner.postings(fieldInfo, ((OffloadTermState) state).inner, reuse, flags);
  }

  @Override
  public ImpactsEnum impacts(FieldInfo fieldInfo, BlockTermState state, int flags)
      throws IOException {
    return inner.impacts(fieldInfo, ((OffloadTermState) state).inner, flags);
  }

  @Override
  public void checkIntegrity() throws IOException {
    inner.checkIntegrity();
  }

  @Override
  public void close() throws IOException {
    inner.close();
  }

  @Override
  public String toString() {
    return "OffloadPostingsReader(" + inner + ")";
  }
}
