/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.architecture;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.facet.LabelAndValue;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.facet.OffloadFacetsCollector;
import org.luceneoffload.facet.OffloadLongValueFacetCounts;
import org.luceneoffload.report.OffloadStats.Counter;

/**
 * An application that counts facets, with the drop-in jar, Lucene's core, and its facets or not.
 */
final class FacetChild {
  private static final int DOCS = 5000;

  private FacetChild() {}

  /** Indexes into the folder {@code args[0]}, counts facets, and prints what came of it. */
  public static void main(String[] args) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(Path.of(args[0]), "sim")) {
      IndexWriterConfig config = new IndexWriterConfig().setCodec(new OffloadCodec());
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < DOCS; i++) {
          Document doc = new Document();
          doc.add(new NumericDocValuesField("number", i % 3 == 0 ? 7 : i % 2));
          writer.addDocument(doc);
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        count(new OffloadIndexSearcher(reader));
      } catch (NoClassDefFoundError e) {
        System.out.println("missing: " + e.getMessage());
      }
      System.out.println("on the device: " + directory.stats().get(Counter.LEAVES_OFFLOADED));
    }
  }

  private static void count(OffloadIndexSearcher searcher) throws IOException {
    System.out.println("documents: " + searcher.count(MatchAllDocsQuery.INSTANCE));
    OffloadFacetsCollector hits = new OffloadFacetsCollector(searcher, MatchAllDocsQuery.INSTANCE);
    var counts = new OffloadLongValueFacetCounts("number", hits);
    System.out.println("module: " + OffloadLongValueFacetCounts.class.getModule().getName());
    for (LabelAndValue child : counts.getTopChildren(2, "number").labelValues) {
      System.out.println(child.label + ": " + child.value);
    }
  }
}
