/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite.codec;

import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BasePostingsFormatTestCase;
import org.apache.lucene.tests.util.TestUtil;
import org.junit.ClassRule;
import org.luceneoffload.codec.Offload104PostingsFormat;
import org.luceneoffload.suite.Sampling;
import org.luceneoffload.suite.SuiteDevice;

/**
 * Lucene's suite for postings formats on ours alone, in a codec that checks every call and has the
 * stock compound format, with a simulated device.
 */
public class TestPostingsFormatInAssertingCodec extends BasePostingsFormatTestCase {
  /** The device. */
  @ClassRule public static final SuiteDevice DEVICE = SuiteDevice.withImages();

  private static final Codec CODEC = TestUtil.alwaysPostingsFormat(new Offload104PostingsFormat());

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
