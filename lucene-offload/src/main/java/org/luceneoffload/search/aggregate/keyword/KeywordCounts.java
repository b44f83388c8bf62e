/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.aggregate.keyword;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.IndexReaderContext;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.aggregate.AggregationResults.OrdinalCounts;
import org.luceneoffload.aggregate.AggregationResults.TermCounts;
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
      return new ByTerm(new BytesRef[0], new int[0], null);
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

  /** Returns the numbers that the keywords of all segments have, or null. */
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

  /** Returns the sum of all counts. */
  public abstract long values();

  /** Returns the number of keywords that have a count. */
  public abstract int distinct();

  /**
   * Returns the keywords with the highest counts, the highest first, then in the order of terms.
   *
   * @param n how many, or all that have a count
   */
  public abstract List<TermCounts.Count> top(int n) throws IOException;

  /** By terms. */
  private static final class ByTerm extends KeywordCounts {
    private final BytesRef[] terms;
    private final int[] sums; // in the order of terms
    private final int[] numbers; // which of the terms each sum is of; null: they are in order

    private ByTerm(BytesRef[] terms, int[] sums, int[] numbers) {
      this.terms = terms;
      this.sums = sums;
      this.numbers = numbers;
    }

    static ByTerm ofNumbers(
        List<OrdinalCounts.Segment> parts, Keywords[] keywords, Keywords.Numbers numbers) {
      Keywords.Terms terms = numbers.terms();
      int[] sums = new int[terms.count()];
      for (OrdinalCounts.Segment part : parts) {
        Keywords.Kept kept = (Keywords.Kept) keywords[part.leaf()];
        int[] counts = part.counts();
        // Those of 0, too: which ones they are, no processor can guess.
        for (int i = 0; i < counts.length; i++) {
          sums[kept.number(part.ord(i))] += counts[i];
        }
      }
      int[] inOrder = new int[sums.length];
      for (int i = 0; i < sums.length; i++) {
        inOrder[i] = sums[terms.numbers()[i]];
      }
      return new ByTerm(terms.byNumber(), inOrder, terms.numbers());
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
      int[] sums = new int[terms.length];
      for (int i = 0; i < terms.length; i++) {
        terms[i] = merged.key(i);
        sums[i] = Math.toIntExact(merged.count(i));
      }
      return new ByTerm(terms, sums, null);
    }

    @Override
    public long values() {
      long values = 0;
      for (int sum : sums) {
        values += sum;
      }
      return values;
    }

    @Override
    public int distinct() {
      return OrdinalCounts.found(sums);
    }

    @Override
    public List<TermCounts.Count> top(int n) {
      List<TermCounts.Count> top = new ArrayList<>();
      for (int i : TopCounts.of(sums, n)) {
        // A copy: the application may change what it gets.
        BytesRef term = BytesRef.deepCopyOf(terms[numbers == null ? i : numbers[i]]);
        top.add(new TermCounts.Count(term, sums[i]));
      }
      return top;
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
