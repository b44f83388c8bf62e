/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.util.List;
import org.apache.lucene.index.CodecReader;
import org.apache.lucene.index.FilterCodecReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.SegmentReader;

/**
 * Tells readers that show the doc values of a segment from those that may show others. A filter
 * passes them on if its class inherits every method that returns them; one that wraps what they
 * return, to look at a timeout or to count, is not known to, and is searched by the host.
 */
final class SharedDocValues {
  private static final List<String> GETTERS =
      List.of(
          "getNumericDocValues",
          "getSortedDocValues",
          "getSortedNumericDocValues",
          "getSortedSetDocValues",
          "getDocValuesSkipper");

  private static final ClassValue<Boolean> PASSES_ON =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return FilterLeafReader.class.isAssignableFrom(type)
              ? isInherited(type, "getFieldInfos", FilterLeafReader.class)
                  && GETTERS.stream()
                      .allMatch(
                          getter -> isInherited(type, getter, FilterLeafReader.class, String.class))
              : isInherited(type, "getFieldInfos", FilterCodecReader.class)
                  && isInherited(type, "getDocValuesReader", FilterCodecReader.class)
                  && GETTERS.stream()
                      .allMatch(
                          getter -> isInherited(type, getter, CodecReader.class, String.class));
        }
      };

  private SharedDocValues() {}

  private static boolean isInherited(
      Class<?> type, String name, Class<?> from, Class<?>... parameters) {
    try {
      return type.getMethod(name, parameters).getDeclaringClass() == from;
    } catch (NoSuchMethodException e) {
      throw new AssertionError(e);
    }
  }

  /** Returns the segment whose doc values a reader shows; null if it may show others. */
  static SegmentReader segment(LeafReader reader) {
    LeafReader at = reader;
    while (!(at instanceof SegmentReader)) {
      if (at instanceof FilterLeafReader filter && PASSES_ON.get(at.getClass())) {
        at = filter.getDelegate();
      } else if (at instanceof FilterCodecReader filter && PASSES_ON.get(at.getClass())) {
        at = filter.getDelegate();
      } else {
        return null;
      }
    }
    return (SegmentReader) at;
  }
}
