/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

/** List operations, in the order of the classic programs' numbers. */
public enum Operation {
  /** Documents in every list. */
  INTERSECTION("intersection"),
  /** Documents in any list. */
  UNION("union"),
  /** Documents of the first list that are not in the second. */
  DIFFERENCE("difference");

  private final String text;

  Operation(String text) {
    this.text = text;
  }

  /** Returns the name for people. */
  public String text() {
    return text;
  }
}
