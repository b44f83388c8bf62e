/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.IOSupplier;
import org.luceneoffload.device.DeviceSession.StopSignal;
import org.luceneoffload.search.plan.LeafPlan;
import org.luceneoffload.search.plan.node.ResourceLeaf;
import org.luceneoffload.search.plan.node.UnionLeaf;
import org.luceneoffload.search.set.DocSets;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.PlanRequest;

/**
 * Has the data that a plan refers to on the device while it runs: the norms of several fields as
 * one, and the sets of unions, whose docs it finds, in pieces, if need be.
 */
final class PlanResources {
  private final PlanRunner runner;
  private final DocSets sets;

  /**
   * @param sets of the runner's device
   */
  PlanResources(PlanRunner runner, DocSets sets) {
    this.runner = runner;
    this.sets = sets;
  }

  /**
   * Holds the data of a plan, for {@link #release}.
   *
   * @throws OffloadException if the device fails or has no room for one of them
   */
  List<DocSets.Held> hold(ResourceLeaf[] wanted, StopSignal stop, boolean strict)
      throws OffloadException {
    List<DocSets.Held> held = new ArrayList<>(wanted.length);
    boolean complete = false;
    try {
      for (ResourceLeaf one : wanted) {
        IOSupplier<FixedBitSet> maker =
            () -> one.bits((lists, docs) -> find(lists, docs, stop, strict));
        held.add(sets.hold(one.key(), one.core(), maker));
      }
      complete = true;
      return held;
    } catch (OffloadException e) {
      throw e;
    } catch (IOException e) {
      // Terms or norms of the segment cannot be read: stock meets that, too, and says so.
      throw new OffloadException(OffloadWire.Status.BUSY, "terms or norms of a plan: " + e, e);
    } finally {
      if (!complete) {
        release(held);
      }
    }
  }

  /** Lets data go. */
  void release(List<DocSets.Held> held) {
    held.forEach(sets::release);
  }

  /** Forgets some sets, one of which the device lacks. */
  void forget(List<DocSets.Held> held) {
    sets.forget(held);
  }

  /** Forgets all sets, as the device was started anew. */
  void forgetAll() {
    sets.forgetAll();
  }

  /** Returns the resources of the data, in their order. */
  static int[] resources(List<DocSets.Held> held) {
    return held.stream().mapToInt(DocSets.Held::resource).toArray();
  }

  private void find(UnionLeaf lists, FixedBitSet docs, StopSignal stop, boolean strict)
      throws OffloadException {
    LeafPlan plan = LeafPlan.ofLists(lists, docs.length());
    int next = 0;
    while (next < docs.length()) {
      next = page(plan, next, docs, stop, strict);
    }
  }

  /** Takes the docs of a result page; returns where the next one begins. */
  private int page(LeafPlan plan, int minDoc, FixedBitSet docs, StopSignal stop, boolean strict)
      throws OffloadException {
    PlanRequest request =
        PlanRequest.of(OffloadWire.Mode.DOCS, minDoc, docs.length(), runner.maxResultBytes());
    int[] next = {docs.length()};
    runner.run(
        plan,
        request,
        stop,
        strict,
        (page, session) -> {
          int[] found = new int[page.entryCount()];
          page.docs(session::copyAscending, found);
          for (int doc : found) {
            docs.set(doc);
          }
          next[0] = page.nextDoc();
        });
    return next[0];
  }
}
