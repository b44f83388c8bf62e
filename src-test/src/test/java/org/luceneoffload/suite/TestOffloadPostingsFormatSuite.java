/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BasePostingsFormatTestCase;
import org.luceneoffload.OffloadCodec;

/** Lucene's own suite for postings formats, on directories without a device. */
public class TestOffloadPostingsFormatSuite extends BasePostingsFormatTestCase {
  @Override
  protected Codec getCodec() {
    return new OffloadCodec();
  }
}
