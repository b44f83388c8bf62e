/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.util.Map;

/** Why figures and statements are missed with the profile of the paper's own board. */
final class TaskReasons {
  /** A statement of the paper. */
  static final String LESS_WITH_WORK =
      "the more work a page is, the less is gained: query 14, 6, 1, similarity join";

  /** Another one. */
  static final String HAND_CODED =
      "hand-coded is better than the device alone, and worse than dynamic placement";

  /** By id, or text. */
  static final Map<String, String> KNOWN =
      Map.of(
          LESS_WITH_WORK,
          "The text says that a page of the join is more work than one of query 1, table 2 that it is"
              + " less (0.93 and 1.08 of the I/O). The model goes by table 2: gain falls with that"
              + " ratio.",
          "s3.16.q1",
          "With 16 times the power the device does all pages, and a query takes as long as reading"
              + " inside the device: then the gain of query 1 follows from the mean gain and table 2,"
              + " and is 137 % for the published mean.");

  private TaskReasons() {}
}
