/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite.device;

import org.junit.ClassRule;
import org.luceneoffload.suite.SuiteDevice;
import org.luceneoffload.suite.codec.TestSegmentInfoFormat;

/** Lucene's suite for segment infos, on directories with a simulated device. */
public class TestSegmentInfoFormatOnDevice extends TestSegmentInfoFormat {
  /** The device. */
  @ClassRule public static final SuiteDevice DEVICE = SuiteDevice.unasked();
}
