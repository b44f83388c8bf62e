/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.examples;

import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;

/** Keeps an index on a storage node, with all its files. */
public final class StorageNode {
  private StorageNode() {}

  /** Indexes and searches on the node {@code args[0]}, {@code HOST:PORT}, which is empty. */
  public static void main(String[] args) throws IOException {
    // page: begin
    String index = "csd:" + args[0] + "/articles,claim=empty"; // csd:HOST:PORT/NAME,OPTIONS
    Directory directory = OffloadDirectory.open(index);
    // page: end
    try (directory) {
      try (IndexWriter writer =
          new IndexWriter(directory, new IndexWriterConfig().setCodec(new OffloadCodec()))) {
        Document doc = new Document();
        doc.add(new StringField("state", "open", Store.NO));
        writer.addDocument(doc);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
        System.out.println("open: " + searcher.count(new TermQuery(new Term("state", "open"))));
      }
    }
  }
}
