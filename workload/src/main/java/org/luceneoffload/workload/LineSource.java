/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.io.Closeable;
import java.io.IOException;

/** The lines of a file, one after the other. */
interface LineSource extends Closeable {
  /** Returns the next line, without its end, or null at the end of the file. */
  byte[] next() throws IOException;

  /** Returns the number of the line that {@link #next} returned last, from 1 on. */
  long lineNumber();
}
