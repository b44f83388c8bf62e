/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.util.Arrays;
import org.apache.lucene.search.ScoreDoc;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.session.DocArrays;
import org.luceneoffload.search.session.PlanRunner;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.ResultReader;

/**
 * The matches of a segment, a result page at a time. A page is copied out of the session at once,
 * so that no session is held while an application's collector runs.
 */
public final class DocStream {
  /** Docs that {@link #fetchAbove} gets at most. */
  static final int MAX_ABOVE = 1 << 10;

  /** With room for fewer hits in a page, most windows would be asked for in vain. */
  private static final int MIN_ABOVE = 1 << 7;

  /** Docs of the first window that is asked for what can compete, and how much the next grows. */
  private static final int MIN_WINDOW_DOCS = 1 << 13;

  private static final int WINDOW_GROWTH = 8;

  /** A page that was not enough is followed by one of so many times its bytes. */
  private static final int PAGE_GROWTH = 16;

  private static final long MASK = 0xFFFF_FFFFL;
  private static final int[] NO_DOCS = new int[0];
  private static final float[] NO_SCORES = new float[0];

  private final LeafPlan plan;
  private final PlanRunner runner;
  private final boolean scored;
  private final boolean strict;
  private final DocArrays arrays; // null: fresh arrays will do
  private final int mostPageBytes;
  private final int mostAbove; // hits that a result page of the device has room for
  private final DocsAhead ahead; // null: pages are asked for one by one
  private int pageBytes;
  private int windowDocs; // 0: none was asked for yet

  private int[] docs = NO_DOCS;
  private float[] scores = NO_SCORES;
  private int count;
  private int from;
  private int next;
  private int liveDocs;
  private long matches;
  private boolean lowerBound;

  /**
   * @param firstPageBytes bytes of the first result page; later ones grow, since a consumer that
   *     came back is likely to come back again
   * @param willDrop whether {@link #drop()} will be called, so that arrays can be acquired
   * @param takesAll whether the consumer is likely to want all matches, or all up to where it stops
   */
  public DocStream(
      OffloadContext offload,
      LeafPlan plan,
      PlanRunner runner,
      boolean scored,
      int firstPageBytes,
      boolean willDrop,
      boolean takesAll) {
    this.strict = offload.host.strict();
    this.arrays = willDrop ? runner.docArrays() : null;
    this.plan = plan;
    this.runner = runner;
    this.scored = scored;
    this.mostPageBytes = runner.maxResultBytes();
    this.mostAbove = Math.min(MAX_ABOVE, TopKSearch.hitsIn(mostPageBytes));
    this.pageBytes = Math.min(firstPageBytes, mostPageBytes);
    this.ahead = takesAll ? DocsAhead.of(offload, plan, scored) : null;
  }

  /** Returns the number of bytes of a result page with room for so many docs. */
  public static int pageBytes(int docs, boolean scored) {
    int mode = scored ? OffloadWire.Mode.SCORED_DOCS : OffloadWire.Mode.DOCS;
    return ResultHeaderLayout.BYTES + docs * ResultReader.entryBytes(mode);
  }

  /** Returns the number of docs that a result page has room for. */
  static int docsIn(int pageBytes, boolean scored) {
    int mode = scored ? OffloadWire.Mode.SCORED_DOCS : OffloadWire.Mode.DOCS;
    return (pageBytes - ResultHeaderLayout.BYTES) / ResultReader.entryBytes(mode);
  }

  /** Returns whether the page in hand says which docs match at {@code doc}, with this filter. */
  public boolean covers(int doc, int liveDocsResource) {
    return doc >= from && doc < next && liveDocs == liveDocsResource;
  }

  /** Gets the page that starts at {@code minDoc} and reaches as far as it can to the limit. */
  public void fetch(int minDoc, int limitDoc, int liveDocsResource, StopSignal stop)
      throws OffloadException {
    from = next = 0;
    if (!takeAhead(minDoc, limitDoc, liveDocsResource)) {
      int mode = scored ? OffloadWire.Mode.SCORED_DOCS : OffloadWire.Mode.DOCS;
      int limit = ahead == null ? limitDoc : ahead.begin(limitDoc);
      PlanRequest request = PlanRequest.of(mode, minDoc, limit, pageBytes);
      request.liveDocs = liveDocsResource;
      runner.run(plan, request, stop, strict, this::take);
    }
    from = minDoc;
    liveDocs = liveDocsResource;
    pageBytes = (int) Math.min(mostPageBytes, (long) pageBytes * PAGE_GROWTH);
  }

  /** Takes a page that was asked for ahead, if there is one, or can be; returns whether it did. */
  private boolean takeAhead(int minDoc, int limitDoc, int liveDocsResource)
      throws OffloadException {
    if (ahead == null) {
      return false;
    }
    DocsAhead.Page page = ahead.take(minDoc, liveDocsResource);
    if (page == null) {
      ahead.ask(minDoc, limitDoc, liveDocsResource, pageBytes);
      page = ahead.take(minDoc, liveDocsResource);
    }
    if (page == null) {
      return false;
    }
    release();
    docs = page.docs();
    scores = scored ? page.scores() : NO_SCORES;
    count = page.count();
    next = page.next();
    return true;
  }

  private void take(ResultReader page, DeviceSession session) throws OffloadException {
    count = page.entryCount();
    ensureRoom(count);
    page.docs(session::copyAscending, docs);
    if (scored) {
      page.scores(scores);
    }
    next = page.nextDoc();
  }

  /**
   * Gets a page as {@link #fetch} does, of which docs that score less than they need to compete may
   * be missing. They are asked for in windows that grow, since each window raises what the next has
   * to beat; if too many docs compete, those come that follow one another.
   *
   * @param least score that is needed; not positive: any will do
   */
  public void fetchCompeting(
      float least, int minDoc, int limitDoc, int liveDocsResource, StopSignal stop)
      throws OffloadException {
    if (windowDocs == 0) {
      windowDocs = Math.max(MIN_WINDOW_DOCS, limitDoc / WINDOW_GROWTH);
    }
    int end = (int) Math.min(limitDoc, (long) minDoc + windowDocs);
    if (least > 0f && fetchAbove(least, minDoc, end, liveDocsResource, stop)) {
      windowDocs = (int) Math.min(Integer.MAX_VALUE, (long) windowDocs * WINDOW_GROWTH);
    } else {
      fetch(minDoc, limitDoc, liveDocsResource, stop);
    }
  }

  /**
   * Gets the docs that score at least so much, from {@code minDoc} up to the limit.
   *
   * @return false if those are more than {@link #MAX_ABOVE}, or more than a page of the device has
   *     room for; there is no page in hand then
   */
  private boolean fetchAbove(
      float minScore, int minDoc, int limitDoc, int liveDocsResource, StopSignal stop)
      throws OffloadException {
    if (mostAbove < MIN_ABOVE) {
      return false;
    }
    int most = Math.min(mostAbove, limitDoc - minDoc);
    PlanRequest request =
        PlanRequest.of(
            OffloadWire.Mode.TOP_K, minDoc, limitDoc, (int) TopKSearch.resultBytes(most));
    request.k = most;
    request.countThreshold = 0;
    request.minScore(minScore, true);
    request.liveDocs = liveDocsResource;
    from = next = 0;
    runner.run(plan, request, stop, strict, this::takeRanked);
    if (count == most && most < limitDoc - minDoc) {
      count = 0;
      return false;
    }
    from = minDoc;
    next = limitDoc;
    liveDocs = liveDocsResource;
    return true;
  }

  /** Returns whether {@link #fetchBest} has room for so many hits. */
  public boolean hasRoomFor(int hits) {
    return hits <= TopKSearch.hitsIn(mostPageBytes);
  }

  /**
   * Gets the best docs of the whole segment, of which there must be room for as many, and counts
   * the matches.
   *
   * @param threshold matches to count exactly; Integer.MAX_VALUE: all
   * @param after docs have to come after this hit of the segment; null for the first ones
   * @param minScore docs that score less are not wanted; not positive: all are
   */
  public void fetchBest(
      int k,
      int threshold,
      ScoreDoc after,
      float minScore,
      int maxDoc,
      int liveDocsResource,
      StopSignal stop)
      throws OffloadException {
    PlanRequest request =
        PlanRequest.of(OffloadWire.Mode.TOP_K, 0, maxDoc, (int) TopKSearch.resultBytes(k));
    request.k = k;
    request.countThreshold = threshold == Integer.MAX_VALUE ? OffloadWire.EXACT_COUNT : threshold;
    request.liveDocs = liveDocsResource;
    if (after != null) {
      request.after(after.score, after.doc);
    }
    if (minScore > 0) {
      request.minScore(minScore, true);
    }
    from = next = 0;
    runner.run(
        plan,
        request,
        stop,
        strict,
        (page, session) -> {
          takeRanked(page, session);
          matches = page.matchCount();
          lowerBound = page.lowerBound();
          page.checkCounted(request);
        });
    next = maxDoc;
    liveDocs = liveDocsResource;
  }

  /** Returns the number of matches that {@link #fetchBest} counted. */
  public long matches() {
    return matches;
  }

  /** Returns whether there may be more matches than {@link #matches()}. */
  public boolean isLowerBound() {
    return lowerBound;
  }

  /** Takes hits over and puts them in the order of their docs. */
  private void takeRanked(ResultReader page, DeviceSession session) throws OffloadException {
    count = page.entryCount();
    ensureRoom(count);
    page.hits(docs, scores);
    long[] order = new long[count];
    for (int i = 0; i < count; i++) {
      order[i] = ((long) docs[i] << Integer.SIZE) | (Float.floatToRawIntBits(scores[i]) & MASK);
    }
    Arrays.sort(order);
    for (int i = 0; i < count; i++) {
      docs[i] = (int) (order[i] >>> Integer.SIZE);
      scores[i] = Float.intBitsToFloat((int) order[i]);
    }
  }

  private void ensureRoom(int needed) {
    if (docs.length < needed) {
      release();
      docs = isShared(needed, DocArrays.LENGTH) ? arrays.acquire() : new int[needed];
    }
    if (scored && scores.length < needed) {
      scores =
          isShared(needed, DocArrays.SCORES_LENGTH) ? arrays.acquireScores() : new float[needed];
    }
  }

  private boolean isShared(int needed, int length) {
    return arrays != null && needed >= DocArrays.MIN_DOCS && needed <= length;
  }

  private void release() {
    if (arrays != null) {
      // Those that are not shared are of other lengths, or as good.
      arrays.release(docs);
      arrays.release(scores);
    }
    docs = NO_DOCS;
    scores = NO_SCORES;
  }

  /**
   * Forgets the page in hand, and keeps no array: {@link #docs()} may not be used any more. The
   * next page can be fetched.
   */
  public void drop() {
    release();
    count = from = next = 0;
  }

  /** Returns the doc IDs of the page, ascending; {@link #count()} of them. */
  public int[] docs() {
    return docs;
  }

  /** Returns the scores of the page, if the stream is scored. */
  public float[] scores() {
    return scores;
  }

  /** Returns the number of docs of the page. */
  public int count() {
    return count;
  }

  /** Returns where the page ends: it says nothing of this doc and those after it. */
  public int next() {
    return next;
  }

  /**
   * Returns the index of the first doc of the page that is not below {@code target}, searching from
   * one, near which it is found soonest.
   */
  public int indexOf(int target, int fromIndex) {
    int low = fromIndex;
    int high = fromIndex;
    for (int step = 1; high < count && docs[high] < target; step <<= 1) {
      low = high + 1;
      high += step;
    }
    high = Math.min(high, count);
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (docs[middle] < target) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
