/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite.codec;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BasePointsFormatTestCase;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.suite.Sampling;

/** Lucene's suite for points, on directories without a device. */
public class TestPointsFormat extends BasePointsFormatTestCase {
  @Override
  protected Codec getCodec() {
    return new OffloadCodec();
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    Sampling.oneIn(1, this);
  }
}
