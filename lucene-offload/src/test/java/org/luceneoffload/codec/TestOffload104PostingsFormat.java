/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.FeatureField;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SlowCodecReaderWrapper;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.store.image.ImageDirectory;

/** The image against the stock postings, in every way that segments come about. */
class TestOffload104PostingsFormat extends ImageTestCase {
  private static final List<IndexOptions> TEXT_OPTIONS =
      List.of(
          IndexOptions.DOCS,
          IndexOptions.DOCS_AND_FREQS,
          IndexOptions.DOCS_AND_FREQS_AND_POSITIONS,
          IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void flushedSegmentsHaveTheirImages(boolean compound) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = writer(directory, compound, false)) {
        addDocuments(writer, 600, 200);
        writer.commit();
      }
      ImageCheck.Result result = assertComplete(directory);
      assertEquals(3, result.segments());
      assertTrue(result.pages() > 0);
      List<String> images =
          Stream.of(directory.listAll()).filter(file -> file.endsWith(".odp")).toList();
      assertEquals(3, images.size(), images.toString());
      // As Lucene's own suite demands, files of one codec name have one extension.
      for (String image : images) {
        assertEquals(compound, image.endsWith("_0c.odp"), image);
        assertEquals(0, IndexFileNames.parseGeneration(image), image);
      }
      assertEquals(3, ImageDirectory.find(directory).handle().volume().list().size());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void mergedSegmentsHaveTheirImages(boolean compound) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = writer(directory, compound, true)) {
        addDocuments(writer, 2000, 100);
        writer.deleteDocuments(new Term("body", "w3"));
        writer.forceMerge(1);
      }
      ImageCheck.Result result = assertComplete(directory);
      assertEquals(1, result.segments());
      assertEquals(1, ImageDirectory.find(directory).handle().volume().list().size());
    }
  }

  @Test
  void deletedDocumentsStayInTheLists() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = writer(directory, true, false)) {
        addDocuments(writer, 300, 300);
        writer.commit();
        writer.deleteDocuments(new Term("body", "w1"));
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertTrue(reader.hasDeletions());
      }
      assertComplete(directory);
    }
  }

  @Test
  void nearRealTimeReadersSeeImages() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device);
        IndexWriter writer = writer(directory, true, true)) {
      addDocuments(writer, 100, 1000);
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertComplete(reader);
        addDocuments(writer, 100, 1000);
        try (DirectoryReader newer = DirectoryReader.openIfChanged(reader)) {
          assertNotNull(newer);
          assertComplete(newer);
        }
        writer.forceMerge(1);
        assertComplete(reader); // its images are deleted, yet open
      }
    }
  }

  @Test
  void nrtCachingDirectoryKeepsTheIndexWhole() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device);
        Directory caching = new NRTCachingDirectory(directory, 10, 10)) {
      try (IndexWriter writer = writer(caching, true, true)) {
        addDocuments(writer, 300, 50);
        try (DirectoryReader reader = DirectoryReader.open(writer)) {
          ImageCheck.Result result = ImageCheck.run(reader, (done, of) -> {});
          assertEquals(List.of(), result.problems());
        }
        writer.commit();
      }
      // What was cached has reached the device by now.
      assertComplete(directory);
    }
  }

  @Test
  void addIndexesCarriesImagesOver() throws IOException {
    RamBlockDevice otherDevice = new RamBlockDevice(DEVICE_LBAS);
    try (OffloadDirectory source = OffloadDirectory.wrap(new ByteBuffersDirectory(), otherDevice);
        OffloadDirectory sameDevice = OffloadDirectory.wrap(new ByteBuffersDirectory(), device);
        OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      for (Directory d : List.of(source, sameDevice)) {
        try (IndexWriter writer = writer(d, true, false)) {
          addDocuments(writer, 300, 100);
        }
      }
      long written = device.lbasWritten();
      try (IndexWriter writer = writer(directory, true, false)) {
        writer.addIndexes(sameDevice);
        assertEquals(written, device.lbasWritten(), "a copy within a volume moves nothing");
        writer.addIndexes(source);
      }
      assertEquals(6, assertComplete(directory).segments());
      try (DirectoryReader reader = DirectoryReader.open(source);
          IndexWriter writer = writer(directory, true, false)) {
        for (LeafReaderContext leaf : reader.leaves()) {
          writer.addIndexes(SlowCodecReaderWrapper.wrap(new Plain(leaf.reader())));
        }
      }
      assertEquals(9, assertComplete(directory).segments());
    }
  }

  @Test
  void addIndexesFromAPlainDirectoryBringsNoImage() throws IOException {
    Directory source = new ByteBuffersDirectory();
    try (OffloadDirectory offload = OffloadDirectory.wrap(source, new RamBlockDevice(DEVICE_LBAS));
        OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = writer(offload, true, false)) {
        addDocuments(writer, 100, 100);
      }
      try (IndexWriter writer = writer(directory, true, false)) {
        writer.addIndexes(source); // of the images, only the stubs are there
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        assertEquals(100, reader.numDocs());
        ImageCheck.Result result = ImageCheck.run(reader, (done, of) -> {});
        assertEquals(0, result.segmentsChecked());
        assertEquals(1, result.withoutImage().size());
        assertEquals(List.of(), result.problems());
      }
    }
  }

  @Test
  void allKindsOfFields() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = writer(directory, false, true)) {
        for (int i = 0; i < 1000; i++) {
          Document document = new Document();
          document.add(new StringField("id", "id" + i, Field.Store.NO));
          for (IndexOptions options : TEXT_OPTIONS) {
            document.add(new Field(options + "_norms", text(), type(options, false)));
            document.add(new Field(options + "_plain", text(), type(options, true)));
          }
          document.add(new FeatureField("feature", "f" + i % 7, 1 + random.nextInt(1000)));
          if (i % 3 == 0) {
            document.add(new TextField("sparse", text(), Field.Store.NO));
          }
          writer.addDocument(document);
          if (i % 400 == 399) {
            writer.flush();
          }
        }
        writer.forceMerge(1);
      }
      ImageCheck.Result result = assertComplete(directory);
      assertTrue(result.lists() > 1000 + 8 * 100, result.toString());
    }
  }

  @Test
  void sortedIndexes() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      IndexWriterConfig config =
          new IndexWriterConfig(analyzer)
              .setCodec(new OffloadCodec())
              .setIndexSort(new Sort(new SortField("rank", SortField.Type.LONG)));
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < 500; i++) {
          Document document = new Document();
          document.add(new NumericDocValuesField("rank", random.nextInt()));
          document.add(new TextField("body", text(), Field.Store.NO));
          writer.addDocument(document);
          if (i % 200 == 199) {
            writer.flush();
          }
        }
        assertCompleteAfter(writer);
        writer.forceMerge(1);
      }
      assertEquals(1, assertComplete(directory).segments());
    }
  }

  @Test
  void withoutADeviceTheIndexIsTheSame() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device);
        IndexWriter writer = writer(directory, false, false)) {
      addDocuments(writer, 200, 100);
    }
    try (DirectoryReader reader = DirectoryReader.open(plain)) {
      assertEquals(200, reader.numDocs());
      assertTrue(reader.docFreq(new Term("body", "w0")) > 100);
      ImageCheck.Result result = ImageCheck.run(reader, (done, of) -> {});
      assertEquals(0, result.segmentsChecked());
      assertEquals(2, result.withoutImage().size());
    }
    CheckIndex.Status status;
    try (CheckIndex check = new CheckIndex(plain)) {
      status = check.checkIndex();
    }
    assertTrue(status.clean);
  }

  @Test
  void aPlainDirectoryGetsNoImages() throws IOException {
    try (IndexWriter writer = writer(plain, true, true)) {
      addDocuments(writer, 200, 100);
    }
    assertFalse(Arrays.stream(plain.listAll()).anyMatch(f -> f.endsWith(".odp")));
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      ImageCheck.Result result = ImageCheck.run(reader, (done, of) -> {});
      assertEquals(0, result.segmentsChecked());
      assertEquals(List.of(), result.problems());
    }
  }

  @Test
  void theStockEnumsComeThroughUnchanged() throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.wrap(plain, device)) {
      try (IndexWriter writer = writer(directory, false, false)) {
        addDocuments(writer, 400, 400);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        TermsEnum terms = reader.leaves().get(0).reader().terms("body").iterator();
        assertTrue(terms.seekExact(new BytesRef("w0")));
        assertEquals(
            Lucene104PostingsFormat.getImpactsEnumImpl(),
            terms.impacts(PostingsEnum.FREQS).getClass());
        assertNull(reader.leaves().get(0).reader().terms("nothing"));
      }
    }
  }

  private static FieldType type(IndexOptions options, boolean omitNorms) {
    FieldType type = new FieldType();
    type.setIndexOptions(options);
    type.setTokenized(true);
    type.setOmitNorms(omitNorms);
    type.freeze();
    return type;
  }

  private static void assertCompleteAfter(IndexWriter writer) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      assertComplete(reader);
    }
  }

  /** A reader that hides that its segment was written by us. */
  private static final class Plain extends FilterLeafReader {
    Plain(LeafReader in) {
      super(in);
    }

    @Override
    public CacheHelper getCoreCacheHelper() {
      return null;
    }

    @Override
    public CacheHelper getReaderCacheHelper() {
      return null;
    }
  }
}
