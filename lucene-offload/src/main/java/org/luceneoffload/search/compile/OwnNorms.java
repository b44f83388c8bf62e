/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.lang.reflect.Method;
import org.apache.lucene.index.FilterCodecReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.ParallelLeafReader;
import org.apache.lucene.index.SegmentReader;

/**
 * Tells norms of a reader's own from those of the segments behind it. Lists on the device hold
 * norms beside their postings, so a reader that passes terms on and shows other norms must be
 * searched by the host.
 */
final class OwnNorms {
  private static final ClassValue<Boolean> PASSES_NORMS_ON =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return FilterLeafReader.class.isAssignableFrom(type)
              ? isInherited(type, "getNormValues", FilterLeafReader.class, String.class)
              : isInherited(type, "getNormsReader", FilterCodecReader.class);
        }
      };

  private OwnNorms() {}

  private static boolean isInherited(
      Class<?> type, String name, Class<?> from, Class<?>... parameters) {
    try {
      Method method = type.getMethod(name, parameters);
      return method.getDeclaringClass() == from;
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns whether they are; false for readers of which that cannot be told. */
  static boolean areShownBy(LeafReader reader) {
    LeafReader at = reader;
    while (!(at instanceof SegmentReader)) {
      if (at instanceof FilterLeafReader filter && PASSES_NORMS_ON.get(at.getClass())) {
        at = filter.getDelegate();
      } else if (at instanceof FilterCodecReader filter && PASSES_NORMS_ON.get(at.getClass())) {
        at = filter.getDelegate();
      } else if (at.getClass() == ParallelLeafReader.class) {
        return areShownByAll(((ParallelLeafReader) at).getParallelReaders());
      } else {
        return false;
      }
    }
    return true;
  }

  private static boolean areShownByAll(LeafReader[] readers) {
    for (LeafReader reader : readers) {
      if (!areShownBy(reader)) {
        return false;
      }
    }
    return true;
  }
}
