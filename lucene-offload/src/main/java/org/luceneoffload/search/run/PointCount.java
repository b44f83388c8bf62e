/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.IOException;
import org.apache.lucene.search.Query;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.search.plan.PointLead;

/** Counts the matches of few values of one field by their points, as stock does. */
public final class PointCount {
  public static final Refusal BY_POINTS =
      new Refusal(Refusal.Reason.PLANNER, "stock finds a few values by their points");

  private PointCount() {}

  /** Returns whether stock is expected to answer a rewritten query before a plan of it is made. */
  public static boolean isQuicker(OffloadContext offload, Query rewritten) throws IOException {
    return offload.weighsStock()
        && PointLead.answersAtOnce(rewritten, offload.host.searcher().getLeafContexts());
  }
}
