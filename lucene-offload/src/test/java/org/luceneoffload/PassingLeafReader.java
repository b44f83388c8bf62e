/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;

/** A reader around a segment that passes everything on, cache keys too; for tests to override. */
public class PassingLeafReader extends FilterLeafReader {
  /** Passes on what {@code in} says. */
  public PassingLeafReader(LeafReader in) {
    super(in);
  }

  @Override
  public CacheHelper getCoreCacheHelper() {
    return in.getCoreCacheHelper();
  }

  @Override
  public CacheHelper getReaderCacheHelper() {
    return in.getReaderCacheHelper();
  }
}
