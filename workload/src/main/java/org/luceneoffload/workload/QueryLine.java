/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

/**
 * A query as the user wrote it.
 *
 * @param text the query
 * @param origin file and line, or null if it stood on the command line
 */
public record QueryLine(String text, String origin) {
  private static final int SHOWN = 200;

  /** Returns how a message begins, before the reason; names the file and line if there is one. */
  public String where() {
    String shown = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
    return (origin == null ? "" : origin + ": ") + "query '" + shown + "'";
  }
}
