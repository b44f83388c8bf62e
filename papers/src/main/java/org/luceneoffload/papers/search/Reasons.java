/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.search;

import java.util.Map;

/** Why figures and statements are missed with the profile of the paper's own drive. */
final class Reasons {
  private static final String FIXED =
      "At 1 MB the host's fixed time of a query outweighs what grows with the lists: the paper gives"
          + " 8 ms of CPU for one query of 2 MB only, and the model takes nearly all of it as fixed,"
          + " because the rises with the ratio and the power of the means leave no room for a part"
          + " that grows with the pages.";

  /** By the ID of a figure or the text of a statement. */
  static final Map<String, String> KNOWN =
      Map.of(
          "it gains more with longer lists",
          FIXED,
          "ranked union loses at every list size",
          FIXED,
          "real.intersection.energy",
          "The paper's two rows of intersection disagree: 204 mJ in 97 ms are 2.1 W on the device, 183"
              + " mJ in 96 ms of the ranked row are 1.9 W, and the mean gains in energy over list size"
              + " and number of lists need 1.8 W to 2.1 W. One power cannot give all of them.");

  private Reasons() {}
}
