/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.examples;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;

/** Three lines of an application of Lucene that are other ones. */
public final class ThreeLines {
  private ThreeLines() {}

  /** Indexes and searches in the folder {@code args[0]}. */
  public static void main(String[] args) throws IOException {
    Path path = Path.of(args[0]);
    Analyzer analyzer = new StandardAnalyzer();
    // page: begin
    Directory directory = OffloadDirectory.open(path, "sim");
    IndexWriterConfig config = new IndexWriterConfig(analyzer).setCodec(new OffloadCodec());
    // page: end
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (String text : new String[] {"a fast engine", "a fast train", "an engine"}) {
        Document doc = new Document();
        doc.add(new TextField("body", text, Store.YES));
        writer.addDocument(doc);
      }
    }
    // page: begin
    IndexSearcher searcher = new OffloadIndexSearcher(DirectoryReader.open(directory));
    // page: end
    Query query =
        new BooleanQuery.Builder()
            .add(new TermQuery(new Term("body", "fast")), Occur.MUST)
            .add(new TermQuery(new Term("body", "engine")), Occur.MUST)
            .build();
    for (ScoreDoc hit : searcher.search(query, 10).scoreDocs) {
      System.out.println(searcher.storedFields().document(hit.doc).get("body"));
    }
    searcher.getIndexReader().close();
    directory.close();
  }
}
