/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.device;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/** A fault that a device could have, put into every n-th answer: the fuzzer has to find it. */
public final class Mutation {
  /** Kinds of faults. */
  public enum Kind {
    /** The lowest bit of one score is another. */
    SCORE_BIT,
    /** The last hit of a page is missing. */
    LOST_HIT,
    /** The page claims one match too many. */
    COUNT_PLUS_ONE,
    /** The page of an aggregation claims one match too many. */
    AGGREGATE_PLUS_ONE
  }

  private final Kind kind;
  private final long everyNth;
  private final AtomicLong answers = new AtomicLong();
  private final AtomicLong applied = new AtomicLong();
  private volatile boolean due;

  public Mutation(Kind kind, long everyNth) {
    this.kind = kind;
    this.everyNth = everyNth;
  }

  /** How many answers were falsified. */
  public long applied() {
    return applied.get();
  }

  /**
   * Falsifies a result page in place: the n-th one, or the next that can have the fault.
   *
   * @param docs how many docs the page's plan is about: one that claims more matches is refused,
   *     and the host answers as it should
   */
  public ByteBuffer apply(ByteBuffer page, int docs) {
    if (page.isReadOnly() || (answers.incrementAndGet() % everyNth != 0 && !due)) {
      return page;
    }
    boolean done =
        switch (kind) {
          case SCORE_BIT -> scoreBit(page);
          case LOST_HIT -> lostHit(page);
          case COUNT_PLUS_ONE ->
              plusOne(page, OffloadWire.Mode.COUNT, docs)
                  || plusOne(page, OffloadWire.Mode.TOP_K, docs);
          case AGGREGATE_PLUS_ONE -> plusOne(page, OffloadWire.Mode.AGGREGATE, docs);
        };
    due = !done;
    if (done) {
      applied.incrementAndGet();
    }
    return page;
  }

  private static boolean scoreBit(ByteBuffer page) {
    int entries = ResultHeaderLayout.entryCount(page, 0);
    int mode = ResultHeaderLayout.mode(page, 0);
    if (entries == 0) {
      return false;
    }
    // The last score: hits stay in order if it gets smaller.
    int at;
    if (mode == OffloadWire.Mode.TOP_K || mode == OffloadWire.Mode.SCORED_DOCS) {
      at = page.limit() - Float.BYTES;
    } else {
      return false;
    }
    int bits = page.getInt(at);
    if (bits <= 0) {
      return false;
    }
    page.putInt(at, bits - 1);
    return true;
  }

  private static boolean lostHit(ByteBuffer page) {
    int entries = ResultHeaderLayout.entryCount(page, 0);
    int mode = ResultHeaderLayout.mode(page, 0);
    int entryBytes =
        switch (mode) {
          case OffloadWire.Mode.TOP_K -> Integer.BYTES + Float.BYTES;
          case OffloadWire.Mode.DOCS -> Integer.BYTES;
          default -> 0; // columns: the last doc is not at the end
        };
    if (entries == 0 || entryBytes == 0) {
      return false;
    }
    page.limit(page.limit() - entryBytes);
    ResultHeaderLayout.entryCount(page, 0, entries - 1);
    ResultHeaderLayout.totalBytes(page, 0, page.limit());
    return true;
  }

  private static boolean plusOne(ByteBuffer page, int mode, int docs) {
    long matches = ResultHeaderLayout.matchCount(page, 0);
    if (ResultHeaderLayout.mode(page, 0) != mode || matches >= docs) {
      return false;
    }
    ResultHeaderLayout.matchCount(page, 0, matches + 1);
    return true;
  }
}
