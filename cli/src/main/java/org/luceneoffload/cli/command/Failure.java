/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.command;

/** A failure that ends a command, told to the user in one sentence without a stack trace. */
public final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final int exitCode;

  private Failure(int exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** Returns a failure to read, write or do something; the message names what and where. */
  public static Failure of(String message) {
    return new Failure(ExitCodes.FAILURE, message, null);
  }

  /** Returns a failure to read, write or do something; the message names what and where. */
  public static Failure of(String message, Throwable cause) {
    return new Failure(ExitCodes.FAILURE, message, cause);
  }

  /** Returns a failure for a wrong option or argument, which the message names. */
  public static Failure usage(String message) {
    return new Failure(ExitCodes.USAGE, message, null);
  }

  /** Returns a failure for a wrong option or argument, which the message names. */
  public static Failure usage(String message, Throwable cause) {
    return new Failure(ExitCodes.USAGE, message, cause);
  }

  /** Returns the exit code of the command. */
  int exitCode() {
    return exitCode;
  }
}
