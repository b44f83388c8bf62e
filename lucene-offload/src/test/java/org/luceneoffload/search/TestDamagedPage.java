/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.codec.Offload104PostingsFormat;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire.Status;

/** A plan over two images of a segment: a damaged page costs the image that it belongs to. */
class TestDamagedPage {
  private static final int DOCS = 50;

  private volatile OffloadException failure; // what plans end with; null: the answer
  private final ReferenceProgram program = new ReferenceProgram();
  private final RamBlockDevice device =
      new RamBlockDevice(
          1 << 12,
          (ram, plan, stop) -> {
            if (failure != null) {
              throw failure;
            }
            return program.run(ram, plan, stop);
          });
  private OffloadDirectory directory;
  private DirectoryReader reader;
  private OffloadIndexSearcher searcher;
  private SegmentImage one;
  private SegmentImage other;

  /** Gives each field a format, and thus an image, of its own. */
  private static Codec codec() {
    Map<String, PostingsFormat> formats = new ConcurrentHashMap<>();
    PostingsFormat byField =
        new PerFieldPostingsFormat() {
          @Override
          public PostingsFormat getPostingsFormatForField(String field) {
            return formats.computeIfAbsent(field, unused -> new Offload104PostingsFormat());
          }
        };
    Codec stock = new Lucene104Codec();
    return new FilterCodec(stock.getName(), stock) {
      @Override
      public PostingsFormat postingsFormat() {
        return byField;
      }
    };
  }

  @BeforeEach
  void openIndex() throws Exception {
    directory = OffloadDirectory.wrap(new ByteBuffersDirectory(), device);
    IndexWriterConfig config = new IndexWriterConfig().setCodec(codec()).setUseCompoundFile(false);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < DOCS; i++) {
        Document document = new Document();
        document.add(new StringField("one", i % 2 == 0 ? "x" : "y", Field.Store.NO));
        document.add(new StringField("other", i % 5 == 0 ? "x" : "y", Field.Store.NO));
        writer.addDocument(document);
      }
    }
    reader = DirectoryReader.open(directory);
    searcher = new OffloadIndexSearcher(reader);
    LeafReader leaf = reader.leaves().get(0).reader();
    one = ((OffloadTerms) leaf.terms("one")).image();
    other = ((OffloadTerms) leaf.terms("other")).image();
    assertNotSame(one, other);
    assertTrue(one.usable() && other.usable());
  }

  @AfterEach
  void close() throws Exception {
    reader.close();
    directory.close();
  }

  private void fail(int status, long lba) throws Exception {
    failure = new OffloadException(status, "injected", lba);
    BooleanQuery.Builder both = new BooleanQuery.Builder();
    both.add(new TermQuery(new Term("one", "x")), Occur.MUST);
    both.add(new TermQuery(new Term("other", "x")), Occur.MUST);
    assertEquals(DOCS / 10, searcher.count(both.build()));
    failure = null;
  }

  @Test
  void theImageOfTheLbaIsGivenUp() throws Exception {
    fail(Status.PAGE_CORRUPT, other.extents().get(0).lba());
    assertFalse(other.usable());
    assertTrue(one.usable());
  }

  @Test
  void allAreGivenUpIfTheLbaIsNotKnown() throws Exception {
    fail(Status.PAGE_STALE, OffloadException.NO_LBA);
    assertFalse(other.usable());
    assertFalse(one.usable());
  }

  @Test
  void allAreGivenUpIfTheLbaIsNoneOfTheirs() throws Exception {
    fail(Status.PAGE_CORRUPT, (1 << 12) - 1);
    assertFalse(other.usable());
    assertFalse(one.usable());
  }
}
