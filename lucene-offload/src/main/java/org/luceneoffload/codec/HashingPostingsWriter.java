/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import org.apache.lucene.codecs.BlockTermState;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PostingsWriterBase;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.DataOutput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.TermHashWriter;

/**
 * Puts each term into the term hash once its postings are written: the postings writer itself is
 * not told the terms.
 */
final class HashingPostingsWriter extends PostingsWriterBase {
  private final OffloadPostingsWriter in;
  private final TermHashWriter hash;
  private FieldInfo field;

  HashingPostingsWriter(OffloadPostingsWriter in, TermHashWriter hash) {
    this.in = in;
    this.hash = hash;
  }

  @Override
  public void init(IndexOutput termsOut, SegmentWriteState state) throws IOException {
    in.init(termsOut, state);
  }

  @Override
  public BlockTermState writeTerm(
      BytesRef term, TermsEnum termsEnum, FixedBitSet docsSeen, NormsProducer norms)
      throws IOException {
    BlockTermState state = in.writeTerm(term, termsEnum, docsSeen, norms);
    if (state != null) {
      hash.add(field, term, (OffloadTermState) state);
    }
    return state;
  }

  @Override
  public void encodeTerm(
      DataOutput out, FieldInfo fieldInfo, BlockTermState state, boolean absolute)
      throws IOException {
    in.encodeTerm(out, fieldInfo, state, absolute);
  }

  @Override
  public void setField(FieldInfo fieldInfo) {
    in.setField(fieldInfo);
    field = fieldInfo;
  }

  @Override
  public void close() throws IOException {
    try {
      hash.finish();
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, hash, in);
      throw t;
    }
    IOUtils.close(hash, in);
  }
}
