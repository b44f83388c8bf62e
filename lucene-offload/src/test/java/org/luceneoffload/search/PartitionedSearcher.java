/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.util.List;
import java.util.concurrent.Executor;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.luceneoffload.OffloadIndexSearcher;

/** An application's subclass that cuts segments into partitions. */
final class PartitionedSearcher extends OffloadIndexSearcher {
  private static final int DOCS = 70;
  private static final int SEGMENTS = 2;

  PartitionedSearcher(IndexReader reader, Executor executor) {
    super(reader, executor);
  }

  @Override
  protected LeafSlice[] slices(List<LeafReaderContext> leaves) {
    return slices(leaves, DOCS, SEGMENTS, true);
  }
}
