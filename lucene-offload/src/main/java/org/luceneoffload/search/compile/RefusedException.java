/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import org.luceneoffload.report.Refusal;

/** Carries a refusal out of the compiler's recursion; cheap, since it has no stack trace. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;
  private final transient Refusal refusal;

  public RefusedException(Refusal.Reason reason, String detail) {
    super(detail, null, false, false);
    this.refusal = new Refusal(reason, detail);
  }

  public Refusal refusal() {
    return refusal;
  }
}
