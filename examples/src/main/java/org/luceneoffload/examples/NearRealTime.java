/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.examples;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;

/** Searches documents that are not committed yet. */
public final class NearRealTime {
  private NearRealTime() {}

  /** Indexes and searches in the folder {@code args[0]}. */
  public static void main(String[] args) throws IOException {
    try (Directory directory = OffloadDirectory.open(Path.of(args[0]), "sim");
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig().setCodec(new OffloadCodec()))) {
      // page: begin
      SearcherFactory factory =
          new SearcherFactory() {
            @Override
            public IndexSearcher newSearcher(IndexReader reader, IndexReader previous) {
              return new OffloadIndexSearcher(reader);
            }
          };
      SearcherManager manager = new SearcherManager(writer, factory);
      // page: end
      for (int i = 1; i <= 2; i++) {
        Document doc = new Document();
        doc.add(new StringField("state", "open", Store.NO));
        writer.addDocument(doc);
        manager.maybeRefreshBlocking();
        IndexSearcher searcher = manager.acquire();
        try {
          System.out.println("open: " + searcher.count(new TermQuery(new Term("state", "open"))));
        } finally {
          manager.release(searcher);
        }
      }
      manager.close();
    }
  }
}
