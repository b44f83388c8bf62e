/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.cli.model.ModelMeter;
import org.luceneoffload.cli.model.ModelledCost;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.config.Placement;
import org.luceneoffload.workload.DocIds;

/** One of two searchers over the same reader: the device's, or stock Lucene's. */
public final class SearchSide {
  private static final Set<String> SHOWN_FIELDS = Set.of("id", "title");

  private final IndexSearcher searcher;
  private final OffloadDirectory directory; // null: no device is asked
  private final ModelMeter meter; // null: nothing is modelled
  private List<ModelMeter.ModelledProgram> modelledPrograms = List.of();

  private SearchSide(IndexSearcher searcher, OffloadDirectory directory, ModelMeter meter) {
    this.searcher = searcher;
    this.directory = directory;
    this.meter = meter;
    searcher.setQueryCache(null); // every answer is worked out
  }

  /**
   * Returns the side of the device.
   *
   * @param directory the reader's
   * @param meter of the device; null: nothing is modelled
   */
  public static SearchSide device(
      DirectoryReader reader, OffloadDirectory directory, boolean strict, ModelMeter meter) {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setStrict(strict);
    return new SearchSide(searcher, directory, meter);
  }

  /** Returns the side of stock Lucene. */
  public static SearchSide host(DirectoryReader reader) {
    return new SearchSide(new IndexSearcher(reader), null, null);
  }

  /**
   * Answers a query.
   *
   * @throws IllegalStateException if an aggregation has more buckets than allowed
   */
  public Answer answer(Query query, Wanted wanted) throws IOException {
    DeviceWork.Mark mark = directory == null ? null : DeviceWork.mark(directory);
    long start = System.nanoTime();
    TopDocs top = null;
    int[] docs = null;
    long count;
    AggregationResults results = null;
    switch (wanted.mode()) {
      case TOP -> {
        top =
            wanted.order() == null
                ? searcher.search(query, wanted.k())
                : searcher.search(query, wanted.k(), wanted.order().sort());
        count = top.totalHits.value();
      }
      case COUNT -> count = searcher.count(query);
      case DOCS -> {
        docs = searcher.search(query, DocIds.manager());
        count = docs.length;
      }
      case AGGREGATE -> {
        results = aggregator().aggregate(query, aggregations(wanted));
        count = results.matches();
      }
      default -> throw new IllegalArgumentException(String.valueOf(wanted.mode()));
    }
    double micros = (System.nanoTime() - start) / 1e3;
    DeviceWork work = mark == null ? null : mark.since();
    modelledPrograms = meter == null ? List.of() : meter.take();
    ModelledCost modelled =
        meter == null ? null : ModelledCost.of(meter.profile().name(), modelledPrograms);
    return new Answer(
        count,
        (top == null ? TotalHits.Relation.EQUAL_TO : top.totalHits.relation()).name(),
        top == null ? null : hits(top, wanted.order()),
        docs == null ? null : Answer.checksum(docs),
        wanted.showDocs() ? docs : null,
        results == null ? null : answers(wanted, results),
        Figures.round(micros),
        work,
        modelled,
        docs);
  }

  /** Returns the searcher that aggregates; the host's never asks a device. */
  private OffloadIndexSearcher aggregator() {
    if (searcher instanceof OffloadIndexSearcher device) {
      return device;
    }
    OffloadIndexSearcher host = new OffloadIndexSearcher(searcher.getIndexReader());
    host.setPlacement(Placement.NEVER);
    host.setQueryCache(null);
    return host;
  }

  private static Aggregation<?>[] aggregations(Wanted wanted) {
    return wanted.aggregates().stream()
        .map(AggregateOption::aggregation)
        .toArray(Aggregation<?>[]::new);
  }

  private static List<AggregateAnswer> answers(Wanted wanted, AggregationResults results) {
    return wanted.aggregates().stream().map(option -> option.answer(results)).toList();
  }

  /** Returns what was modelled for the last answer. */
  List<ModelMeter.ModelledProgram> modelledPrograms() {
    return modelledPrograms;
  }

  private List<Hit> hits(TopDocs top, SortOrder order) throws IOException {
    StoredFields fields = searcher.storedFields();
    List<Hit> hits = new ArrayList<>();
    for (ScoreDoc hit : top.scoreDocs) {
      Document document = fields.document(hit.doc, SHOWN_FIELDS);
      hits.add(
          new Hit(
              hits.size() + 1,
              hit.doc,
              order == null ? hit.score : null,
              order == null
                  ? String.format(Locale.ROOT, "%08x", Float.floatToRawIntBits(hit.score))
                  : null,
              order == null ? null : order.keys((FieldDoc) hit),
              document.get("id"),
              document.get("title")));
    }
    return hits;
  }
}
