/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;

/** Takes the matches of a segment, ascending, and adds their doc values to a tally. */
public interface LeafTally {
  /** Takes a match. */
  void collect(int doc) throws IOException;

  /** Ends the segment. */
  default void finish() throws IOException {}
}
