/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.planner;

import java.util.function.Supplier;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.util.Text;

/** Carries a refusal out of the compiler's recursion; cheap, since it has no stack trace. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;
  private final transient Refusal refusal;
  private final transient Supplier<String> words; // null: the refusal says it all

  /**
   * A refusal.
   *
   * @param detail what it is about, without the words of the query
   */
  public RefusedException(Refusal.Reason reason, String detail) {
    this(reason, detail, null);
  }

  /**
   * A refusal of a part of a query.
   *
   * @param detail what it is about, without the words of the query
   * @param words the part in its own words, which may take long to make
   */
  public RefusedException(Refusal.Reason reason, String detail, Supplier<String> words) {
    super(detail, null, false, false);
    this.refusal = new Refusal(reason, detail);
    this.words = words;
  }

  /** Returns the refusal, for counters, events and the log: it does not tell what users ask. */
  public Refusal refusal() {
    return refusal;
  }

  /** Returns the refusal with the words of the query, for the user who asked it. */
  public Refusal inFull() {
    return words == null
        ? refusal
        : new Refusal(refusal.reason(), refusal.detail() + " \"" + Text.line(words.get()) + "\"");
  }
}
