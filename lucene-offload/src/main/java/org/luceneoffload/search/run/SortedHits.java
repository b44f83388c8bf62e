/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.TotalHits;
import org.luceneoffload.search.sort.SortFieldKey;
import org.luceneoffload.wire.sort.SortPart;

/**
 * The best hits so far, by sort keys, of a run of segments that are visited in the order of their
 * doc IDs, and the number of matches.
 *
 * <p>Keys of numbers are the same in all segments, but for doc IDs, which count from the segment's
 * first. Ordinals of keywords are not: hits are then kept by segment, with their keywords.
 */
final class SortedHits {
  private static final long[] NO_KEYS = {};

  private final Sort sort;
  private final List<SortFieldKey> fields;
  private final int k;
  private final boolean keywords;
  private final List<TopFieldDocs> bySegment = new ArrayList<>();
  private int[] docs = {};
  private long[] keys = NO_KEYS; // fields.size() of them for each hit
  private int size;
  private long count;
  private boolean lowerBound;

  SortedHits(Sort sort, List<SortFieldKey> fields, int k) {
    this.sort = sort;
    this.fields = fields;
    this.k = k;
    this.keywords = fields.stream().anyMatch(SortFieldKey::isKeyword);
  }

  /** Returns whether the keys of the last hit are a limit for those of other segments. */
  boolean hasBottom() {
    return !keywords && size == k;
  }

  /** Returns the keys of the last hit, as a segment has them. */
  long[] bottom(int docBase) {
    long[] bottom = new long[fields.size()];
    for (int i = 0; i < bottom.length; i++) {
      long key = keys[(k - 1) * bottom.length + i];
      bottom[i] = fields.get(i).isDoc() ? key - docBase : key;
    }
    return bottom;
  }

  /** Returns the number of matches counted. */
  long count() {
    return count;
  }

  /** Counts matches. */
  void addCount(long matches, boolean isLowerBound) {
    count += matches;
    lowerBound |= isLowerBound;
  }

  /**
   * Merges the hits of one segment in, all of docs after those merged before.
   *
   * @param order compares keys
   * @param newKeys as the segment has them
   * @param values of the segment's keywords, by field; null for other fields
   */
  void merge(
      SortPart order,
      int[] newDocs,
      long[] newKeys,
      int newSize,
      int docBase,
      SortFieldKey.Keywords[] values)
      throws IOException {
    int width = fields.size();
    if (keywords) {
      FieldDoc[] hits = new FieldDoc[newSize];
      for (int i = 0; i < newSize; i++) {
        hits[i] = hit(newDocs[i] + docBase, newKeys, i * width, docBase, values);
      }
      add(new TopFieldDocs(new TotalHits(0, TotalHits.Relation.EQUAL_TO), hits, sort.getSort()));
      return;
    }
    for (int field = 0; field < width; field++) {
      for (int i = 0; fields.get(field).isDoc() && i < newSize; i++) {
        newKeys[i * width + field] += docBase;
      }
    }
    mergeGlobal(order, newDocs, newKeys, newSize, docBase);
  }

  private void mergeGlobal(
      SortPart order, int[] newDocs, long[] newKeys, int newSize, int docBase) {
    int width = fields.size();
    int total = Math.min(k, size + newSize);
    int[] mergedDocs = new int[total];
    long[] mergedKeys = new long[total * width];
    long[] one = new long[width];
    long[] other = new long[width];
    int i = 0;
    int j = 0;
    for (int to = 0; to < total; to++) {
      boolean present = j == newSize;
      if (!present && i < size) {
        System.arraycopy(keys, i * width, one, 0, width);
        System.arraycopy(newKeys, j * width, other, 0, width);
        // At equal keys the present hit wins: its doc ID is lower.
        present = order.compare(one, other) <= 0;
      }
      if (present) {
        mergedDocs[to] = docs[i];
        System.arraycopy(keys, i++ * width, mergedKeys, to * width, width);
      } else {
        mergedDocs[to] = newDocs[j] + docBase;
        System.arraycopy(newKeys, j++ * width, mergedKeys, to * width, width);
      }
    }
    docs = mergedDocs;
    keys = mergedKeys;
    size = total;
  }

  /** Merges the hits of one segment that the host searched; their doc IDs are of the index. */
  void merge(SortPart order, TopFieldDocs hits, LeafReaderContext context) throws IOException {
    addCount(
        hits.totalHits.value(),
        hits.totalHits.relation() == TotalHits.Relation.GREATER_THAN_OR_EQUAL_TO);
    if (keywords) {
      add(hits);
      return;
    }
    int newSize = hits.scoreDocs.length;
    int[] newDocs = new int[newSize];
    long[] newKeys = new long[newSize * fields.size()];
    for (int i = 0; i < newSize; i++) {
      FieldDoc hit = (FieldDoc) hits.scoreDocs[i];
      newDocs[i] = hit.doc;
      for (int field = 0; field < fields.size(); field++) {
        newKeys[i * fields.size() + field] =
            fields.get(field).keyOf(hit.fields[field], context, hit.doc);
      }
    }
    mergeGlobal(order, newDocs, newKeys, newSize, 0);
  }

  private void add(TopFieldDocs hits) {
    bySegment.add(hits);
  }

  private FieldDoc hit(int doc, long[] of, int at, int docBase, SortFieldKey.Keywords[] values)
      throws IOException {
    Object[] found = new Object[fields.size()];
    for (int i = 0; i < found.length; i++) {
      found[i] = fields.get(i).valueOf(of[at + i], docBase, values == null ? null : values[i]);
    }
    return new FieldDoc(doc, Float.NaN, found);
  }

  /** Returns the hits as Lucene returns them. */
  TopFieldDocs toTopDocs() throws IOException {
    ScoreDoc[] hits;
    if (keywords) {
      hits = TopDocs.merge(sort, 0, k, bySegment.toArray(TopFieldDocs[]::new)).scoreDocs;
      for (ScoreDoc hit : hits) {
        hit.shardIndex = -1; // as in hits that were not merged
      }
    } else {
      hits = new ScoreDoc[size];
      for (int i = 0; i < size; i++) {
        hits[i] = hit(docs[i], keys, i * fields.size(), 0, null);
      }
    }
    TotalHits.Relation relation =
        lowerBound ? TotalHits.Relation.GREATER_THAN_OR_EQUAL_TO : TotalHits.Relation.EQUAL_TO;
    return new TopFieldDocs(new TotalHits(count, relation), hits, sort.getSort());
  }
}
