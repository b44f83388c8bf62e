/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHitCountCollectorManager;
import org.apache.lucene.search.TotalHits.Relation;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;

/** Kinds of work that are measured, here and by the JMH benchmarks. */
public enum BenchKind {
  /** Top 10, with Lucene's default counting up to 1,000. */
  TOP_10 {
    @Override
    Object lucene(IndexSearcher searcher, BenchTask task) throws IOException {
      return searcher.search(task.query(), HITS);
    }

    @Override
    Object offload(OffloadIndexSearcher searcher, BenchTask task) throws IOException {
      return searcher.search(task.query(), HITS);
    }

    @Override
    Object managed(IndexSearcher searcher, Query query, BenchTask task) throws IOException {
      return searcher.search(query, new TopScoreDocCollectorManager(HITS, null, THRESHOLD));
    }
  },

  /** Top 10 with the exact count. */
  TOP_10_COUNT {
    @Override
    Object lucene(IndexSearcher searcher, BenchTask task) throws IOException {
      return searcher.search(
          task.query(), new TopScoreDocCollectorManager(HITS, null, Integer.MAX_VALUE));
    }

    @Override
    Object offload(OffloadIndexSearcher searcher, BenchTask task) throws IOException {
      return searcher.topDocs(task.query(), HITS, Integer.MAX_VALUE);
    }

    @Override
    Object managed(IndexSearcher searcher, Query query, BenchTask task) throws IOException {
      return searcher.search(query, new TopScoreDocCollectorManager(HITS, null, Integer.MAX_VALUE));
    }
  },

  /** {@code IndexSearcher.count}. */
  COUNT {
    @Override
    Object lucene(IndexSearcher searcher, BenchTask task) throws IOException {
      return searcher.count(task.query());
    }

    @Override
    Object offload(OffloadIndexSearcher searcher, BenchTask task) throws IOException {
      return searcher.count(task.query());
    }

    @Override
    Object managed(IndexSearcher searcher, Query query, BenchTask task) throws IOException {
      return searcher.search(query, new TotalHitCountCollectorManager(searcher.getSlices()));
    }
  },

  /** Every doc ID, without scores, through a collector. */
  DOCS {
    @Override
    Object lucene(IndexSearcher searcher, BenchTask task) throws IOException {
      return searcher.search(task.query(), DocIds.manager());
    }

    @Override
    Object offload(OffloadIndexSearcher searcher, BenchTask task) throws IOException {
      return searcher.search(task.query(), DocIds.manager());
    }

    @Override
    Object managed(IndexSearcher searcher, Query query, BenchTask task) throws IOException {
      return searcher.search(query, DocIds.manager());
    }
  },

  /** {@link #TOP_10} of the query with a filter of values, see {@link BenchFilters}. */
  FILTERED_TOP_10(TOP_10),

  /** {@link #COUNT} of the query with a filter of values. */
  FILTERED_COUNT(COUNT),

  /** The first 10 by the values of a typed field, the greatest first. */
  SORTED_TOP_10 {
    @Override
    Object lucene(IndexSearcher searcher, BenchTask task) throws IOException {
      return searcher.search(task.query(), HITS, task.sort());
    }

    @Override
    Object offload(OffloadIndexSearcher searcher, BenchTask task) throws IOException {
      return searcher.search(task.query(), HITS, task.sort());
    }

    @Override
    Object managed(IndexSearcher searcher, Query query, BenchTask task) throws IOException {
      return searcher.search(
          query, new TopFieldCollectorManager(task.sort(), HITS, null, THRESHOLD));
    }
  },

  /** Numbers about all matches, see {@link BenchAggregates}; stock Lucene's by a collector. */
  AGGREGATE {
    @Override
    Object lucene(IndexSearcher searcher, BenchTask task) throws IOException {
      return searcher.search(task.query(), task.aggregate().stock());
    }

    @Override
    Object offload(OffloadIndexSearcher searcher, BenchTask task) throws IOException {
      Aggregation<?> asked = task.aggregate().offload();
      return searcher.aggregate(task.query(), asked).get(asked);
    }

    @Override
    Object managed(IndexSearcher searcher, Query query, BenchTask task) throws IOException {
      return searcher.search(query, task.aggregate().stock());
    }
  };

  private static final int HITS = 10;

  /** Matches that Lucene counts exactly by default. */
  private static final int THRESHOLD = 1000;

  private final BenchKind unfiltered;

  BenchKind() {
    this(null);
  }

  /** A kind of work whose queries have a filter beside them. */
  BenchKind(BenchKind unfiltered) {
    this.unfiltered = unfiltered;
  }

  /** Returns whether queries have a filter of values beside them. */
  boolean isFiltered() {
    return unfiltered != null;
  }

  /** Returns whether hits are sorted by values. */
  boolean isSorted() {
    return this == SORTED_TOP_10;
  }

  /** Returns whether matches are aggregated. */
  boolean isAggregate() {
    return this == AGGREGATE;
  }

  /** Runs a query on stock Lucene. */
  Object lucene(IndexSearcher searcher, BenchTask task) throws IOException {
    return unfiltered.lucene(searcher, task);
  }

  /** Runs the same on the device. */
  Object offload(OffloadIndexSearcher searcher, BenchTask task) throws IOException {
    return unfiltered.offload(searcher, task);
  }

  /** Runs the same by a collector manager of Lucene, on any searcher. */
  Object managed(IndexSearcher searcher, Query query, BenchTask task) throws IOException {
    return unfiltered.managed(searcher, query, task);
  }

  /**
   * Returns whether two results, or lists of them, say the same, to the bit; inexact counts do not
   * matter.
   *
   * @param lucene what {@link #lucene} returned
   * @param offload what {@link #offload} returned
   */
  public static boolean same(Object lucene, Object offload) {
    if (lucene instanceof TopDocs a && offload instanceof TopDocs b) {
      boolean exact =
          a.totalHits.relation() == Relation.EQUAL_TO
              && b.totalHits.relation() == Relation.EQUAL_TO;
      return sameHits(a.scoreDocs, b.scoreDocs)
          && (!exact || a.totalHits.value() == b.totalHits.value());
    } else if (lucene instanceof int[] a && offload instanceof int[] b) {
      return Arrays.equals(a, b);
    } else if (lucene instanceof List<?> a && offload instanceof List<?> b) {
      return a.size() == b.size()
          && IntStream.range(0, a.size()).allMatch(i -> same(a.get(i), b.get(i)));
    }
    return lucene.equals(offload);
  }

  private static boolean sameHits(ScoreDoc[] a, ScoreDoc[] b) {
    return Arrays.equals(
        a,
        b,
        (x, y) ->
            x.doc == y.doc
                ? Integer.compare(
                        Float.floatToRawIntBits(x.score), Float.floatToRawIntBits(y.score))
                    + (sameValues(x, y) ? 0 : 1)
                : Integer.compare(x.doc, y.doc));
  }

  private static boolean sameValues(ScoreDoc x, ScoreDoc y) {
    return !(x instanceof FieldDoc a && y instanceof FieldDoc b)
        || Arrays.equals(a.fields, b.fields);
  }
}
