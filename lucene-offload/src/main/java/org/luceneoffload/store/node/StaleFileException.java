/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.node;

import java.io.IOException;

/**
 * A file on a node was deleted by who writes the index, and its pages were given to others, while
 * this process still read it. The reader is to be opened anew; nothing foreign was read.
 */
public final class StaleFileException extends IOException {
  private static final long serialVersionUID = 1;

  StaleFileException(String message) {
    super(message);
  }
}
