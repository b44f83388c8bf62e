/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.weight;

import java.io.IOException;
import org.apache.lucene.search.CheckedIntConsumer;
import org.apache.lucene.search.DocIdStream;

/** Hands a run of ascending doc IDs to a collector. */
final class ArrayDocIdStream extends DocIdStream {
  private final int[] docs;
  private final int end;
  private int at;

  ArrayDocIdStream(int[] docs, int from, int to) {
    this.docs = docs;
    this.at = from;
    this.end = to;
  }

  @Override
  public void forEach(int upTo, CheckedIntConsumer<IOException> consumer) throws IOException {
    int from = at;
    int to = endBelow(upTo);
    at = to;
    for (int i = from; i < to; i++) {
      consumer.accept(docs[i]);
    }
  }

  @Override
  public int count(int upTo) {
    int start = at;
    at = endBelow(upTo);
    return at - start;
  }

  @Override
  public int intoArray(int upTo, int[] array) {
    int copied = Math.min(array.length, endBelow(upTo) - at);
    System.arraycopy(docs, at, array, 0, copied);
    at += copied;
    return copied;
  }

  @Override
  public boolean mayHaveRemaining() {
    return at < end;
  }

  /** Returns the index behind the last remaining doc below {@code upTo}. */
  private int endBelow(int upTo) {
    if (at == end || docs[end - 1] < upTo) {
      return end;
    }
    int low = at;
    int high = end;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (docs[middle] < upTo) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
