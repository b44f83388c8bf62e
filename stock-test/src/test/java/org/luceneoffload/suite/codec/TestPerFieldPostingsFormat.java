/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite.codec;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.apache.lucene.tests.index.BasePostingsFormatTestCase;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.suite.Sampling;

/** Lucene's suite for postings formats; half of the fields have a stock format beside ours. */
public class TestPerFieldPostingsFormat extends BasePostingsFormatTestCase {
  private static final PostingsFormat OURS = PostingsFormat.forName("Offload104");
  private static final PostingsFormat STOCK = PostingsFormat.forName("Lucene104");

  private static final Codec CODEC =
      new FilterCodec(OffloadCodec.NAME, new OffloadCodec()) {
        @Override
        public PostingsFormat postingsFormat() {
          return new PerFieldPostingsFormat() {
            @Override
            public PostingsFormat getPostingsFormatForField(String field) {
              return (field.hashCode() & 1) == 0 ? OURS : STOCK;
            }
          };
        }
      };

  @Override
  protected Codec getCodec() {
    return CODEC;
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    Sampling.oneIn(1, this);
  }
}
