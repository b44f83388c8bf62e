/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite.device;

import org.junit.ClassRule;
import org.luceneoffload.suite.SuiteDevice;
import org.luceneoffload.suite.codec.TestPerFieldPostingsFormat;

/** Lucene's suite for postings formats with mixed fields, with a simulated device. */
public class TestPerFieldPostingsFormatOnDevice extends TestPerFieldPostingsFormat {
  /** The device. */
  @ClassRule public static final SuiteDevice DEVICE = SuiteDevice.withImages();
}
