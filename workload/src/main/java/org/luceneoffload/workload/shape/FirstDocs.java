/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.shape;

import java.util.Arrays;
import java.util.Collection;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;

/** Collects the first hits of each segment and wants no more: for searchers without executor. */
final class FirstDocs extends SimpleCollector {
  private final int wanted;
  private int[] docs = new int[16];
  private int count;
  private int left;
  private int docBase;

  private FirstDocs(int wanted) {
    this.wanted = wanted;
  }

  /** Returns a manager for one search on the calling thread. */
  static CollectorManager<FirstDocs, int[]> manager(int wanted) {
    return new CollectorManager<>() {
      @Override
      public FirstDocs newCollector() {
        return new FirstDocs(wanted);
      }

      @Override
      public int[] reduce(Collection<FirstDocs> collectors) {
        return collectors.stream().flatMapToInt(c -> Arrays.stream(c.docs, 0, c.count)).toArray();
      }
    };
  }

  @Override
  protected void doSetNextReader(LeafReaderContext context) {
    docBase = context.docBase;
    left = wanted;
  }

  @Override
  public void collect(int doc) {
    if (count == docs.length) {
      docs = Arrays.copyOf(docs, 2 * count);
    }
    docs[count++] = docBase + doc;
    if (--left == 0) {
      throw new CollectionTerminatedException();
    }
  }

  @Override
  public ScoreMode scoreMode() {
    return ScoreMode.COMPLETE_NO_SCORES;
  }
}
