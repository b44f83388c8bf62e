/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz;

/** A question that was answered wrongly, or not at all: the cause says how. */
final class WrongAnswer extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Focus focus;
  private final String setup;

  /**
   * @param focus the question
   * @param setup how it was asked
   */
  WrongAnswer(Focus focus, String setup, Throwable cause) {
    super(cause);
    this.focus = focus;
    this.setup = setup;
  }

  Focus focus() {
    return focus;
  }

  String setup() {
    return setup;
  }
}
