/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.run;

import java.io.IOException;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.store.guard.DeviceHandle;

/** One segment of frequent words in field "f": two, three, and w0 to w4. */
public final class OneSegment {
  /** Documents of the segment. */
  public static final int DOCS = 6000;

  private OneSegment() {}

  /** What is done with the segment, on the reference device and on stock Lucene. */
  public interface Searches {
    void run(OffloadIndexSearcher offload, IndexSearcher stock, DeviceHandle handle)
        throws IOException;
  }

  /** Makes the segment and runs searches over it. */
  public static void search(Searches searches) throws IOException {
    DeviceHandle handle =
        new DeviceHandle(new RamBlockDevice(1 << 14, new ReferenceProgram()), () -> {});
    ByteBuffersDirectory directory = new ByteBuffersDirectory();
    IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < DOCS; i++) {
        Document document = new Document();
        String text = (i % 2 == 0 ? "two " : "") + (i % 3 == 0 ? "three " : "") + "w" + i % 5;
        document.add(new TextField("f", text, Field.Store.NO));
        writer.addDocument(document);
      }
      writer.forceMerge(1);
    }
    HandMadeImages images = new HandMadeImages(handle, OffloadOptions.DEFAULT);
    try (DirectoryReader reader = images.open(DirectoryReader.open(directory))) {
      searches.run(new OffloadIndexSearcher(reader), new IndexSearcher(reader), handle);
    } finally {
      handle.release();
    }
  }
}
