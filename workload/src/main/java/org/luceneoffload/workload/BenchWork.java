/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.io.IOException;
import org.apache.lucene.search.IndexSearcher;

/** What a searcher is asked: the same words for stock Lucene and for the device. */
@FunctionalInterface
public interface BenchWork {
  /** Asks; returns what {@link BenchKind#same} can compare, one or a list of them. */
  Object run(IndexSearcher searcher) throws IOException;
}
