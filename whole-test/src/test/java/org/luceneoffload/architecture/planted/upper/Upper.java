/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.architecture.planted.upper;

import org.luceneoffload.architecture.planted.lower.Lower;

/** Uses the lower package, as it may. */
public final class Upper {
  private final Lower lower = new Lower();

  /** Returns a number. */
  public int number() {
    return lower.number();
  }
}
