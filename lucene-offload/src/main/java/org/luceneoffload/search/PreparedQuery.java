/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import org.apache.lucene.search.Query;
import org.luceneoffload.report.Refusal;

/**
 * A query as far as its search has prepared it: the rewritten form, and why stock has to answer it.
 * A collector that the search hands the query over to does nothing of that twice. For one thread.
 */
public final class PreparedQuery {
  private Query rewritten;
  private Query refused;
  private Refusal left;

  /** Nothing is known yet. */
  public PreparedQuery() {}

  /** Notes what the query was rewritten to, for scores. */
  public void setRewritten(Query query) {
    rewritten = query;
  }

  /** Notes which query plans cannot express; null if they can. */
  void setRefused(Query query) {
    refused = query;
    left = null;
  }

  /** Notes which query is left to stock, which is expected to be quicker, and why. */
  void setLeft(Query query, Refusal reason) {
    refused = query;
    left = reason;
  }

  /** Returns whether a query is the outcome of rewriting. */
  public boolean isRewritten(Query query) {
    return query == rewritten;
  }

  /** Returns whether a query is one for the host, as is known already. */
  public boolean isRefused(Query query) {
    return query == refused;
  }

  /** Returns whether a query is one that stock is expected to answer sooner, all of it. */
  public boolean isLeft(Query query) {
    return left != null && query == refused;
  }

  /** Returns why a query that {@link #isRefused} is left to stock; null if plans lack its kind. */
  Refusal left() {
    return left;
  }
}
