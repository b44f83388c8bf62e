/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.request;

/**
 * A line of a query log.
 *
 * @param name what the line is called; null: it has no name
 * @param count how often it was asked, at least 1
 * @param origin file and line, for messages; of a line of wrong syntax what is wrong there, too
 * @param request what is asked; null if it could not be translated
 * @param untranslated why not; null if it could
 */
public record LoggedRequest(
    String name, long count, String origin, SearchRequest request, String untranslated) {
  /** What all lines count as that are no query at all. */
  public static final String WRONG_SYNTAX = "wrong syntax";

  /** Returns why the line could not be translated; of wrong syntax, where it is. */
  public String example() {
    return untranslated.equals(WRONG_SYNTAX) ? "first at " + origin : untranslated;
  }
}
