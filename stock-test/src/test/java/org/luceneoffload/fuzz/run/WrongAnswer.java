/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.run;

import org.luceneoffload.fuzz.probe.FailingQuestion;

/** A question that was answered wrongly, or not at all: the cause says how. */
public final class WrongAnswer extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient FailingQuestion focus;
  private final String setup;

  /**
   * @param focus the question
   * @param setup how it was asked
   */
  public WrongAnswer(FailingQuestion focus, String setup, Throwable cause) {
    super(cause);
    this.focus = focus;
    this.setup = setup;
  }

  public FailingQuestion focus() {
    return focus;
  }

  public String setup() {
    return setup;
  }
}
