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
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.Devices;

/** Keeps Lucene's files in a directory of the application's. */
public final class OwnDirectory {
  private OwnDirectory() {}

  /** Indexes and searches; the device has its store in the folder {@code args[0]}. */
  public static void main(String[] args) throws IOException {
    Path folder = Path.of(args[0]);
    Directory yourDirectory = new ByteBuffersDirectory();
    // page: begin
    Device device = Devices.provider("sim").open("", folder); // its store is folder/offload.vol
    Directory directory = OffloadDirectory.wrap(yourDirectory, device);
    // page: end
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
    directory.close();
    device.close();
  }
}
