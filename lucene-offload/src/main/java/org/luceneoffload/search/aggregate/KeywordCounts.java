/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.apache.lucene.index.IndexReaderContext;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.aggregate.OrdinalCounts;
import org.luceneoffload.aggregate.TermCounts;
import org.luceneoffload.util.TopCounts;

/**
 * Counts of keywords over all segments. Ordinals differ from segment to segment: the numbers of
 * {@link Keywords.Numbers} take their place, or those of {@link GlobalKeywords}, or else the terms.
 * For one thread.
 */
public abstract sealed class KeywordCounts {
  /**
   * Adds up counts by ordinal.
   *
   * @param top that of the reader; null if there are no counts
   */
  public static KeywordCounts of(
      IndexReaderContext top, String field, List<OrdinalCounts.Segment> parts) throws IOException {
    if (parts.isEmpty()) {
      return new ByTerm(new BytesRef[0], new long[0]);
    }
    Keywords[] keywords = new Keywords[top.leaves().size()];
    for (OrdinalCounts.Segment part : parts) {
      if (keywords[part.leaf()] == null) {
        keywords[part.leaf()] = Keywords.of(top.leaves().get(part.leaf()).reader(), field);
      }
    }
    Keywords.Numbers numbers = commonNumbers(keywords);
    if (numbers != null) {
      return ByTerm.ofNumbers(parts, keywords, numbers);
    }
    int found = found(parts);
    GlobalKeywords global = GlobalKeywords.of(top, field, found);
    return global != null && global.count() <= ArrayUtil.MAX_ARRAY_LENGTH
        ? new ByOrdinal(global, OrdinalSums.of(parts, global, found))
        : ByTerm.merged(parts, keywords);
  }

  /** The numbers that the keywords of all segments have, or null. */
  private static Keywords.Numbers commonNumbers(Keywords[] keywords) {
    Keywords.Numbers common = null;
    for (Keywords own : keywords) {
      if (own instanceof Keywords.Kept kept && (common == null || common == kept.numbers())) {
        common = kept.numbers();
      } else if (own != null) {
        return null;
      }
    }
    return common;
  }

  private static int found(List<OrdinalCounts.Segment> parts) {
    int found = 0;
    for (OrdinalCounts.Segment part : parts) {
      found += part.found();
    }
    return found;
  }

  /** The sum of all counts. */
  public abstract long values();

  /** Keywords that have a count. */
  public abstract int distinct();

  /**
   * The keywords with the highest counts, the highest first, then in the order of terms.
   *
   * @param n how many, or all that have a count
   */
  public abstract List<TermCounts.Count> top(int n) throws IOException;

  /** By terms in any order. */
  private static final class ByTerm extends KeywordCounts {
    private static final Comparator<TermCounts.Count> WORST_FIRST =
        (a, b) ->
            a.count() != b.count()
                ? Long.compare(a.count(), b.count())
                : b.term().compareTo(a.term());

    private final BytesRef[] terms;
    private final long[] sums;

    private ByTerm(BytesRef[] terms, long[] sums) {
      this.terms = terms;
      this.sums = sums;
    }

    static ByTerm ofNumbers(
        List<OrdinalCounts.Segment> parts, Keywords[] keywords, Keywords.Numbers numbers) {
      BytesRef[] terms = numbers.terms();
      long[] sums = new long[terms.length];
      for (OrdinalCounts.Segment part : parts) {
        Keywords.Kept kept = (Keywords.Kept) keywords[part.leaf()];
        int[] counts = part.counts();
        for (int i = 0; i < counts.length; i++) {
          if (counts[i] != 0) {
            sums[kept.number(part.ord(i))] += counts[i];
          }
        }
      }
      return new ByTerm(terms, sums);
    }

    static ByTerm merged(List<OrdinalCounts.Segment> parts, Keywords[] keywords)
        throws IOException {
      SortedCounts<BytesRef> merged = new SortedCounts<>();
      for (OrdinalCounts.Segment part : parts) {
        SortedCounts<BytesRef> added = new SortedCounts<>();
        for (int i = 0; i < part.counts().length; i++) {
          if (part.counts()[i] != 0) {
            added.append(keywords[part.leaf()].get(part.ord(i)), part.counts()[i]);
          }
        }
        merged.merge(added);
      }
      BytesRef[] terms = new BytesRef[merged.size()];
      long[] sums = new long[terms.length];
      for (int i = 0; i < terms.length; i++) {
        terms[i] = merged.key(i);
        sums[i] = merged.count(i);
      }
      return new ByTerm(terms, sums);
    }

    @Override
    public long values() {
      long values = 0;
      for (long sum : sums) {
        values += sum;
      }
      return values;
    }

    @Override
    public int distinct() {
      int distinct = 0;
      for (long sum : sums) {
        distinct += sum != 0 ? 1 : 0;
      }
      return distinct;
    }

    @Override
    public List<TermCounts.Count> top(int n) {
      PriorityQueue<TermCounts.Count> best = new PriorityQueue<>(WORST_FIRST);
      for (int i = 0; i < sums.length; i++) {
        if (sums[i] != 0 && (best.size() < n || sums[i] >= best.element().count())) {
          add(best, n, new TermCounts.Count(terms[i], sums[i]));
        }
      }
      TermCounts.Count[] top = new TermCounts.Count[best.size()];
      for (int i = top.length - 1; i >= 0; i--) {
        TermCounts.Count count = best.remove();
        // A copy: the application may change what it gets.
        top[i] = new TermCounts.Count(BytesRef.deepCopyOf(count.term()), count.count());
      }
      return List.of(top);
    }

    private static void add(
        PriorityQueue<TermCounts.Count> best, int n, TermCounts.Count candidate) {
      if (best.size() == n) {
        if (WORST_FIRST.compare(candidate, best.element()) <= 0) {
          return;
        }
        best.remove();
      }
      best.add(candidate);
    }
  }

  /** By ordinals of the reader; terms are looked up for the best alone. */
  private static final class ByOrdinal extends KeywordCounts {
    private final GlobalKeywords keywords;
    private final OrdinalSums sums;

    ByOrdinal(GlobalKeywords keywords, OrdinalSums sums) {
      this.keywords = keywords;
      this.sums = sums;
    }

    @Override
    public long values() {
      return sums.values();
    }

    @Override
    public int distinct() {
      return sums.distinct();
    }

    @Override
    public List<TermCounts.Count> top(int n) throws IOException {
      List<TermCounts.Count> top = new ArrayList<>();
      for (int i : TopCounts.of(sums.counts(), n)) {
        BytesRef term = BytesRef.deepCopyOf(keywords.get(sums.ord(i)));
        top.add(new TermCounts.Count(term, sums.counts()[i]));
      }
      return top;
    }
  }
}
