/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.maintain;

/** Told how far an import or a repair is; called now and then by the thread that does it. */
@FunctionalInterface
public interface MaintenanceProgress {
  /** For those who do not want to know. */
  MaintenanceProgress NONE = (segment, postings, ofPostings) -> {};

  /**
   * Reports that some postings are written.
   *
   * @param segment name of the segment at work
   * @param postings postings dealt with so far
   * @param ofPostings postings of all segments
   */
  void at(String segment, long postings, long ofPostings);
}
