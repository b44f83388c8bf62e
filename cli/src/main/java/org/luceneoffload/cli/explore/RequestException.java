/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.explore;

/** A request that is not answered: an HTTP status, and why in one sentence. */
final class RequestException extends Exception {
  private static final long serialVersionUID = 1L;
  private final int status;

  private RequestException(int status, String message, Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /** Returns the exception of a request that is wrong: a query that does not parse, a number. */
  static RequestException wrong(String message) {
    return new RequestException(400, message, null);
  }

  /** Returns the exception of a request that may be right, but cannot be answered now. */
  static RequestException unavailable(String message, Throwable cause) {
    return new RequestException(503, message, cause);
  }

  /** Returns an exception with a status of HTTP. */
  static RequestException of(int status, String message) {
    return new RequestException(status, message, null);
  }

  /** Returns the status of HTTP. */
  int status() {
    return status;
  }
}
