/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

import java.util.Map;

/** Why figures and statements are missed with the profile of the paper's own board. */
final class IndexReasons {
  /** A statement of the paper. */
  static final String MORE_DATA = "a page index reads slightly more data than a tree over the rows";

  private static final String NO_GAPS =
      "The keys of the table here have no gaps, so a page whose least and greatest key enclose part"
          + " of a range holds a row of it, and none is read in vain.";

  /** By id, or text. */
  static final Map<String, String> KNOWN =
      Map.of(
          "s4.hs.traffic",
          NO_GAPS
              + " The paper's figure also has the traffic of updating the tree on the host, 3 % in"
              + " all workloads; a scan has none.",
          MORE_DATA,
          NO_GAPS,
          "s4.hs.delete",
          "A delete costs here what a scan and its writes cost; what the paper's delete does"
              + " besides it does not say.",
          "s4.keys",
          "How many rows the second key matches is not given: here half.");

  private IndexReasons() {}
}
