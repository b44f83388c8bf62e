/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite.codec;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BaseLiveDocsFormatTestCase;
import org.luceneoffload.OffloadCodec;

/** Lucene's suite for live docs, on directories without a device. */
public class TestLiveDocsFormat extends BaseLiveDocsFormatTestCase {
  @Override
  protected Codec getCodec() {
    return new OffloadCodec();
  }
}
