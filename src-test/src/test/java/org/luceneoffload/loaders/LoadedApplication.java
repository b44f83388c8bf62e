/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.loaders;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.report.OffloadStats.Counter;

/** Applications that index, search and close everything; loaded by {@link LoaderChild}. */
final class LoadedApplication {
  private LoadedApplication() {}

  /** With stock Lucene alone. */
  static final class Stock {
    private Stock() {}

    /** Works in a folder; returns the number of matches. */
    static String run(String folder) throws IOException {
      try (Directory directory = FSDirectory.open(Path.of(folder))) {
        index(directory, new IndexWriterConfig(new StandardAnalyzer()));
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          return "matches " + new IndexSearcher(reader).search(query(), 10).totalHits.value();
        }
      }
    }
  }

  /** With this library. */
  static final class Offloading {
    private Offloading() {}

    /** Works in a folder; returns the number of matches, and who found them. */
    static String run(String folder) throws IOException {
      try (OffloadDirectory directory = OffloadDirectory.open(Path.of(folder), "sim:dram=16m")) {
        index(
            directory, new IndexWriterConfig(new StandardAnalyzer()).setCodec(new OffloadCodec()));
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          IndexSearcher searcher = new OffloadIndexSearcher(reader);
          long matches = searcher.search(query(), 10).totalHits.value();
          long offloaded = directory.stats().get(Counter.LEAVES_OFFLOADED);
          return "matches " + matches + (offloaded > 0 ? " on the device" : " on the host");
        }
      }
    }
  }

  private static void index(Directory directory, IndexWriterConfig config) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < 1000; i++) {
        Document doc = new Document();
        String text = "every " + (i % 3 == 0 ? "third " : "") + (i % 5 == 0 ? "fifth" : "");
        doc.add(new TextField("text", text, Field.Store.NO));
        writer.addDocument(doc);
      }
    }
  }

  private static Query query() {
    return new BooleanQuery.Builder()
        .add(new TermQuery(new Term("text", "third")), Occur.MUST)
        .add(new TermQuery(new Term("text", "fifth")), Occur.MUST)
        .build();
  }
}
