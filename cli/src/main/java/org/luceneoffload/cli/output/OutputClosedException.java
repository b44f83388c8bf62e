/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.output;

import java.io.PrintWriter;

/** Nobody reads what is printed any more: the command behind a pipe has ended. */
public final class OutputClosedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private OutputClosedException() {
    super("standard output is closed", null, false, false);
  }

  /**
   * Flushes a writer.
   *
   * @throws OutputClosedException if it cannot be written
   */
  public static void check(PrintWriter out) {
    if (out.checkError()) { // flushes
      throw new OutputClosedException();
    }
  }
}
