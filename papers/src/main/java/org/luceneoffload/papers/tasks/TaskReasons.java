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

  private static final String DISAGREE =
      "The two fitted gains disagree: +20.3 % needs flash of at least 1.2 times the external"
          + " bandwidth, and +94.5 % with 16 times the power at most 1.14 times.";

  /** By id, or text. */
  static final Map<String, String> KNOWN =
      Map.of(
          LESS_WITH_WORK,
          "The text says that a page of the join is more work than one of query 1, table 2 that it"
              + " is less (0.93 and 1.08 of the I/O). The model goes by table 2: gain falls with"
              + " that ratio.",
          "s3.dyn.q14",
          DISAGREE,
          "s3.dyn.q1",
          "Its two published figures ask for a device core 9 times slower than the host's, those of"
              + " query 14 for 12.6 times.",
          "s3.dyn.join",
          "One factor of the device's core is fitted to query 14, and the join's own two figures"
              + " ask for another one.");

  private TaskReasons() {}
}
