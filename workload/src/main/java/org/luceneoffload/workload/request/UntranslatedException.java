/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.request;

/** A part of a request that this reader does not translate to Lucene; the message names it. */
public final class UntranslatedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  UntranslatedException(String message) {
    super(message, null, false, false);
  }
}
