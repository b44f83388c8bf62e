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
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.maintain.IndexDetach;
import org.luceneoffload.maintain.IndexImport;
import org.luceneoffload.maintain.MaintenanceProgress;
import org.luceneoffload.maintain.MaintenanceReport;

/** Gives an index that stock Lucene wrote device lists, and takes them away again. */
public final class ImportAndDetach {
  private ImportAndDetach() {}

  /** Works on an index in the folder {@code args[0]}, which is made. */
  public static void main(String[] args) throws IOException {
    Path path = Path.of(args[0]);
    try (Directory stock = FSDirectory.open(path);
        IndexWriter writer = new IndexWriter(stock, new IndexWriterConfig())) {
      for (int i = 0; i < 3; i++) {
        Document doc = new Document();
        doc.add(new StringField("state", "open", Store.NO));
        writer.addDocument(doc);
      }
    }
    // page: begin
    try (OffloadDirectory directory = OffloadDirectory.open(path, "sim")) {
      MaintenanceReport report = IndexImport.run(directory, MaintenanceProgress.NONE);
      System.out.println(report.lists() + " lists, left out: " + report.leftOut());
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
        System.out.println("open: " + searcher.count(new TermQuery(new Term("state", "open"))));
      }
    }
    IndexDetach.Report report = IndexDetach.run(path, "sim"); // Lucene's files are as before
    // page: end
    System.out.println("store removed: " + report.storeRemoved());
  }
}
