/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.tasks;

import java.util.Map;

/** Why figures and statements are missed with the profile of the paper's own board. */
final class TaskReasons {
  /** A statement of the paper. */
  static final String LESS_WITH_WORK =
      "the more work a page is, the less is gained: query 14, 6, 1, similarity join";

  /** Another one, of section 5. */
  static final String OVER_BASELINE = "hand-coded filters are better than the host alone";

  /** Another one, of section 6.3. */
  static final String OVER_STATIC =
      "hand-coded filters are better than the device doing all pages, or 0.9 of them";

  /** By id, or text. */
  static final Map<String, String> KNOWN =
      Map.of(
          LESS_WITH_WORK,
          "The text says that a page of the join is more work than one of query 1, table 2 that it"
              + " is less (0.93 and 1.08 of the I/O). The model goes by table 2: gain falls with"
              + " that ratio.",
          OVER_BASELINE,
          "By table 2 queries 6 and 14, which hardly do more than filter, take 0.4 of the I/O on"
              + " the host. A core so slow that dynamic placement gains 20 % needs some 12 times"
              + " as long: it filters a page in several times the time in which the page would"
              + " cross the link. Section 6.3 says so itself: static filters are ineffective as"
              + " the wimpy cores get overloaded.",
          OVER_STATIC,
          "A filter saves the device what it does not aggregate: much of query 1, next to nothing"
              + " of queries 6 and 14, where one row in fifty passes, and of the join. The host's"
              + " rest then comes on top.",
          "s3.dyn.q1",
          "One factor of the device's core is fitted to query 14, and query 1's own two figures ask"
              + " for a core 9 times slower than the host's.",
          "s3.dyn.q6",
          "One factor of the device's core is fitted to query 14, of which the host alone builds"
              + " the hash table; query 6's own two figures ask for a core 14.5 times slower than"
              + " the host's.",
          "s3.dyn.join",
          "One factor of the device's core is fitted to query 14, and the join's own two figures"
              + " ask for another one.",
          "s3.clocks.mean",
          "By its clock alone the core is 16 times slower than the host's; the gains ask for 9 to"
              + " 15.6 times.",
          "s3.16.mean",
          "The two fitted gains disagree: +20.3 % of query 14 needs flash of at least 1.2 times the"
              + " external bandwidth, and this one at most 1.14 times. The fit shares the error.",
          "s3.slack",
          "The rule as printed, with the paper's own numbers, gives 0.03; 0.98 without the number"
              + " of channels. An error of the paper's.",
          "s3.16.q1",
          "With 16 times the power the device does all pages, and a query takes as long as reading"
              + " inside the device: then the gain of query 1 follows from the mean gain and table"
              + " 2, and is 137 % for the published mean.");

  private TaskReasons() {}
}
