/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.Closeable;
import java.io.IOException;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.codec.position.PositionListWriter;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.store.image.ImageHeader;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.page.Impacts;
import org.luceneoffload.wire.page.PageEncoder;

/**
 * Writes the posting image of a segment, list by list, and notes in the term states where the lists
 * went. That the device may fail meanwhile is not seen here: the output below gives the image up.
 */
final class DeviceListWriter implements Closeable {
  private final IndexOutput out;
  private final long stamp;
  private final PageEncoder encoder;
  private final PositionListWriter positions; // null: lists have none
  private final Impacts impactsScratch = new Impacts();
  private boolean failed;
  private boolean finished;
  private boolean closed;

  // The list under way.
  private final int[] docs = new int[OffloadWire.BLOCK_POSTINGS];
  private final int[] freqs = new int[OffloadWire.BLOCK_POSTINGS];
  private final int[] norms = new int[OffloadWire.BLOCK_POSTINGS];
  private int buffered;
  private int blocks;
  private int base;
  private int firstPage;
  private int firstSlot;
  private long impacts;
  private boolean positioned;

  private DeviceListWriter(IndexOutput out, long stamp, PositionListWriter positions) {
    this.out = out;
    this.stamp = stamp;
    this.positions = positions;
    this.encoder =
        new PageEncoder(stamp, 1, page -> out.writeBytes(page, 0, OffloadWire.PAGE_BYTES));
  }

  /**
   * Begins the image of a segment.
   *
   * @param positions whether lists may have positions
   * @return null if the directory has no device that can be written
   */
  static DeviceListWriter open(SegmentWriteState state, boolean positions) throws IOException {
    IndexOutput out = SegmentImage.create(state, ImageFiles.EXTENSION);
    if (out == null) {
      return null;
    }
    long stamp = ImageFiles.randomNumber();
    PositionListWriter writer =
        positions
            ? new PositionListWriter(stamp, state.directory, state.context, state.segmentInfo.name)
            : null;
    return on(out, stamp, writer, state.segmentInfo.getId(), state.segmentSuffix);
  }

  /**
   * Begins an image.
   *
   * @param out where it goes; closed with the writer, or if this fails
   * @param stamp stamp of the image
   * @param positions takes the positions, of which it has none yet; closed with the writer. Null:
   *     lists have no positions
   * @param segmentId ID of the segment
   * @param suffix segment suffix of the postings format
   */
  static DeviceListWriter on(
      IndexOutput out, long stamp, PositionListWriter positions, byte[] segmentId, String suffix)
      throws IOException {
    DeviceListWriter writer = new DeviceListWriter(out, stamp, positions);
    try {
      ImageHeader.write(out, ImageFiles.CODEC, positions != null, stamp, segmentId, suffix);
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, out);
      throw t;
    }
    return writer;
  }

  /** Returns the stamp of the image. */
  long stamp() {
    return stamp;
  }

  /** Returns the number of whole pages so far, that of the header included. */
  long pages() {
    return bytes() / OffloadWire.PAGE_BYTES;
  }

  /** Returns the number of bytes so far. */
  long bytes() {
    return out.getFilePointer();
  }

  /**
   * Begins a list.
   *
   * @param withPositions whether each posting is followed by its positions
   */
  void startList(boolean withPositions) {
    positioned = withPositions;
    if (positioned) {
      positions.startList();
    }
    buffered = 0;
    blocks = 0;
    base = OffloadWire.NO_DOC;
  }

  /** Adds a posting to the list. */
  void add(int doc, int freq, int norm) throws IOException {
    if (buffered == OffloadWire.BLOCK_POSTINGS) {
      flushBlock(0);
    }
    docs[buffered] = doc;
    freqs[buffered] = freq;
    norms[buffered] = norm;
    buffered++;
    if (positioned) {
      positions.startDoc(doc, freq);
    }
  }

  /** Adds a position of the latest posting; as many as its frequency, they do not descend. */
  void addPosition(int position) throws IOException {
    positions.add(position);
  }

  /** Ends the list and notes in the term's state where it is. */
  void finishList(OffloadTermState state) throws IOException {
    state.hasDeviceList = true;
    state.hasPositions = positioned;
    if (positioned) {
      finishPositions(state);
    }
    if (blocks == 0 && buffered == 1) {
      state.norm = norms[0];
      return;
    }
    flushBlock(OffloadWire.BlockFlag.LAST_OF_LIST);
    state.firstPage = firstPage;
    state.slot = firstSlot;
    state.pageCount = encoder.filePage() - firstPage + 1;
    state.impacts = blocks > 1 ? impacts : 0;
  }

  private void finishPositions(OffloadTermState state) throws IOException {
    failed = true; // unless the next line returns
    positions.finishList();
    failed = false;
    if (positions.isOnePosition()) {
      state.position = positions.position();
      return;
    }
    state.positionPage = positions.firstPage();
    state.positionSlot = positions.firstSlot();
    state.positionPageCount = positions.pageCount();
    state.hasEqualPositions = positions.hasEqual();
  }

  /** Ends the image. */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (positions;
        out) {
      finish();
    }
  }

  /** Writes what is left, after the last list; closing does it as well. */
  void finish() throws IOException {
    if (!failed && !finished) {
      finished = true;
      encoder.finish();
      if (positions != null) {
        int page = Math.toIntExact(pages());
        positions.finish(out, page);
        ImageHeader.writePositionStart(out, page);
      }
      CodecUtil.writeFooter(out);
    }
  }

  private void flushBlock(int lastFlag) throws IOException {
    int flags = lastFlag | (blocks == 0 ? OffloadWire.BlockFlag.FIRST_OF_LIST : 0);
    failed = true; // unless the next line returns
    encoder.addBlock(docs, freqs, norms, buffered, base, flags);
    failed = false;
    if (blocks == 0) {
      firstPage = encoder.filePage();
      firstSlot = encoder.slot();
      impacts = encoder.blockImpacts();
    } else {
      impacts = impactsScratch.merge(impacts, encoder.blockImpacts());
    }
    blocks++;
    base = docs[buffered - 1];
    buffered = 0;
  }
}
