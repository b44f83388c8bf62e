/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.plan;

import java.nio.ByteBuffer;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ResultHeaderLayout;

/**
 * Checks a result page and gives access to it. Nothing of the page is trusted: what breaks a rule
 * of the wire is an {@link OffloadException} with status INTERNAL, since the device made it.
 */
public final class ResultReader {
  /** Copies doc IDs out of a page, as a session of a device does. */
  @FunctionalInterface
  public interface DocCopier {
    /** Copies {@code count} doc IDs from a byte on, and returns whether they ascend. */
    boolean copy(ByteBuffer page, int from, int count, int[] docs) throws OffloadException;
  }

  private ByteBuffer page;
  private int mode;
  private int minDoc;
  private int limitDoc;
  private int entryCount;

  /**
   * Takes a result page, from byte 0 to its limit, that answers a request.
   *
   * @throws OffloadException if its header breaks a rule
   */
  public void reset(ByteBuffer result, PlanRequest request) throws OffloadException {
    reset(result, request, entryBytes(request.mode));
  }

  /**
   * Takes a result page, from byte 0 to its limit, that answers a request.
   *
   * @param entryBytes bytes of an entry
   * @throws OffloadException if its header breaks a rule
   */
  public void reset(ByteBuffer result, PlanRequest request, int entryBytes)
      throws OffloadException {
    page = result;
    mode = request.mode;
    minDoc = request.minDoc;
    limitDoc = request.limitDoc;
    checkHead(result, request);
    int bytes = result.limit();
    entryCount = ResultHeaderLayout.entryCount(result, 0);
    long needed = ResultHeaderLayout.BYTES + (long) entryCount * entryBytes;
    boolean fits = entryCount >= 0 && needed == bytes;
    check(fits && (mode != OffloadWire.Mode.COUNT || entryCount == 0), "entry_count", entryCount);
    int next = nextDoc();
    check(next <= limitDoc && (next >= minDoc || next == limitDoc), "next_doc", next);
    check(more() ? next > minDoc && next < limitDoc : next == limitDoc, "next_doc", next);
    long matches = matchCount();
    check(matches >= entriesAreMatches() && matches <= OffloadWire.MAX_DOC, "match_count", matches);
    boolean best = mode == OffloadWire.Mode.TOP_K || mode == OffloadWire.Mode.TOP_K_BY_COLUMN;
    check(!best || entryCount <= request.k, "entry_count", entryCount);
  }

  /**
   * Takes a result page, from byte 0 to its limit, whose entries another reader has checked.
   *
   * @throws OffloadException if its head breaks a rule of every mode
   */
  public void resetHead(ByteBuffer result, PlanRequest request) throws OffloadException {
    checkHead(result, request);
    page = result;
    mode = request.mode;
    minDoc = request.minDoc;
    limitDoc = request.limitDoc;
    entryCount = ResultHeaderLayout.entryCount(result, 0);
  }

  /**
   * Checks what the head of a result page, from byte 0 to its limit, has in every mode.
   *
   * @throws OffloadException if it breaks a rule
   */
  public static void checkHead(ByteBuffer result, PlanRequest request) throws OffloadException {
    int bytes = result.limit();
    check(bytes >= ResultHeaderLayout.BYTES, "bytes of the page", bytes);
    int magic = ResultHeaderLayout.magic(result, 0);
    check(magic == OffloadWire.RESULT_MAGIC, "magic", magic);
    int version = ResultHeaderLayout.version(result, 0);
    check(version == OffloadWire.VERSION, "version", version);
    int gotMode = ResultHeaderLayout.mode(result, 0);
    check(gotMode == request.mode, "mode", gotMode);
    int total = ResultHeaderLayout.totalBytes(result, 0);
    check(total == bytes, "total_bytes", total);
  }

  private int entriesAreMatches() {
    return mode == OffloadWire.Mode.COUNT ? 0 : entryCount;
  }

  /** Returns the number of bytes of an entry in a mode; TOP_K_BY_COLUMN has no fixed number. */
  public static int entryBytes(int mode) {
    return switch (mode) {
      case OffloadWire.Mode.DOCS -> Integer.BYTES;
      case OffloadWire.Mode.SCORED_DOCS, OffloadWire.Mode.TOP_K -> Integer.BYTES + Float.BYTES;
      default -> 0;
    };
  }

  /** Returns the number of bytes of the page. */
  public int bytes() {
    return page.limit();
  }

  /** Returns the number of entries of the page. */
  public int entryCount() {
    return entryCount;
  }

  /** Returns the number of matches that the device counted. */
  public long matchCount() {
    return ResultHeaderLayout.matchCount(page, 0);
  }

  /** Returns whether {@link #matchCount()} is a lower bound. */
  public boolean lowerBound() {
    return (ResultHeaderLayout.flags(page, 0) & OffloadWire.ResultFlag.COUNT_LOWER_BOUND) != 0;
  }

  /** Returns whether the page is full and matches from {@link #nextDoc()} on remain. */
  public boolean more() {
    return (ResultHeaderLayout.flags(page, 0) & OffloadWire.ResultFlag.MORE) != 0;
  }

  /** Returns how the device found the matches; see {@link OffloadWire.Way}. */
  public int way() {
    return ResultHeaderLayout.flags(page, 0) >> OffloadWire.WAY_SHIFT;
  }

  /** Returns where the next page starts; the request's {@code limitDoc} at the end. */
  public int nextDoc() {
    return ResultHeaderLayout.nextDoc(page, 0);
  }

  /** Returns the number of posting pages that the device visited. */
  public long pagesRead() {
    return unsigned(ResultHeaderLayout.pagesRead(page, 0));
  }

  /**
   * Returns the number of pages of longer lists, and of columns that filter, that the device did
   * not have to read.
   */
  public long pagesSkipped() {
    return unsigned(ResultHeaderLayout.pagesSkipped(page, 0));
  }

  /** Returns the number of posting blocks that the device decoded. */
  public long blocksDecoded() {
    return unsigned(ResultHeaderLayout.blocksDecoded(page, 0));
  }

  /** Returns the number of posting blocks that the device stepped over. */
  public long blocksSkipped() {
    return unsigned(ResultHeaderLayout.blocksSkipped(page, 0));
  }

  /** Returns the number of postings that the device decoded. */
  public long postingsDecoded() {
    return ResultHeaderLayout.postingsDecoded(page, 0);
  }

  /** Returns the number of postings that the device scored. */
  public long docsScored() {
    return ResultHeaderLayout.docsScored(page, 0);
  }

  private static long unsigned(int value) {
    return Integer.toUnsignedLong(value);
  }

  /**
   * Copies the doc IDs of a DOCS or SCORED_DOCS page and checks that they ascend in the range.
   *
   * @param copier the session that the page comes from
   * @param dst at least {@link #entryCount()} long
   * @throws OffloadException if a doc ID is out of order or out of range
   */
  public void docs(DocCopier copier, int[] dst) throws OffloadException {
    if (entryCount == 0) {
      return;
    }
    boolean ascend = copier.copy(page, ResultHeaderLayout.BYTES, entryCount, dst);
    check(ascend, "doc ID (out of order), entries", entryCount);
    check(dst[0] >= minDoc, "doc ID", dst[0]);
    check(dst[entryCount - 1] < nextDoc(), "doc ID", dst[entryCount - 1]);
  }

  /**
   * Copies the scores of a SCORED_DOCS page.
   *
   * @param dst at least {@link #entryCount()} long
   * @throws OffloadException if a score is negative or no number
   */
  public void scores(float[] dst) throws OffloadException {
    page.slice(ResultHeaderLayout.BYTES + entryCount * Integer.BYTES, entryCount * Float.BYTES)
        .order(page.order())
        .asFloatBuffer()
        .get(dst, 0, entryCount);
    for (int i = 0; i < entryCount; i++) {
      if (!(dst[i] >= 0f)) {
        throw malformed("score", dst[i]);
      }
    }
  }

  /**
   * Copies the hits of a TOP_K page and checks their order: score descending, then doc ascending.
   *
   * @param docs at least {@link #entryCount()} long
   * @param scores at least {@link #entryCount()} long
   * @throws OffloadException if a hit is out of order or out of range
   */
  public void hits(int[] docs, float[] scores) throws OffloadException {
    int at = ResultHeaderLayout.BYTES;
    for (int i = 0; i < entryCount; i++, at += Integer.BYTES + Float.BYTES) {
      int doc = page.getInt(at);
      float score = page.getFloat(at + Integer.BYTES);
      check(doc >= minDoc && doc < limitDoc, "doc ID", doc);
      check(
          score >= 0f
              && (i == 0 || scores[i - 1] > score || (scores[i - 1] == score && docs[i - 1] < doc)),
          "doc ID (out of order)",
          doc);
      docs[i] = doc;
      scores[i] = score;
    }
  }

  /**
   * Checks something of a result page.
   *
   * @throws OffloadException with status INTERNAL if it does not hold
   */
  public static void check(boolean holds, String field, long got) throws OffloadException {
    if (!holds) {
      throw malformed(field, got);
    }
  }

  private static OffloadException malformed(String field, Object got) {
    return new OffloadException(
        OffloadWire.Status.INTERNAL, "malformed result page: " + field + " is " + got);
  }

  /**
   * Checks that matches were counted as far as a request for the best hits asks.
   *
   * @throws OffloadException if counting stopped before the threshold
   */
  public void checkCounted(PlanRequest request) throws OffloadException {
    // A plan that follows others counts on from what they have counted.
    boolean alone = (request.flags & OffloadWire.PlanFlag.FOLLOWS) == 0;
    if (alone && lowerBound() && matchCount() <= Integer.toUnsignedLong(request.countThreshold)) {
      throw new OffloadException(
          OffloadWire.Status.INTERNAL,
          "the device stopped counting at " + matchCount() + ", before the threshold");
    }
  }
}
