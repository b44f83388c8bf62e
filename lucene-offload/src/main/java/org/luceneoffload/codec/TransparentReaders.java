/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;

/**
 * Classes of readers of an application that show what is below them, term by term and posting by
 * posting, but through objects of their own: such as those that look at a timeout. The device looks
 * through them; through others it does not, since they may hide something.
 */
public final class TransparentReaders {
  private static final Set<Class<?>> KNOWN = ConcurrentHashMap.newKeySet();

  private TransparentReaders() {}

  /**
   * Vouches for a class: its readers return the terms, postings and norms of the reader below, for
   * as long as this process runs. Answers are wrong if they do not. A subclass needs a word of its
   * own.
   */
  public static void add(Class<? extends FilterLeafReader> type) {
    KNOWN.add(type);
  }

  /** Returns the reader below those of such classes. */
  public static LeafReader unwrap(LeafReader reader) {
    LeafReader at = reader;
    while (at instanceof FilterLeafReader filter && KNOWN.contains(at.getClass())) {
      at = filter.getDelegate();
    }
    return at;
  }
}
