/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import org.apache.lucene.search.Query;

/**
 * What a search has found out of its query by the time that it hands it over to a collector, so
 * that nothing of it is done twice. For one thread.
 */
public final class Handover {
  private Query rewritten;
  private Query refused;
  private boolean leftToPoints;

  /** Nothing is known yet. */
  public Handover() {}

  /** Says what the query was rewritten to, for scores. */
  public void setRewritten(Query query) {
    rewritten = query;
  }

  /** Says which query plans cannot express; null if they can. */
  void setRefused(Query query) {
    refused = query;
    leftToPoints = false;
  }

  /** Says which query stock answers by points before it could be planned. */
  void setLeftToPoints(Query query) {
    refused = query;
    leftToPoints = true;
  }

  /** Returns whether a query is the outcome of rewriting. */
  public boolean isRewritten(Query query) {
    return query == rewritten;
  }

  /** Returns whether a query is one for the host, as is known already. */
  public boolean isRefused(Query query) {
    return query == refused;
  }

  /** Returns whether plans could express the query that {@link #isRefused}. */
  boolean isLeftToPoints() {
    return leftToPoints;
  }
}
