/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;

/**
 * Doc values of some docs, as the reader has them.
 *
 * @param docs ascending
 */
public record PlainValues(IndexReader reader, Set<Integer> docs) {
  /** Reads the values of a doc of one segment. */
  private interface Values<T> {
    void read(int doc, List<T> to) throws IOException;
  }

  /** Makes a reader of values for a segment. */
  private interface Segment<T> {
    Values<T> values(LeafReaderContext context) throws IOException;
  }

  /** The numbers of each doc, ascending. */
  List<List<Long>> numbers(String field) throws IOException {
    return all(
        context -> {
          SortedNumericDocValues values = DocValues.getSortedNumeric(context.reader(), field);
          return (doc, to) -> {
            if (values.advanceExact(doc)) {
              for (int i = values.docValueCount(); i > 0; i--) {
                to.add(values.nextValue());
              }
            }
          };
        });
  }

  /** The keywords of each doc, ascending. */
  List<List<BytesRef>> keywords(String field) throws IOException {
    return all(
        context -> {
          SortedSetDocValues values = DocValues.getSortedSet(context.reader(), field);
          return (doc, to) -> {
            if (values.advanceExact(doc)) {
              for (int i = values.docValueCount(); i > 0; i--) {
                to.add(BytesRef.deepCopyOf(values.lookupOrd(values.nextOrd())));
              }
            }
          };
        });
  }

  /** Those of the docs of which the numbers of a field are such. */
  PlainValues withNumbers(String field, Predicate<List<Long>> are) throws IOException {
    return with(numbers(field), are);
  }

  /** Those of the docs of which the keywords of a field are such. */
  PlainValues withKeywords(String field, Predicate<List<BytesRef>> are) throws IOException {
    return with(keywords(field), are);
  }

  private <T> PlainValues with(List<List<T>> values, Predicate<List<T>> are) {
    Set<Integer> some = new TreeSet<>();
    Iterator<List<T>> next = values.iterator();
    for (int doc : new TreeSet<>(docs)) {
      if (are.test(next.next())) {
        some.add(doc);
      }
    }
    return new PlainValues(reader, some);
  }

  private <T> List<List<T>> all(Segment<T> segment) throws IOException {
    List<List<T>> all = new ArrayList<>();
    for (LeafReaderContext context : reader.leaves()) {
      Values<T> values = segment.values(context);
      for (int doc = 0; doc < context.reader().maxDoc(); doc++) {
        if (docs.contains(context.docBase + doc)) {
          List<T> ofDoc = new ArrayList<>();
          values.read(doc, ofDoc);
          all.add(ofDoc);
        }
      }
    }
    return all;
  }
}
