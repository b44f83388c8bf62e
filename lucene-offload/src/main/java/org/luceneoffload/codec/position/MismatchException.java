/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.position;

/** The device's list says something else than the stock one. */
public final class MismatchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** An exception that says what differs. */
  public MismatchException(String message) {
    super(message);
  }

  /** Throws unless both numbers of a doc are the same. */
  public static void expect(int doc, String what, int expected, int actual) {
    if (expected != actual) {
      throw new MismatchException(
          "at doc " + doc + ": stock " + what + " " + expected + ", device " + actual);
    }
  }
}
