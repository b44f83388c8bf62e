/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.loaders;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermQuery;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.config.OffloadOptions;

/** An application in the class loader of a Lucene; called by reflection. */
final class OtherLuceneApplication {
  private OtherLuceneApplication() {}

  static String search(String folder) throws IOException {
    return search(folder, "sim");
  }

  static String searchHost(String folder) throws IOException {
    return search(folder, "host");
  }

  private static String search(String folder, String device) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(Path.of(folder), device)) {
      IndexWriterConfig config =
          new IndexWriterConfig(new StandardAnalyzer()).setCodec(new OffloadCodec());
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (String text : new String[] {"a b", "b c", "c d"}) {
          Document doc = new Document();
          doc.add(new TextField("body", text, Store.NO));
          writer.addDocument(doc);
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
        return searcher.search(new TermQuery(new Term("body", "b")), 10).totalHits.value()
            + " hits; "
            + directory.whyNoImages()
            + "; "
            + searcher.offloadStats();
      }
    }
  }

  static String openStrictly(String folder) {
    OffloadOptions strict = OffloadOptions.DEFAULT.withStrict(true);
    try (OffloadDirectory directory = OffloadDirectory.open(Path.of(folder), "sim", strict)) {
      return directory + " was opened";
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  static String makeCodec(String folder) {
    return new OffloadCodec().getName() + folder;
  }
}
