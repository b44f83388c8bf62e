/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.plan;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.util.FixedBitSet;
import org.luceneoffload.codec.OffloadTermState;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.TermLists;
import org.luceneoffload.codec.column.DeviceColumn;
import org.luceneoffload.codec.column.PageBounds;
import org.luceneoffload.search.compile.ColumnFilter;
import org.luceneoffload.search.compile.PhraseTerms;
import org.luceneoffload.search.compile.PointFilter;
import org.luceneoffload.search.compile.QueryNode;
import org.luceneoffload.search.compile.TermUnion;
import org.luceneoffload.search.set.DocSetKey;
import org.luceneoffload.wire.FeatureTable;
import org.luceneoffload.wire.NormTable;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.ScoreTable;
import org.luceneoffload.wire.ScoringTable;

/**
 * A node of a segment's plan, with its subtree and what stock would estimate of it. {@link
 * LeafPlanner} builds the tree, {@link PlanLayout} numbers its parts; after that it does not
 * change.
 */
public abstract sealed class LeafNode {
  private static final LeafNode[] NO_CHILDREN = {};

  private final int op;
  private final float weight;
  private final LeafNode[] children;
  private final long cost;
  private final float maxScore;
  private int occur = OffloadWire.Occur.MUST;

  private LeafNode(int op, float weight, LeafNode[] children, long cost, float maxScore) {
    this.op = op;
    this.weight = weight;
    this.children = children;
    this.cost = cost;
    this.maxScore = maxScore;
  }

  /** Returns the operator, a value of {@link OffloadWire.Op}. */
  public final int op() {
    return op;
  }

  /**
   * Returns boost * idf of a term, SYNONYM or COMBINED, the greatest score of a TABLE_TERM or
   * FEATURE_TERM, the factor of a SYNONYM's or COMBINED's term, the score of a constant, the tie
   * breaker of a DIS_MAX, 0 of any other node.
   */
  public final float weight() {
    return weight;
  }

  /** Returns the children, in the order in which their scores are added; not to be changed. */
  public final LeafNode[] children() {
    return children;
  }

  /**
   * Returns the part that the node plays in its parent, a value of {@link OffloadWire.Occur}; of
   * the root: MUST.
   */
  public final int occur() {
    return occur;
  }

  /** Says which part the node plays in its parent, once that is known. */
  final void setOccur(int part) {
    occur = part;
  }

  /** Returns about the most docs that can match. */
  final long cost() {
    return cost;
  }

  /** Returns an upper bound of the scores. */
  final float maxScore() {
    return maxScore;
  }

  /** No doc, where stock has a supplier that finds nothing. */
  static final class None extends LeafNode {
    None() {
      super(OffloadWire.Op.NONE, 0f, NO_CHILDREN, 0, 0f);
    }
  }

  /** Every doc, at a constant score. */
  static final class All extends LeafNode {
    All(float score, int maxDoc) {
      super(OffloadWire.Op.ALL, score, NO_CHILDREN, maxDoc, score);
    }
  }

  /** The matches of a child, at a constant score. */
  static final class Constant extends LeafNode {
    Constant(float score, LeafNode child) {
      super(OffloadWire.Op.CONST, score, new LeafNode[] {child}, child.cost, score);
      child.setOccur(OffloadWire.Occur.MUST);
    }
  }

  /** Clauses. */
  public static final class Bool extends LeafNode {
    private final int minShould;

    Bool(LeafNode[] children, int minShould, long cost, float maxScore) {
      super(OffloadWire.Op.BOOL, 0f, children, cost, maxScore);
      this.minShould = minShould;
    }

    /** Returns the least number of SHOULD children that must match. */
    public int minShould() {
      return minShould;
    }
  }

  /** Optional children of which the greatest score counts, and a part of the others. */
  static final class DisMax extends LeafNode {
    /**
     * A node of optional children.
     *
     * @param tieBreaker the part of the others that counts
     */
    DisMax(LeafNode[] children, float tieBreaker, long cost, float maxScore) {
      super(OffloadWire.Op.DIS_MAX, tieBreaker, children, cost, maxScore);
    }
  }

  /** Terms that count as one. */
  static final class Synonym extends LeafNode {
    private final NormTable table;

    int tableIndex; // in the plan's tables, from PlanLayout

    /**
     * A node of terms.
     *
     * @param terms with factors of their frequencies as weights
     * @param table the norm table of all of them
     */
    Synonym(LeafNode[] terms, NormTable table, float weight, long cost) {
      super(OffloadWire.Op.SYNONYM, weight, terms, cost, weight);
      this.table = table;
    }

    /** Returns the norm table. */
    NormTable table() {
      return table;
    }
  }

  /** What is in pages of an image. */
  abstract static sealed class InPages extends LeafNode {
    private final SegmentImage image;

    private InPages(int op, float weight, long cost, SegmentImage image) {
      super(op, weight, NO_CHILDREN, cost, weight);
      this.image = image;
    }

    /** Returns the image that the pages are in. */
    final SegmentImage image() {
      return image;
    }

    /** Returns the page number, in the image, of the first page. */
    abstract int firstPage();

    /** Returns how many pages there are; 0 if it is in the plan itself. */
    abstract int pageCount();
  }

  /** The docs with a value of a column within a range, or within one of several. */
  public static final class Column extends InPages {
    private final ColumnFilter filter;
    private final DeviceColumn column;
    private final long[] ranges;
    private final PageBounds.Overlap overlap;

    // Numbers in the plan's tables, from PlanLayout.
    int columnIndex;
    int rangeIndex; // of the first

    /**
     * A node for COLUMN_RANGE, or for COLUMN_IN if there are several ranges.
     *
     * @param filter the clause
     * @param ranges lo and hi of each range, both included, ascending, without overlap; kept
     */
    Column(
        ColumnFilter filter,
        DeviceColumn column,
        long[] ranges,
        PageBounds.Overlap overlap,
        float score) {
      super(
          ranges.length == 2 ? OffloadWire.Op.COLUMN_RANGE : OffloadWire.Op.COLUMN_IN,
          score,
          Math.max(1, (long) overlap.docs()),
          column.image());
      this.filter = filter;
      this.column = column;
      this.ranges = ranges;
      this.overlap = overlap;
    }

    /** Returns the name of the field. */
    public String field() {
      return filter.field();
    }

    /** Returns the points by which stock may find the docs of the clause; null if it does not. */
    PointFilter points() {
      return filter.points();
    }

    /** Returns where the column is. */
    public DeviceColumn column() {
      return column;
    }

    /** Returns how many ranges there are. */
    public int rangeCount() {
      return ranges.length / 2;
    }

    /** Returns how many different values the ranges have; Long.MAX_VALUE if that is too many. */
    long valuesAsked() {
      long sum = 0;
      for (int i = 0; i < ranges.length; i += 2) {
        long width = ranges[i + 1] - ranges[i] + 1;
        if (width <= 0 || width > Integer.MAX_VALUE) {
          return Long.MAX_VALUE;
        }
        sum += width;
      }
      return sum;
    }

    /** Returns the least value of a range. */
    public long lo(int range) {
      return ranges[2 * range];
    }

    /** Returns the greatest value of a range. */
    public long hi(int range) {
      return ranges[2 * range + 1];
    }

    /** Returns how many pages may have a value in a range. */
    public int pagesInRange() {
      return overlap.pages();
    }

    /**
     * Returns how many pages the device has to read: where every doc has a value, those that lie in
     * one range as a whole are known to match.
     *
     * @param maxDoc docs of the segment
     */
    int pagesToRead(int maxDoc) {
      return column.docCount() == maxDoc ? overlap.partly() : overlap.pages();
    }

    @Override
    int firstPage() {
      return column.firstPage();
    }

    @Override
    public int pageCount() {
      return column.pageCount();
    }
  }

  /** The docs of a phrase. */
  public static final class Phrase extends LeafNode {
    private final QueryNode.PhraseNode node;
    private final int[] kept; // of the phrase's terms
    private final OffloadTermState[] lists; // of these
    private final SegmentImage image;

    // Numbers in the plan's tables, from PlanLayout.
    int listIndex; // of the first list; the positions of each follow it
    int tableIndex;
    final int[] firstExtents; // of each list, and of its positions
    final int[] extentCounts;

    /**
     * A node.
     *
     * @param kept which of the phrase's terms the segment has, at least one for each place; kept
     * @param lists where their lists are in the image; kept
     */
    Phrase(QueryNode.PhraseNode node, int[] kept, OffloadTermState[] lists, SegmentImage image) {
      super(
          opOf(node.phrase(), kept.length),
          node.weight(),
          NO_CHILDREN,
          fewest(node.phrase().slots(), kept, lists),
          node.weight());
      this.node = node;
      this.kept = kept;
      this.lists = lists;
      this.image = image;
      this.firstExtents = new int[2 * lists.length];
      this.extentCounts = new int[2 * lists.length];
    }

    /** PHRASE if there is one term for each place, none of which may move. */
    private static int opOf(PhraseTerms phrase, int terms) {
      if (phrase.near() != 0) {
        return phrase.near();
      }
      int places = phrase.slots()[phrase.slots().length - 1] + 1;
      return phrase.slop() == 0 && terms == places
          ? OffloadWire.Op.PHRASE
          : OffloadWire.Op.MULTI_PHRASE;
    }

    /** Postings of the place that has the fewest. */
    private static long fewest(int[] slots, int[] kept, OffloadTermState[] lists) {
      long[] sums = new long[slots[slots.length - 1] + 1];
      for (int i = 0; i < lists.length; i++) {
        sums[slots[kept[i]]] += lists[i].docFreq;
      }
      return Arrays.stream(sums).min().getAsLong();
    }

    /** Returns how many terms the phrase has in this segment. */
    public int termCount() {
      return lists.length;
    }

    /** Returns field and term of a term. */
    public org.apache.lucene.index.Term term(int i) {
      return node.phrase().terms().get(kept[i]);
    }

    /** Returns which place of the phrase a term stands at, from 0 on, ascending. */
    public int slot(int i) {
      return node.phrase().slots()[kept[i]];
    }

    /** Returns by how much terms may move, or the most gaps between them. */
    int slop() {
      return node.phrase().slop();
    }

    /** Returns what the plan says of a term's positions: {@link OffloadWire.PositionUse}. */
    int uses(int i) {
      boolean equal = !lists[i].hasOnePosition() && lists[i].hasEqualPositions();
      return (equal ? OffloadWire.PositionUse.EQUAL : 0)
          | (i > 0 && slot(i) == slot(i - 1) ? OffloadWire.PositionUse.ALTERNATIVE : 0)
          | (node.phrase().repeats()[kept[i]] ? OffloadWire.PositionUse.REPEAT : 0);
    }

    /** Returns where the list of a term is in the image, and its positions. */
    public OffloadTermState list(int i) {
      return lists[i];
    }

    /** Returns the pages that hold blocks of a term's list; 0 if it is in the plan itself. */
    public int listPages(int i) {
      return lists[i].isInline() ? 0 : lists[i].pageCount();
    }

    /** Returns the place of a term in the phrase. */
    int place(int i) {
      return node.phrase().places()[kept[i]];
    }

    /** Returns the page number, in the image, of the first page with positions of a term. */
    int firstPositionPage(int i) {
      return image.positionStart() + lists[i].positionPage();
    }

    SegmentImage image() {
      return image;
    }

    /** Returns the norm table; null if the score is not needed. */
    NormTable table() {
      return node.table();
    }
  }

  /** The docs of any of several lists, without scores. On the wire it is a BOOL of TERMs. */
  public static final class Union extends InPages {
    private final TermUnion union;
    private final TermLists lists;

    // Numbers in the plan's tables, from PlanLayout.
    int listIndex; // of the first list
    int firstExtent; // those that all lists share
    int extentCount;

    /**
     * A node.
     *
     * @param union what was asked for
     * @param lists at least one
     */
    Union(TermUnion union, TermLists lists, SegmentImage image) {
      super(
          lists.size() == 1 ? OffloadWire.Op.TERM : OffloadWire.Op.BOOL,
          0f,
          lists.postings(),
          image);
      this.union = union;
      this.lists = lists;
    }

    /** Returns what was asked for. */
    public String name() {
      return union.toString();
    }

    /** Returns the lists. */
    public TermLists lists() {
      return lists;
    }

    @Override
    int firstPage() {
      return lists.firstPage();
    }

    /** Returns the pages from the first of any list to the last of any list. */
    @Override
    int pageCount() {
      return lists.endPage() - lists.firstPage();
    }
  }

  /** A node that refers to data of a segment which the device keeps for queries to come. */
  public abstract static sealed class Kept extends LeafNode {
    private final DocSetKey key;

    int index; // among all of the plan, from PlanLayout

    private Kept(
        int op, float weight, LeafNode[] children, long cost, float maxScore, DocSetKey key) {
      super(op, weight, children, cost, maxScore);
      this.key = key;
    }

    /** Returns what names the data. */
    public final DocSetKey key() {
      return key;
    }

    /** Returns the segment, as long as it is open. */
    public abstract IndexReader.CacheHelper core();

    /** Returns how many pages of memory the data take. */
    public abstract int pages();
  }

  /** A term of several fields, which counts as one of one field. */
  public static final class Combined extends Kept {
    private final QueryNode.CombinedNode node;
    private final LeafReader reader;

    int tableIndex; // in the plan's tables, from PlanLayout

    /**
     * A node of terms.
     *
     * @param terms those that the segment has, with the fields' weights
     * @param reader of the segment
     */
    Combined(QueryNode.CombinedNode node, LeafNode[] terms, long cost, LeafReader reader) {
      super(
          OffloadWire.Op.COMBINED,
          node.weight(),
          terms,
          cost,
          node.weight(),
          new DocSetKey(reader.getCoreCacheHelper().getKey(), node.fields().anyTerm()));
      this.node = node;
      this.reader = reader;
    }

    /** Returns the norm table. */
    NormTable table() {
      return node.table();
    }

    @Override
    public IndexReader.CacheHelper core() {
      return reader.getCoreCacheHelper();
    }

    @Override
    public int pages() {
      return reader.maxDoc() / OffloadWire.PAGE_BYTES + 1;
    }

    /** Returns the norms of all docs, a byte each. */
    public FixedBitSet norms() throws IOException {
      return node.fields().norms(reader);
    }
  }

  /** The docs of a union, as a set that the device keeps. */
  public static final class DocSet extends Kept {
    private final SetDocs docs;
    private final SegmentImage image;
    private final int maxDoc;

    /**
     * A node.
     *
     * @param docs finds the docs if the device does not have them
     * @param image on the device
     * @param cost about how many they are
     */
    DocSet(DocSetKey key, SetDocs docs, SegmentImage image, long cost, int maxDoc) {
      super(OffloadWire.Op.DOC_SET, 0f, NO_CHILDREN, Math.min(cost, maxDoc), 0f, key);
      this.docs = docs;
      this.image = image;
      this.maxDoc = maxDoc;
    }

    @Override
    public IndexReader.CacheHelper core() {
      return docs.core();
    }

    /** Returns the image that has the lists of its docs. */
    SegmentImage image() {
      return image;
    }

    /** Returns how its docs are found. */
    public SetDocs docs() {
      return docs;
    }

    /** Returns about how many docs it has. */
    public int docCount() {
      return (int) cost();
    }

    /** Docs of the segment are below this. */
    public int maxDoc() {
      return maxDoc;
    }

    @Override
    public int pages() {
      return maxDoc / (Byte.SIZE * OffloadWire.PAGE_BYTES) + 1;
    }
  }

  /** The postings of a list. */
  public static final class Term extends InPages {
    private final org.apache.lucene.index.Term term;
    private final OffloadTermState list;
    private final ScoringTable table;

    // Numbers in the plan's tables, from PlanLayout.
    int listIndex;
    int tableIndex;
    int firstExtent;
    int extentCount;

    Term(QueryNode.TermNode node, OffloadTermState list, SegmentImage image) {
      super(OffloadWire.Op.TERM, node.weight(), list.docFreq, image);
      this.term = node.term();
      this.table = node.table();
      this.list = list;
    }

    /** The postings of a term, with other scores: none is above that of the highest frequency. */
    Term(Term unscored, ScoreTable scores) {
      super(
          OffloadWire.Op.TABLE_TERM,
          scores.get(scores.count(), 0),
          unscored.list.docFreq,
          unscored.image());
      this.term = unscored.term;
      this.table = scores;
      this.list = unscored.list;
    }

    /** The postings of a feature. */
    Term(Term unscored, FeatureTable scores) {
      super(
          OffloadWire.Op.FEATURE_TERM, scores.greatest(), unscored.list.docFreq, unscored.image());
      this.term = unscored.term;
      this.table = scores;
      this.list = unscored.list;
    }

    /** Returns field and term. */
    public org.apache.lucene.index.Term term() {
      return term;
    }

    /** Returns where the list is in the image. */
    public OffloadTermState list() {
      return list;
    }

    @Override
    int firstPage() {
      return list.firstPage();
    }

    /** Returns the pages that hold blocks of the list; 0 if it is in the plan itself. */
    @Override
    public int pageCount() {
      return list.isInline() ? 0 : list.pageCount();
    }

    /** Returns the norm table or the scores; null if the score is not needed. */
    ScoringTable table() {
      return table;
    }

    /** Returns how many tables of scores there are; 0 with a norm table or none. */
    int scoreTables() {
      return table instanceof NormTable || table == null ? 0 : table.count();
    }

    /** Returns the high byte of the lowest frequency with a score of its own; 0 of other terms. */
    int firstHigh() {
      return table instanceof FeatureTable feature ? feature.firstHigh() : 0;
    }
  }
}
