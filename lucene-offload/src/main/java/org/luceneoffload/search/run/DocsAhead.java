/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.util.ArrayDeque;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceSession;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.session.StagedPlan;
import org.luceneoffload.search.session.StagedPlans;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.PlanRequest;
import org.luceneoffload.wire.plan.ResultReader;

/**
 * Matches of a segment that are asked for ahead of their turn, of a device that takes several plans
 * in one exchange: each for a window of docs whose matches have room on a page, or probably have.
 * Where a page ends before its window does, a gap is left, which is asked for in its turn.
 */
final class DocsAhead {
  /** A page is so small a part of the largest: the first is sent while the others are made. */
  private static final int PAGE_PART = 4;

  /** So many times the matches that are expected in a window have room on its page. */
  private static final int ROOM = 2;

  /** The page of a window. */
  static final class Page {
    private final int from;
    private final boolean scored;
    private StagedPlan plan;
    private int next;
    private int count;
    private int[] docs;
    private float[] scores;

    Page(int from, boolean scored) {
      this.from = from;
      this.scored = scored;
    }

    private void take(ResultReader page, DeviceSession session) throws OffloadException {
      int[] taken = new int[page.entryCount()];
      page.docs(session::copyAscending, taken);
      if (scored) {
        scores = new float[taken.length];
        page.scores(scores);
      }
      docs = taken;
      count = taken.length;
      next = page.nextDoc();
    }

    int next() {
      return next;
    }

    int count() {
      return count;
    }

    int[] docs() {
      return docs;
    }

    /** Returns the scores; null if they were not asked for. */
    float[] scores() {
      return scores;
    }
  }

  private final OffloadContext offload;
  private final LeafPlan plan;
  private final boolean scored;
  private final int mostStaged;
  private final int pageBytes;
  private final int pageDocs;
  private final ArrayDeque<Page> pages = new ArrayDeque<>(); // ascending; those to come
  private int liveDocs; // that they were asked for with

  private DocsAhead(OffloadContext offload, LeafPlan plan, boolean scored) {
    this.offload = offload;
    this.plan = plan;
    this.scored = scored;
    Device device = plan.handle().device();
    this.mostStaged = device.mostStaged();
    this.pageBytes = device.info().maxResultBytes() / PAGE_PART;
    this.pageDocs = DocStream.docsIn(pageBytes, scored);
  }

  /** Returns the docs ahead of a plan; null for a device that gains nothing by them. */
  static DocsAhead of(OffloadContext offload, LeafPlan plan, boolean scored) {
    DocsAhead ahead = new DocsAhead(offload, plan, scored);
    return ahead.mostStaged > PAGE_PART && ahead.pageDocs > 0 ? ahead : null;
  }

  private int mode() {
    return scored ? OffloadWire.Mode.SCORED_DOCS : OffloadWire.Mode.DOCS;
  }

  /**
   * Asks for the matches from {@code minDoc} to the limit, or for the first of them, if they are
   * likely to be more than one page has room for.
   *
   * @param singleBytes of the page that would be asked for in its place
   */
  void ask(int minDoc, int limitDoc, int liveDocsResource, int singleBytes) {
    long docs = limitDoc - minDoc;
    long expected = Math.min(plan.cost(), docs);
    if (!pages.isEmpty()
        || singleBytes < pageBytes
        || expected <= DocStream.docsIn(singleBytes, scored)) {
      return;
    }
    long window = Math.max(pageDocs, pageDocs * docs / expected / ROOM);
    StagedPlans staged = docs > window ? offload.stagedPlans(0) : null;
    if (staged == null) {
      return;
    }
    liveDocs = liveDocsResource;
    long from = minDoc;
    for (int i = 0; i < mostStaged && from < limitDoc; i++, from += window) {
      Page page = new Page((int) from, scored);
      int limit = (int) Math.min(limitDoc, from + window);
      PlanRequest request = PlanRequest.of(mode(), page.from, limit, pageBytes);
      request.liveDocs = liveDocsResource;
      page.plan = staged.addWindow(plan, request, page::take);
      if (page.plan == null) {
        break;
      }
      pages.add(page);
    }
    staged.run();
  }

  /**
   * Returns the page that says of a doc whether it matches.
   *
   * @return null if there is none
   * @throws OffloadException if the plan of the doc's window was run, and failed
   */
  Page take(int doc, int liveDocsResource) throws OffloadException {
    if (liveDocsResource != liveDocs) {
      pages.clear();
    }
    while (!pages.isEmpty() && pages.getFirst().from <= doc) {
      Page page = pages.removeFirst();
      if (page.plan.isAnswered() && doc < page.next) {
        return page;
      }
    }
    return null;
  }

  /** Returns where the pages to come begin; the limit if there are none. */
  int begin(int limitDoc) {
    return pages.isEmpty() ? limitDoc : Math.min(limitDoc, pages.getFirst().from);
  }
}
