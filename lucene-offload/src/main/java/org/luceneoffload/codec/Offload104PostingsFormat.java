/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.PostingsWriterBase;
import org.apache.lucene.codecs.lucene103.blocktree.Lucene103BlockTreeTermsReader;
import org.apache.lucene.codecs.lucene103.blocktree.Lucene103BlockTreeTermsWriter;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.codec.term.TermHash;
import org.luceneoffload.codec.term.TermHashWriter;
import org.luceneoffload.store.image.ImageFiles;

/**
 * Offload 10.4 postings format: the stock postings of Lucene 10.4 and, beside them, a posting image
 * for a device.
 *
 * <p>The stock files are written by the stock writers: terms dictionary ({@code .tim}, {@code
 * .tip}, {@code .tmd}), doc IDs and frequencies ({@code .doc}), positions ({@code .pos}), payloads
 * and offsets ({@code .pay}) and skip metadata ({@code .psm}). Three things are added.
 *
 * <h2>Terms dictionary</h2>
 *
 * <dl>
 *   <dd>In the metadata file, before the header of the stock postings: OffloadHeader --&gt;
 *       IndexHeader, HasLists, Stamp?, (FieldCount, FieldNumber<sup>FieldCount</sup>)?
 *   <dd>HasLists --&gt; {@link org.apache.lucene.store.DataOutput#writeByte byte}: 1 if the segment
 *       was written with a posting image, else 0, and nothing of what follows is there
 *   <dd>Stamp --&gt; {@link org.apache.lucene.store.DataOutput#writeLong Int64}
 *   <dd>FieldCount, FieldNumber --&gt; VInt: the fields whose lists have positions on the device.
 *       Version 3 has them, and is that of segments with such fields; others are of version 2.
 *   <dd>Behind the stock metadata of each term: DeviceList, and PositionList in these fields
 *   <dd>DeviceList of a term in one document --&gt; Norm?, {@link
 *       org.apache.lucene.store.DataOutput#writeByte byte}, if the field has norms. Doc ID and
 *       frequency are in the stock metadata, and the image knows nothing of the term.
 *   <dd>DeviceList of any other term --&gt; Start, Slot?, (PageCount, Impacts)?
 *   <dd>Start --&gt; {@link org.apache.lucene.store.DataOutput#writeVInt VInt}: twice the
 *       difference of the list's first page from the last page of the previous list in this block
 *       of terms (0 for the first), plus 1 if Slot follows
 *   <dd>Slot --&gt; byte: number of the list's first posting block in its page. Without it: one
 *       more than the previous list's if they begin in one page and that one has one block, else 0.
 *   <dd>PageCount --&gt; VInt: one less than the pages that hold blocks of the list
 *   <dd>Impacts --&gt; Int64: impacts word of the list. PageCount and Impacts are there if the term
 *       is in more than 128 documents; else the list is one posting block.
 *   <dd>PositionList of a term that occurs once --&gt; VInt: its position
 *   <dd>PositionList of any other term --&gt; Start, Slot?, PageCount?, as in DeviceList, about its
 *       position blocks; but Start is four times the difference, plus 2 if positions of a document
 *       may be equal, plus 1 if Slot follows. The first page that holds positions is page 0.
 *       PageCount is there if the term is in more than 128 documents or occurs more than 1024
 *       times; else the list has one position block.
 * </dl>
 *
 * <h2>Term hash</h2>
 *
 * <p>A file with extension {@code .odh} in the application's directory, if the segment was written
 * with a posting image and version 2 or later of this format. It says of each term what the device
 * has to know, once more, for a look-up that reads a slot and an entry. {@link TermHash} describes
 * it.
 *
 * <h2>Posting image</h2>
 *
 * <p>A file with extension {@code .odp}, its name longer by {@code c} if the segment is in a
 * compound file, that lies on the device, with a stub in its place in the application's directory.
 *
 * <dl>
 *   <dd>Image --&gt; HeaderPage, PostingPage<sup>n</sup>, (PositionPage<sup>p</sup>,
 *       PositionStart)?, Footer
 *   <dd>HeaderPage, PositionStart --&gt; {@link org.luceneoffload.store.image.ImageHeader}
 *   <dd>PostingPage --&gt; 4096 bytes as the wire's {@code page_header} and {@code block_entry}
 *       say; {@link org.luceneoffload.wire.page.PageEncoder} writes them. The first has file page
 *       number 1.
 *   <dd>PositionPage --&gt; 4096 bytes as the wire's {@code position_page_header} and {@code
 *       position_entry} say; {@link org.luceneoffload.wire.page.PositionPageEncoder} writes them
 * </dl>
 *
 * <p>The lists lie back to back in posting blocks of 128 postings, in the order of fields and
 * terms. A list of one block never crosses a page. A longer one may begin anywhere in a page, goes
 * on at slot 0 of the next and may share its last page with those that follow; every block but its
 * last is full. A posting is a doc ID, a frequency (1 if the field has none) and a norm byte (1 if
 * it has none). Each block has its doc IDs as packed differences or, where they are dense, as a
 * bitmap of the docs from the previous block's last one to its own.
 *
 * <p>Positions of fields that {@link org.luceneoffload.config.OffloadOptions#positions} names lie
 * behind all lists, in the order of the lists.
 *
 * @lucene.spi {@value #NAME}
 */
public final class Offload104PostingsFormat extends PostingsFormat {
  /** SPI name. */
  public static final String NAME = "Offload104";

  /** Codec name of what is added to the terms dictionary. */
  static final String TERMS_CODEC = "Offload104PostingsTerms";

  static final int VERSION_START = 1;

  /** Segments with device lists have a term hash from here on. */
  static final int VERSION_TERM_HASH = 2;

  /** Segments whose device lists have positions, and only those. */
  static final int VERSION_POSITIONS = 3;

  static final int VERSION_CURRENT = VERSION_POSITIONS;

  /** The format; also made by the service loader. */
  public Offload104PostingsFormat() {
    super(NAME);
  }

  @Override
  public FieldsConsumer fieldsConsumer(SegmentWriteState state) throws IOException {
    PostingsWriterBase writer = postingsWriter(state);
    try {
      return new Lucene103BlockTreeTermsWriter(
          state,
          writer,
          Lucene103BlockTreeTermsWriter.DEFAULT_MIN_BLOCK_SIZE,
          Lucene103BlockTreeTermsWriter.DEFAULT_MAX_BLOCK_SIZE);
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, writer);
      throw t;
    }
  }

  private static PostingsWriterBase postingsWriter(SegmentWriteState state) throws IOException {
    OffloadPostingsWriter writer = new OffloadPostingsWriter(state);
    if (!writer.hasLists()) {
      return writer;
    }
    try {
      return new HashingPostingsWriter(
          writer, TermHashWriter.open(state, writer.stamp(), writer.positioned()));
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, writer);
      throw t;
    }
  }

  @Override
  public FieldsProducer fieldsProducer(SegmentReadState state) throws IOException {
    OffloadPostingsReader reader = new OffloadPostingsReader(state);
    FieldsProducer terms = null;
    SegmentImage image = null;
    try {
      terms = new Lucene103BlockTreeTermsReader(reader, state);
      image = SegmentImage.open(state, ImageFiles.EXTENSION, reader.hasLists(), reader.stamp());
      TermHash hash = null; // without a device nobody asks where its lists are
      if (reader.hasTermHash() && image.handle() != null) {
        hash = TermHash.open(state, reader.stamp(), image.handle().stats());
      }
      return new OffloadFieldsProducer(terms, image, hash, state.fieldInfos, reader.positioned());
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, image, terms != null ? terms : reader);
      throw t;
    }
  }
}
