/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.nested;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.luceneoffload.aggregate.Aggregation.TopMetrics;
import org.luceneoffload.aggregate.AggregationResults.MetricHits;

/** Numbers of the first matches of an order: a sorted search, and a look at the doc values. */
final class FirstMetrics {
  private FirstMetrics() {}

  static MetricHits of(Passes passes, Query query, TopMetrics asked) throws IOException {
    List<LeafReaderContext> leaves = passes.reader().leaves();
    List<MetricHits.Hit> hits = new ArrayList<>();
    for (ScoreDoc hit : passes.sorted(query, asked.n(), new Sort(asked.sort())).scoreDocs) {
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(hit.doc, leaves));
      List<Long> metrics = new ArrayList<>();
      for (String field : asked.metrics()) {
        SortedNumericDocValues values = DocValues.getSortedNumeric(leaf.reader(), field);
        metrics.add(values.advanceExact(hit.doc - leaf.docBase) ? values.nextValue() : null);
      }
      hits.add(new MetricHits.Hit(((FieldDoc) hit).fields[0], metrics));
    }
    return new MetricHits(hits);
  }
}
