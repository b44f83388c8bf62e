/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.planner;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.ModelWork;

/**
 * Estimates the programs of this project: compressed pages, blocks of 128 postings, skipping by
 * page index and block directory, pruning by impacts. The host is taken to run the same program on
 * pages that it reads from the drive, which is what the timing model plays as its side.
 *
 * <p>A list that leads is read from end to end; one that is only asked about candidates is read
 * where these fall, and they are taken to be spread at random. Clauses are taken to be independent.
 */
public final class ProgramEstimate {
  private static final double BLOCK = OffloadWire.BLOCK_POSTINGS;
  private static final double LINE = 64;
  private static final double WORD = 64;
  private static final double PAGE_OPEN_BYTES = 128;
  private static final double BLOCK_ENTRY_BYTES = 32;
  private static final double SEARCH_STEPS = 8;
  private static final double GATHER_BYTES = 24;
  private static final double ENTRY_BYTES = 8;

  private final ProgramRequest request;
  private final boolean scored;
  private final ExpectedWork work = new ExpectedWork();
  private double bytes;
  private double loads;
  private double inOrder;

  private ProgramEstimate(ProgramRequest request) {
    this.request = request;
    scored =
        request.mode() == OffloadWire.Mode.TOP_K || request.mode() == OffloadWire.Mode.SCORED_DOCS;
  }

  /** What a plan takes on either side. */
  public static LeafEstimate of(CostModel costs, ProgramNode root, ProgramRequest request) {
    ExpectedWork work = new ProgramEstimate(request).run(root);
    return costs.estimate(work, work);
  }

  static ExpectedWork work(ProgramNode root, ProgramRequest request) {
    return new ProgramEstimate(request).run(root);
  }

  private ExpectedWork run(ProgramNode root) {
    double matches = matches(root);
    lead(root, 1);
    if (scored) {
      score(root, matches);
    }
    double taken =
        switch (request.mode()) {
          case OffloadWire.Mode.COUNT -> 0;
          case OffloadWire.Mode.TOP_K -> topHits(matches);
          default -> matches;
        };
    work.add(ModelWork.RESULT_TAKE, taken);
    work.sentBytes = OffloadWire.ResultHeader.BYTES + sentBytes(matches);
    work.openedBytes = request.planBytes();
    work.loads = loads;
    work.loadBytes = OffloadWire.PAGE_BYTES;
    work.inOrder = loads > 0 ? inOrder / loads : 1;
    work.ahead = work.inOrder;
    work.add(ModelWork.DRAM_LINE, (bytes + loads * OffloadWire.PAGE_BYTES) / LINE);
    return work;
  }

  private double topHits(double matches) {
    double k = Math.min(request.k(), matches);
    return k < 1 ? matches : k * (1 + Math.log(matches / k));
  }

  private double sentBytes(double matches) {
    return switch (request.mode()) {
      case OffloadWire.Mode.COUNT -> 0;
      case OffloadWire.Mode.TOP_K -> Math.min(request.k(), matches) * ENTRY_BYTES;
      case OffloadWire.Mode.SCORED_DOCS -> matches * ENTRY_BYTES;
      default -> matches * Integer.BYTES;
    };
  }

  // ---- how many docs match

  private double matches(ProgramNode node) {
    return switch (node.op()) {
      case OffloadWire.Op.TERM -> node.postings();
      case OffloadWire.Op.ALL -> request.maxDoc();
      case OffloadWire.Op.CONST -> matches(node.children().get(0));
      case OffloadWire.Op.BOOL -> request.maxDoc() * share(node);
      default -> 0;
    };
  }

  private double share(ProgramNode bool) {
    double share = 1;
    double none = 1;
    boolean required = false;
    boolean optional = false;
    for (ProgramNode child : bool.children()) {
      double part = matches(child) / Math.max(1, request.maxDoc());
      if (child.isRequired()) {
        share *= part;
        required = true;
      } else if (child.isProhibited()) {
        share *= 1 - part;
      } else {
        none *= 1 - part;
        optional = true;
      }
    }
    boolean oneAtLeast = bool.minShould() > 0 || !required;
    return optional && oneAtLeast ? share * (1 - none) : share;
  }

  // ---- reading

  /** The node's matches are listed. */
  private void lead(ProgramNode node, double part) {
    switch (node.op()) {
      case OffloadWire.Op.TERM -> leadTerm(node, part);
      case OffloadWire.Op.CONST -> lead(node.children().get(0), part);
      case OffloadWire.Op.BOOL -> leadBool(node, part);
      default -> {}
    }
  }

  private void leadTerm(ProgramNode term, double part) {
    read(term.pages() * part, term.pages() * part, term.postings() / BLOCK * part);
    decode(term, term.postings() * part);
  }

  private void read(double pages, double ordered, double blocks) {
    loads += pages;
    inOrder += ordered;
    work.add(ModelWork.PAGE_OPEN, pages);
    work.add(ModelWork.BLOCK_OPEN, blocks);
    bytes += pages * PAGE_OPEN_BYTES + blocks * BLOCK_ENTRY_BYTES;
  }

  private void decode(ProgramNode term, double postings) {
    double gap = Math.max(1, (double) request.maxDoc() / Math.max(1, term.postings()));
    work.add(ModelWork.POSTING_DECODE, postings);
    bytes += postings * (1 + Math.log(gap) / Math.log(2)) / Byte.SIZE;
  }

  private void leadBool(ProgramNode bool, double part) {
    List<ProgramNode> required = new ArrayList<>();
    for (ProgramNode child : bool.children()) {
      if (child.isRequired()) {
        required.add(child);
      }
    }
    double candidates;
    if (required.isEmpty()) {
      candidates = union(bool, part);
    } else {
      required.sort(Comparator.comparingDouble(this::matches));
      lead(required.get(0), part);
      candidates = matches(required.get(0)) * part;
      candidates = probeAll(required.subList(1, required.size()), candidates);
    }
    for (ProgramNode child : bool.children()) {
      if (child.isProhibited()) {
        probe(child, candidates);
      } else if (child.isOptional() && !required.isEmpty()) {
        probe(child, candidates);
      }
    }
  }

  private double union(ProgramNode bool, double part) {
    double all = 0;
    for (ProgramNode child : bool.children()) {
      if (child.isOptional()) {
        lead(child, part);
        all += matches(child) * part;
      }
    }
    work.add(ModelWork.BITMAP_WORD, all + request.maxDoc() / WORD);
    return matches(bool) * part;
  }

  private double probeAll(List<ProgramNode> nodes, double candidates) {
    double left = candidates;
    for (ProgramNode node : nodes) {
      probe(node, left);
      left *= matches(node) / Math.max(1, request.maxDoc());
    }
    return left;
  }

  /** Candidates are looked up. */
  private void probe(ProgramNode node, double candidates) {
    switch (node.op()) {
      case OffloadWire.Op.TERM -> probeTerm(node, candidates);
      case OffloadWire.Op.CONST, OffloadWire.Op.BOOL -> {
        for (ProgramNode child : node.children()) {
          probe(child, candidates);
        }
      }
      default -> {}
    }
  }

  private void probeTerm(ProgramNode term, double candidates) {
    double blocks = Math.ceil(term.postings() / BLOCK);
    double pages = touched(term.pages(), candidates);
    double opened = touched(blocks, candidates);
    double dense = term.pages() == 0 ? 0 : pages / term.pages();
    read(pages, pages * dense, opened);
    work.add(ModelWork.BLOCK_SKIP, Math.max(0, blocks * dense - opened));
    decode(term, opened * Math.min(BLOCK, term.postings()));
    double merged = candidates + opened * BLOCK;
    work.add(ModelWork.POSTING_SEARCH, Math.min(candidates * SEARCH_STEPS, merged));
  }

  /** Of some cells those in which any of so many docs falls. */
  private static double touched(double cells, double docs) {
    return cells <= 0 ? 0 : cells * -Math.expm1(-docs / cells);
  }

  // ---- scoring

  private void score(ProgramNode node, double docs) {
    if (node.op() == OffloadWire.Op.TERM) {
      double part = Math.min(1, matches(node) / Math.max(1, request.maxDoc()));
      double hits = node.isRequired() ? docs : Math.min(docs, node.postings());
      if (part <= 0) {
        return;
      }
      work.add(ModelWork.POSTING_SCORE, hits);
      work.add(ModelWork.POSTING_DECODE, 2 * hits);
      bytes += hits * GATHER_BYTES;
    } else if (node.op() == OffloadWire.Op.BOOL) {
      for (ProgramNode child : node.children()) {
        if (child.occur() == OffloadWire.Occur.MUST || child.isOptional()) {
          score(child, docs);
        }
      }
    }
  }
}
