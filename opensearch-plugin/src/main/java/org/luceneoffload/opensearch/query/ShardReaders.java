/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.query;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.lucene.index.FilterLeafReader;
import org.luceneoffload.codec.TransparentReaders;
import org.opensearch.search.internal.ContextIndexSearcher;

/** The readers that searches of shards are over. */
public final class ShardReaders {
  private static final Logger LOG = LogManager.getLogger(ShardReaders.class);

  // Not public. It checks for cancellation around terms and points, and shows what is below it.
  private static final String EXITABLE =
      "org.opensearch.search.internal.ExitableDirectoryReader$ExitableLeafReader";

  private ShardReaders() {}

  /** Lets the device look through the readers of searches that can be cancelled: all of them. */
  public static void makeKnown() {
    try {
      ClassLoader loader = ContextIndexSearcher.class.getClassLoader();
      TransparentReaders.add(
          Class.forName(EXITABLE, false, loader).asSubclass(FilterLeafReader.class));
    } catch (ClassNotFoundException | ClassCastException e) {
      LOG.warn("searches that can be cancelled are not offloaded: {}", e.toString());
    }
  }
}
