/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.command;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Sets what the platform logger shows on standard error. */
final class LogLevel {
  static {
    // One line a message. Read when the first handler is made, so it has to stand here.
    String format = "java.util.logging.SimpleFormatter.format";
    if (System.getProperty(format) == null) {
      System.setProperty(format, "%4$s: %5$s%6$s%n");
    }
  }

  // Kept, because the log manager forgets loggers that nobody holds.
  private static final Logger ROOT = Logger.getLogger("");
  private static final Logger LUCENE = Logger.getLogger("org.apache.lucene");

  private LogLevel() {}

  /** Logs everything from FINE on, or warnings only (of Lucene, errors only). */
  static void set(boolean verbose) {
    ROOT.setLevel(verbose ? Level.FINE : Level.WARNING);
    LUCENE.setLevel(verbose ? Level.INFO : Level.SEVERE);
    for (Handler handler : ROOT.getHandlers()) {
      handler.setLevel(verbose ? Level.FINE : Level.WARNING);
    }
  }
}
