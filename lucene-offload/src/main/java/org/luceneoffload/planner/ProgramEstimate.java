/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.planner;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.luceneoffload.report.PlanExplanation.LeafEstimate;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.ModelWork;
import org.luceneoffload.wire.layout.ResultHeaderLayout;
import org.luceneoffload.wire.sort.SortPart;

/**
 * Estimates the programs of this project: compressed pages, blocks of 128 postings, skipping by
 * page index and block directory, pruning by impacts. The host is taken to run the same program on
 * pages that it reads from the drive, which is what the timing model plays as its side.
 *
 * <p>A list that leads is read from end to end; one that is only asked about candidates is read
 * where these fall, and they are taken to be spread at random. The best hits of a disjunction come
 * out of all its lists but the longest, which adds little more than it takes to fill the heap.
 */
public final class ProgramEstimate {
  private static final double BLOCK = OffloadWire.BLOCK_POSTINGS;
  private static final double WORD_DOCS = 64;

  /** Blocks are bitmaps if these take no more than 12 bits a posting. */
  private static final double BITMAP_GAP = 12;

  /** Lists share more docs than chance gives: what a further list leaves, to this power. */
  private static final double ALIKE = 0.85;

  /** Postings of the longest list that are scored, or of the only one, before bounds prune. */
  private static final double SCORED_FIRST = 1200;

  private static final double SCORED_ALONE = 2500;

  private static final double FAR_LONGER = 8;

  /** A disjunction of fewer postings is counted and ranked at once. */
  private static final double ONE_PASS = 4000;

  private static final double SEARCH_STEPS = 8;
  private static final int SCORE_VALUES = 2; // freq and norm
  private static final double SCORE_BYTES = 2;
  private static final double LINE_BYTES = 64;
  private static final double PAGE_OPEN_BYTES = 128;
  private static final double BLOCK_ENTRY_BYTES = 32;

  private final ProgramRequest request;
  private final double maxDoc;
  private final boolean scored;
  private final ExpectedWork work = new ExpectedWork();
  private double bytes;

  private ProgramEstimate(ProgramRequest request) {
    this.request = request;
    maxDoc = Math.max(1, request.maxDoc());
    scored =
        request.mode() == OffloadWire.Mode.TOP_K || request.mode() == OffloadWire.Mode.SCORED_DOCS;
  }

  /** Returns the expected time of a plan on either side. */
  public static LeafEstimate of(CostModel costs, ProgramNode root, ProgramRequest request) {
    ExpectedWork work = work(root, request);
    return costs.estimate(work, work);
  }

  static ExpectedWork work(ProgramNode root, ProgramRequest request) {
    return new ProgramEstimate(request).run(root);
  }

  private ExpectedWork run(ProgramNode root) {
    double matches = matches(root);
    lead(root, true);
    double entries =
        switch (request.mode()) {
          case OffloadWire.Mode.COUNT, OffloadWire.Mode.AGGREGATE -> 0;
          case OffloadWire.Mode.TOP_K, OffloadWire.Mode.TOP_K_BY_COLUMN ->
              Math.min(request.k(), matches);
          default -> matches;
        };
    boolean sorted = request.mode() == OffloadWire.Mode.TOP_K_BY_COLUMN;
    boolean ranked = sorted || request.mode() == OffloadWire.Mode.TOP_K;
    double taken = ranked && entries >= 1 ? entries * (1 + Math.log(matches / entries)) : entries;
    work.add(ModelWork.RESULT_TAKE, taken);
    double entryBytes = scored ? Long.BYTES : Integer.BYTES;
    if (sorted) {
      sort(matches, taken);
      entryBytes = SortPart.entryBytes(Math.max(1, request.columnPages().size()));
    } else {
      aggregate(matches);
    }
    work.sentBytes = ResultHeaderLayout.BYTES + entries * entryBytes;
    work.openedBytes = request.planBytes();
    work.loadBytes = OffloadWire.PAGE_BYTES;
    bytes += work.sentBytes + work.loads * OffloadWire.PAGE_BYTES;
    work.add(ModelWork.DRAM_LINE, bytes / LINE_BYTES);
    return work;
  }

  /**
   * Adds the work of sorting: the first key of every match is compared, and further keys of those
   * that are taken.
   */
  private void sort(double matches, double taken) {
    work.add(ModelWork.KEY_COMPARE, matches);
    double compared = matches;
    for (int pages : request.columnPages()) {
      readColumn(pages, compared);
      compared = taken;
    }
  }

  private void aggregate(double matches) {
    for (int pages : request.columnPages()) {
      readColumn(pages, matches);
      work.add(ModelWork.COLUMN_VALUE, matches);
      work.add(ModelWork.AGGREGATE_VALUE, matches);
    }
  }

  /** Adds reads of the pages that hold values of so many docs. */
  private void readColumn(int all, double docs) {
    double pages = touched(all, docs);
    read(pages, all == 0 ? 0 : pages * pages / all, 0);
  }

  // ---- how many docs match

  private double matches(ProgramNode node) {
    return switch (node.op()) {
      case OffloadWire.Op.TERM, OffloadWire.Op.COLUMN_RANGE -> node.postings();
      case OffloadWire.Op.ALL -> maxDoc;
      case OffloadWire.Op.CONST -> matches(node.children().get(0));
      case OffloadWire.Op.BOOL -> boolMatches(node);
      default -> 0;
    };
  }

  private double boolMatches(ProgramNode bool) {
    double docs = maxDoc;
    double none = 1;
    double left = 1;
    boolean optional = false;
    for (ProgramNode child : bool.children()) {
      double part = Math.min(1, matches(child) / maxDoc);
      if (child.isProhibited()) {
        left *= 1 - part;
      } else if (child.isOptional()) {
        none *= 1 - part;
        optional = true;
      }
    }
    List<ProgramNode> required = required(bool);
    for (int i = 0; i < required.size(); i++) {
      docs *= kept(required.get(i), i == 0);
    }
    boolean oneAtLeast = bool.minShould() > 0 || required.isEmpty();
    return docs * left * (optional && oneAtLeast ? 1 - none : 1);
  }

  /** Returns the share of docs that a required clause leaves. */
  private double kept(ProgramNode node, boolean first) {
    double part = Math.min(1, matches(node) / maxDoc);
    return first ? part : Math.pow(part, ALIKE);
  }

  /** Returns the required children, that with the fewest matches first. */
  private List<ProgramNode> required(ProgramNode bool) {
    List<ProgramNode> required = new ArrayList<>();
    for (ProgramNode child : bool.children()) {
      if (child.isRequired()) {
        required.add(child);
      }
    }
    required.sort(Comparator.comparingDouble(this::matches));
    return required;
  }

  private boolean isDense(ProgramNode term) {
    return term.postings() * BITMAP_GAP >= maxDoc;
  }

  // ---- reading

  /** Adds the work of listing the node's matches. */
  private void lead(ProgramNode node, boolean root) {
    switch (node.op()) {
      case OffloadWire.Op.TERM -> {
        if (root && scored) {
          rankLoneTerm(node);
        } else {
          leadTerm(node);
        }
      }
      case OffloadWire.Op.COLUMN_RANGE -> leadColumn(node);
      case OffloadWire.Op.CONST -> lead(node.children().get(0), false);
      case OffloadWire.Op.BOOL -> leadBool(node, root);
      default -> {}
    }
  }

  private void leadTerm(ProgramNode term) {
    read(term.pages(), term.pages(), Math.ceil(term.postings() / BLOCK));
    if (isDense(term)) {
      bitmap(maxDoc / WORD_DOCS);
    } else {
      decode(term, term.postings());
    }
  }

  /** Adds the work of comparing every value, 64 docs at a time. */
  private void leadColumn(ProgramNode column) {
    read(column.pages(), column.pages(), 0);
    bitmap(maxDoc / WORD_DOCS);
  }

  private void read(double pages, double ordered, double blocks) {
    work.loads += pages;
    work.inOrder += ordered;
    work.ahead += ordered;
    work.longestChain = Math.max(work.longestChain, ordered);
    work.add(ModelWork.PAGE_OPEN, pages);
    work.add(ModelWork.BLOCK_OPEN, blocks);
    bytes += pages * PAGE_OPEN_BYTES + blocks * BLOCK_ENTRY_BYTES;
  }

  private void decode(ProgramNode term, double postings) {
    double gap = Math.max(1, maxDoc / Math.max(1, term.postings()));
    work.add(ModelWork.POSTING_DECODE, postings);
    bytes += postings * (2 + Math.log(gap) / Math.log(2)) / Byte.SIZE;
  }

  private void bitmap(double words) {
    work.add(ModelWork.BITMAP_WORD, words);
    bytes += words * Long.BYTES;
  }

  private void score(double postings) {
    work.add(ModelWork.POSTING_SCORE, postings);
    work.add(ModelWork.POSTING_DECODE, SCORE_VALUES * postings);
    bytes += postings * SCORE_BYTES;
  }

  /** Adds the work of ranking the only list that scores; returns how many postings bounds leave. */
  private double rankLoneTerm(ProgramNode term) {
    double ranked = prunes() ? Math.min(term.postings(), SCORED_ALONE) : term.postings();
    if (stopsCounting()) {
      double blocks = Math.ceil(term.postings() / BLOCK);
      read(term.pages(), term.pages(), Math.min(blocks, 2 * ranked / BLOCK));
      decode(term, ranked);
    } else {
      leadTerm(term);
    }
    score(ranked);
    return stopsCounting() ? ranked : term.postings();
  }

  private boolean prunes() {
    return request.mode() == OffloadWire.Mode.TOP_K;
  }

  private boolean stopsCounting() {
    return prunes() && request.threshold() < Integer.MAX_VALUE;
  }

  private void leadBool(ProgramNode bool, boolean root) {
    List<ProgramNode> required = required(bool);
    double candidates;
    if (required.isEmpty()) {
      candidates = union(bool, root);
    } else {
      candidates = conjunction(bool, required, root);
    }
    for (ProgramNode child : bool.children()) {
      if (child.isProhibited()) {
        probe(child, candidates);
      }
    }
  }

  private double conjunction(ProgramNode bool, List<ProgramNode> required, boolean root) {
    ProgramNode first = required.get(0);
    boolean ranks = root && scored;
    boolean lone = required.size() == 1 && optional(bool).isEmpty();
    if (ranks && lone && first.op() == OffloadWire.Op.TERM) {
      return rankLoneTerm(first);
    }
    lead(first, false);
    double left = matches(first);
    for (int i = 1; i < required.size(); i++) {
      probe(required.get(i), left);
      left *= kept(required.get(i), false);
    }
    if (ranks) {
      score(left * required.size());
      for (ProgramNode child : optional(bool)) {
        probe(child, left);
        score(left * Math.min(1, matches(child) / maxDoc));
      }
    }
    return left;
  }

  private static List<ProgramNode> optional(ProgramNode bool) {
    return bool.children().stream().filter(ProgramNode::isOptional).toList();
  }

  private double union(ProgramNode bool, boolean root) {
    List<ProgramNode> clauses = optional(bool);
    if (root && scored) {
      return rankUnion(bool, clauses);
    }
    clauses.forEach(clause -> lead(clause, false));
    mergeBits(clauses);
    double matches = matches(bool);
    if (request.mode() == OffloadWire.Mode.DOCS) {
      work.add(ModelWork.POSTING_DECODE, matches);
    }
    return matches;
  }

  /** Bounds prune a disjunction of terms; of others everything is scored. */
  private double rankUnion(ProgramNode bool, List<ProgramNode> clauses) {
    double sum = clauses.stream().mapToDouble(this::matches).sum();
    double most = clauses.stream().mapToDouble(this::matches).max().orElse(0);
    double least = clauses.stream().mapToDouble(this::matches).min().orElse(0);
    boolean terms = clauses.stream().allMatch(clause -> clause.op() == OffloadWire.Op.TERM);
    if (!prunes() || !terms || bool.minShould() > 1 || sum <= ONE_PASS) {
      clauses.forEach(clause -> lead(clause, false));
      work.add(ModelWork.POSTING_SEARCH, 2 * sum);
      work.add(ModelWork.BITMAP_WORD, terms ? 0 : 2 * sum);
      score(sum);
      return matches(bool);
    }
    // Lists that hardly add to a score: the longest, and what is far longer than the shortest.
    double ranked = 0;
    boolean longest = true;
    List<ProgramNode> lookedUp = new ArrayList<>();
    for (ProgramNode clause : clauses) {
      if ((longest && matches(clause) == most) || matches(clause) > FAR_LONGER * least) {
        longest &= matches(clause) < most;
        lookedUp.add(clause);
      } else {
        ranked += matches(clause);
        leadTerm(clause);
      }
    }
    ranked += Math.min(sum - ranked, SCORED_FIRST);
    for (ProgramNode clause : lookedUp) {
      if (stopsCounting()) {
        probe(clause, ranked);
      } else {
        leadTerm(clause);
      }
    }
    work.add(ModelWork.POSTING_SEARCH, Math.min(2 * sum, 3 * ranked));
    score(ranked);
    if (!stopsCounting()) {
      countBefore(clauses);
    }
    return stopsCounting() ? ranked : matches(bool);
  }

  /** Adds the work of turning docs into bits; those of bitmaps have been counted. */
  private void mergeBits(List<ProgramNode> clauses) {
    double bits = maxDoc / WORD_DOCS;
    for (ProgramNode clause : clauses) {
      bits += clause.op() == OffloadWire.Op.TERM && isDense(clause) ? 0 : matches(clause);
    }
    work.add(ModelWork.BITMAP_WORD, bits);
  }

  /**
   * Adds the work of counting all matches before the best are looked for: the lists are read twice.
   */
  private void countBefore(List<ProgramNode> terms) {
    mergeBits(terms);
    for (ProgramNode term : terms) {
      if (!isDense(term)) {
        work.add(ModelWork.BLOCK_OPEN, term.postings() / BLOCK);
        work.add(ModelWork.PAGE_OPEN, term.pages());
        decode(term, term.postings());
      }
    }
  }

  /** Looks candidates up. */
  private void probe(ProgramNode node, double candidates) {
    switch (node.op()) {
      case OffloadWire.Op.TERM -> probeTerm(node, candidates);
      case OffloadWire.Op.COLUMN_RANGE -> {
        readColumn(node.pages(), candidates);
        bitmap(Math.min(candidates, maxDoc / WORD_DOCS));
      }
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
    // Pages are asked for ahead as long as none is left out.
    double ordered = term.pages() == 0 ? 0 : pages * pages / term.pages();
    read(pages, ordered, opened);
    work.add(
        ModelWork.BLOCK_SKIP, Math.max(0, pages / Math.max(1, term.pages()) * blocks - opened));
    if (isDense(term)) {
      bitmap(Math.min(2 * candidates, 2 * maxDoc / WORD_DOCS));
      return;
    }
    decode(term, opened * Math.min(BLOCK, term.postings()));
    double merged = candidates + opened * BLOCK;
    work.add(ModelWork.POSTING_SEARCH, Math.min(candidates * SEARCH_STEPS, merged));
  }

  /** Returns the number of cells in which any of so many docs falls. */
  private static double touched(double cells, double docs) {
    return cells <= 0 ? 0 : cells * -Math.expm1(-docs / cells);
  }
}
