/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.architecture.planted.lower;

import org.luceneoffload.architecture.planted.upper.Upper;

/** Uses the upper package, as it must not. */
public final class Lower {
  /** Returns a number. */
  public int number() {
    return 1;
  }

  /** Returns the number of something above. */
  public static int numberOf(Upper upper) {
    return upper.number();
  }
}
