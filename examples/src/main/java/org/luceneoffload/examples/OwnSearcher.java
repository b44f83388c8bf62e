/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.examples;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadQuery;

/** Searches through a searcher that is none of ours. */
public final class OwnSearcher {
  private OwnSearcher() {}

  /** Indexes and searches in the folder {@code args[0]}. */
  public static void main(String[] args) throws IOException {
    try (Directory directory = OffloadDirectory.open(Path.of(args[0]), "sim")) {
      try (IndexWriter writer =
          new IndexWriter(directory, new IndexWriterConfig().setCodec(new OffloadCodec()))) {
        Document doc = new Document();
        doc.add(new StringField("state", "open", Store.NO));
        writer.addDocument(doc);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        Query query = new TermQuery(new Term("state", "open"));
        // page: begin
        TopDocs hits = searcher.search(new OffloadQuery(query), 10);
        // page: end
        System.out.println("open: " + hits.totalHits.value());
      }
    }
  }
}
