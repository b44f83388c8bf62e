/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.command;

/** Exit codes of every command. */
public final class ExitCodes {
  /** Done, and nothing differed. */
  public static final int OK = 0;

  /** Something could not be read, written or done. */
  public static final int FAILURE = 1;

  /** An option or argument is wrong. */
  public static final int USAGE = 2;

  /** The device and the host gave different answers. */
  public static final int DIFFERENCE = 3;

  /** Nobody reads the output any more, as behind {@code | head}: 128 + SIGPIPE. */
  public static final int OUTPUT_CLOSED = 141;

  private ExitCodes() {}
}
