/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

/** Exit codes of every command. */
final class ExitCodes {
  /** Done, and nothing differed. */
  static final int OK = 0;

  /** Something could not be read, written or done. */
  static final int FAILURE = 1;

  /** An option or argument is wrong. */
  static final int USAGE = 2;

  /** The device and the host gave different answers. */
  static final int DIFFERENCE = 3;

  private ExitCodes() {}
}
