/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.util.Arrays;
import java.util.Collection;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.DocIdStream;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;

/** Collects every matching doc ID, in order, without scores: for searchers without executor. */
public final class DocIds extends SimpleCollector {
  private int[] docs = new int[1024];
  private int[] chunk;
  private int count;
  private int docBase;

  /** Returns a manager for one search on the calling thread. */
  public static CollectorManager<DocIds, int[]> manager() {
    return new CollectorManager<>() {
      @Override
      public DocIds newCollector() {
        return new DocIds();
      }

      @Override
      public int[] reduce(Collection<DocIds> collectors) {
        int[] all = new int[collectors.stream().mapToInt(c -> c.count).sum()];
        int at = 0;
        for (DocIds c : collectors) {
          System.arraycopy(c.docs, 0, all, at, c.count);
          at += c.count;
        }
        return all;
      }
    };
  }

  @Override
  protected void doSetNextReader(LeafReaderContext context) {
    docBase = context.docBase;
  }

  @Override
  public void collect(int doc) {
    if (count == docs.length) {
      docs = Arrays.copyOf(docs, 2 * count);
    }
    docs[count++] = docBase + doc;
  }

  @Override
  public void collect(DocIdStream stream) {
    if (chunk == null) {
      chunk = new int[1024];
    }
    for (int n = stream.intoArray(chunk); n > 0; n = stream.intoArray(chunk)) {
      if (count + n > docs.length) {
        docs = Arrays.copyOf(docs, Math.max(2 * docs.length, count + n));
      }
      for (int i = 0; i < n; i++) {
        docs[count + i] = docBase + chunk[i];
      }
      count += n;
    }
  }

  @Override
  public ScoreMode scoreMode() {
    return ScoreMode.COMPLETE_NO_SCORES;
  }
}
