/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.examples;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.facet.FacetResult;
import org.apache.lucene.facet.Facets;
import org.apache.lucene.facet.range.LongRange;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortedNumericSelector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.AggregationResults.LongStats;
import org.luceneoffload.aggregate.AggregationResults.TermCounts;
import org.luceneoffload.facet.OffloadFacetsCollector;
import org.luceneoffload.facet.OffloadLongRangeFacetCounts;
import org.luceneoffload.facet.OffloadStringValueFacetCounts;

/** Filters, sorts, adds up and counts by doc values, which the device reads where they lie. */
public final class FilterSortAggregateFacet {
  private FilterSortAggregateFacet() {}

  /** Indexes and searches in the folder {@code args[0]}; needs {@code lucene-facet}. */
  public static void main(String[] args) throws IOException {
    try (Directory directory = OffloadDirectory.open(Path.of(args[0]), "sim")) {
      try (IndexWriter writer =
          new IndexWriter(directory, new IndexWriterConfig().setCodec(new OffloadCodec()))) {
        for (int i = 0; i < 20; i++) {
          Document doc = new Document();
          doc.add(new StringField("body", "engine", Store.NO));
          doc.add(new LongField("price", 10 * i, Store.NO));
          doc.add(new LongField("time", 1000 - i, Store.NO));
          doc.add(new SortedSetDocValuesField("brand", new BytesRef(i % 3 == 0 ? "acme" : "bolt")));
          writer.addDocument(doc);
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        search(new OffloadIndexSearcher(reader));
      }
    }
  }

  private static void search(OffloadIndexSearcher searcher) throws IOException {
    // page: begin
    // Filter: a clause like any other, in the plan of the terms beside it.
    Query query =
        new BooleanQuery.Builder()
            .add(new TermQuery(new Term("body", "engine")), Occur.MUST)
            .add(LongField.newRangeQuery("price", 10, 100), Occur.FILTER)
            .build();
    TopDocs best = searcher.search(query, 10);

    // Sort: the ten latest; their values are in FieldDoc.fields.
    Sort latest = new Sort(LongField.newSortField("time", true, SortedNumericSelector.Type.MAX));
    TopFieldDocs hits = searcher.search(query, 10, latest);

    // Aggregate: numbers about all matches, in one pass over each segment.
    Aggregation<LongStats> price = Aggregation.stats("price");
    Aggregation<TermCounts> brands = Aggregation.terms("brand", 10);
    AggregationResults results = searcher.aggregate(query, price, brands);
    long sum = results.get(price).sum();
    for (TermCounts.Count brand : results.get(brands).top()) {
      System.out.println(brand.term().utf8ToString() + " " + brand.count());
    }
    // page: end
    System.out.println("matches " + best.totalHits.value() + ", sum of prices " + sum);
    System.out.println("latest " + hits.scoreDocs[0].doc);
    LongRange cheap = new LongRange("cheap", 0, true, 50, true);
    LongRange dear = new LongRange("dear", 50, false, 100, true);
    facets(searcher, query, cheap, dear);
  }

  private static void facets(
      OffloadIndexSearcher searcher, Query query, LongRange cheap, LongRange dear)
      throws IOException {
    // facets: begin
    // was: FacetsCollector hits = searcher.search(query, new FacetsCollectorManager());
    OffloadFacetsCollector hits = new OffloadFacetsCollector(searcher, query);
    Facets prices = new OffloadLongRangeFacetCounts("price", hits, cheap, dear);
    Facets brands = new OffloadStringValueFacetCounts("brand", hits);
    FacetResult top = brands.getTopChildren(10, "brand");
    // facets: end
    System.out.println(prices.getAllChildren("price"));
    System.out.println(top);
  }
}
