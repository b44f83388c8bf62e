/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.plan;

import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/**
 * The result to return of a plan: the header fields that change from one submission to the next.
 * Mutable, so that one object serves every page of a result.
 */
public final class PlanRequest {
  /** Bytes of the smallest result page that a device accepts: room for one entry of any mode. */
  public static final int MIN_RESULT_BYTES = ResultHeaderLayout.BYTES + 8;

  /** The kind of result, a value of {@link OffloadWire.Mode}. */
  public int mode;

  /** First doc ID that may match. */
  public int minDoc;

  /** Matches are below this; at most the plan's {@code maxDoc}. */
  public int limitDoc;

  /** Hits wanted; TOP_K and TOP_K_BY_COLUMN only. */
  public int k;

  /** TOP_K and TOP_K_BY_COLUMN: matches to count exactly before pruning may set in. */
  public int countThreshold = OffloadWire.EXACT_COUNT;

  /** Resource of the live docs; 0: all docs are live. */
  public int liveDocs;

  /**
   * Resources of the plan's DOC_SETs and COMBINEDs, in the order of their nodes; may be null
   * without any.
   */
  public int[] resources;

  /** Bytes of the largest result page that the host takes. */
  public int maxResultBytes;

  /** A set of bits of {@link OffloadWire.PlanFlag}. */
  public int flags;

  /** With HAS_MIN_SCORE: hits must score more than this, or as much with MIN_SCORE_TIES. */
  public float minScore;

  /** With HAS_AFTER: hits come after this score and {@link #afterDoc}. */
  public float afterScore;

  /** With HAS_AFTER: doc ID in the segment; may be negative. */
  public int afterDoc;

  /** Returns a request for counting, doc IDs or scored doc IDs. */
  public static PlanRequest of(int mode, int minDoc, int limitDoc, int maxResultBytes) {
    PlanRequest request = new PlanRequest();
    request.mode = mode;
    request.minDoc = minDoc;
    request.limitDoc = limitDoc;
    request.maxResultBytes = maxResultBytes;
    return request;
  }

  /** Makes hits count only if they come after (score, doc). */
  public void after(float score, int doc) {
    flags |= OffloadWire.PlanFlag.HAS_AFTER;
    afterScore = score;
    afterDoc = doc;
  }

  /** Sets whether the plan goes on with the series of the session's plan before it. */
  public void follows(boolean so) {
    flags &= ~OffloadWire.PlanFlag.FOLLOWS;
    if (so) {
      flags |= OffloadWire.PlanFlag.FOLLOWS;
    }
  }

  /** Makes hits enter the top k only above a score, or at it with {@code ties}. */
  public void minScore(float score, boolean ties) {
    flags |= OffloadWire.PlanFlag.HAS_MIN_SCORE;
    flags &= ~OffloadWire.PlanFlag.MIN_SCORE_TIES;
    if (ties) {
      flags |= OffloadWire.PlanFlag.MIN_SCORE_TIES;
    }
    minScore = score;
  }
}
