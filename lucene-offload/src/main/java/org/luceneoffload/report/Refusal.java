/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.report;

import org.apache.lucene.index.LeafReaderContext;

/**
 * The reason why a query, or a segment of it, runs on the host.
 *
 * @param reason the kind of reason
 * @param detail the part of the query, field or segment that it is about; in plan explanations and
 *     strict mode with the words of the query, else without
 */
public record Refusal(Reason reason, String detail) {
  /** Kinds of reasons. */
  public enum Reason {
    /** A part of the query is of a kind that plans cannot express. */
    UNSUPPORTED_QUERY("plans cannot express this query"),
    /** Scores are needed, and plans cannot express those of the field's similarity. */
    SIMILARITY("plans cannot express the scores of the similarity"),
    /** The statistics give no usable weight. */
    STATISTICS("the statistics give no usable weight"),
    /** The plan exceeds a limit of the wire or of the device. */
    PLAN_LIMIT("the plan exceeds a limit"),
    /** The segment was not written through the offload codec, or is hidden behind a wrapper. */
    NO_IMAGE("the segment has no posting image"),
    /** The positions of the field are not on the device: phrases need them. */
    NO_POSITIONS("the positions of the field are not on the device"),
    /**
     * A document may have several terms of a phrase where it begins at one position, and scores are
     * needed.
     */
    EQUAL_POSITIONS("a document may have the first place of the phrase twice at one position"),
    /** The field has no column on the device. */
    NO_COLUMN("the values of the field are not on the device"),
    /** The posting image of the segment is missing or damaged. */
    IMAGE_UNUSABLE("the posting image cannot be used"),
    /** The lists of the plan are on several devices. */
    SEVERAL_DEVICES("the lists are on several devices"),
    /** The live docs of the segment are not in device memory. */
    LIVE_DOCS("the live docs are not on the device"),
    /** The device lacks the mode. */
    DEVICE_LACKS_MODE("the device lacks the mode"),
    /** The segment's part of the query refers to no posting list. */
    NO_LISTS("the plan refers to no posting list"),
    /** The application wants the host to answer. */
    PLACEMENT("the application chose the host"),
    /** The application's own policy says what its query cache keeps: clauses without scores. */
    QUERY_CACHE("the application's caching policy decides"),
    /** The device hangs, or fails again and again. */
    BREAKER_OPEN("the circuit breaker of the device is open"),
    /** The plans of others are on the device, and none ended in time. */
    DEVICE_BUSY("the device is busy with the plans of others"),
    /** The device was stopped over another segment: the query takes longer than its timeout. */
    TOOK_TOO_LONG("the query takes the device too long"),
    /** The planner expects the host to be faster. */
    PLANNER("the planner chose the host"),
    /** The index has no device. */
    NO_DEVICE("the index has no device");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** {@return one phrase for people} */
    public String text() {
      return text;
    }
  }

  private static final Refusal TOOK_TOO_LONG =
      new Refusal(Reason.TOOK_TOO_LONG, "it was stopped over another segment");

  /**
   * {@return the refusal of a segment whose reader has no identity to remember its live docs by}
   *
   * @param context the segment
   */
  public static Refusal noLiveDocs(LeafReaderContext context) {
    return new Refusal(
        Reason.LIVE_DOCS, "the reader of segment " + context.ord + " has no cache key of its own");
  }

  /**
   * {@return the refusal of the segments that are left of a query that took the device too long}
   */
  public static Refusal tookTooLong() {
    return TOOK_TOO_LONG;
  }

  /**
   * {@return whether this is an error in strict mode} That the host is the better place is none.
   */
  public boolean isTrouble() {
    return reason != Reason.NO_LISTS
        && reason != Reason.TOOK_TOO_LONG
        && reason != Reason.DEVICE_BUSY
        && !isChoice();
  }

  /** {@return whether the host was chosen although the device could have answered} */
  public boolean isChoice() {
    return reason == Reason.PLACEMENT || reason == Reason.PLANNER || reason == Reason.QUERY_CACHE;
  }

  @Override
  public String toString() {
    return reason.text() + ": " + detail;
  }
}
