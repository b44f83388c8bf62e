/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.DocValuesFormat;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene104.Lucene104HnswScalarQuantizedVectorsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.ImageCheck;
import org.luceneoffload.codec.OffloadTerms;

/** Device lists in indexes of applications that have codecs of their own. */
class TestOwnCodecs extends ExistingIndexTestCase {
  /**
   * Registers the codecs of this test, for this process alone: service files on the class path of
   * the tests would be read by child processes that have none of our classes.
   */
  @BeforeAll
  static void registerCodecs(@TempDir Path folder) throws IOException {
    Path services = Files.createDirectories(folder.resolve("META-INF/services"));
    Files.write(
        services.resolve(Codec.class.getName()),
        List.of(OwnCodec.Offloaded.class.getName(), OwnCodec.Composed.class.getName()));
    Files.write(
        services.resolve(DocValuesFormat.class.getName()),
        List.of(OwnDocValuesFormat.class.getName()));
    ClassLoader parent = TestOwnCodecs.class.getClassLoader();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, parent)) {
      DocValuesFormat.reloadDocValuesFormats(loader);
      Codec.reloadCodecs(loader);
    }
  }

  private static final int DOCS = 300;
  private static final String DIRECT = "Direct";

  /** Formats of its own for some fields, and small stored fields; read as Lucene104Codec is. */
  private static Codec formats() {
    return new Lucene104Codec(Lucene104Codec.Mode.BEST_COMPRESSION) {
      private final KnnVectorsFormat vectors = new Lucene104HnswScalarQuantizedVectorsFormat();
      private final DocValuesFormat values = new OwnDocValuesFormat();

      @Override
      public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
        return vectors;
      }

      @Override
      public DocValuesFormat getDocValuesFormatForField(String field) {
        return values;
      }

      @Override
      public PostingsFormat getPostingsFormatForField(String field) {
        return field.equals("tag")
            ? PostingsFormat.forName(DIRECT)
            : super.getPostingsFormatForField(field);
      }
    };
  }

  private static Codec offloading() {
    return new OffloadCodec(formats(), field -> !field.equals("title"));
  }

  private IndexWriterConfig config(Codec codec, boolean compound, boolean merges) {
    IndexWriterConfig config = new IndexWriterConfig().setCodec(codec).setUseCompoundFile(compound);
    config.setMergePolicy(merges ? new TieredMergePolicy() : NoMergePolicy.INSTANCE);
    config.getMergePolicy().setNoCFSRatio(compound ? 1.0 : 0.0);
    return config;
  }

  /** Adds documents in two segments. */
  private void add(IndexWriter writer) throws IOException {
    for (int i = 0; i < 2 * DOCS; i++) {
      Document document = new Document();
      String text = StockIndex.word(random) + " " + StockIndex.word(random);
      for (String field : List.of("body", "title", "tag")) {
        document.add(new TextField(field, text, Field.Store.NO));
      }
      document.add(new StoredField("stored", text));
      document.add(new NumericDocValuesField("number", i));
      document.add(new KnnFloatVectorField("vector", new float[] {i, 1}));
      writer.addDocument(document);
      if (i == DOCS) {
        writer.flush();
      }
    }
  }

  private static void assertFormats(LeafReader leaf, boolean ofItsOwn) throws IOException {
    SegmentReader segment = (SegmentReader) leaf;
    String compression =
        segment.getSegmentInfo().info.getAttribute("Lucene90StoredFieldsFormat.mode");
    assertEquals(ofItsOwn ? "BEST_COMPRESSION" : "BEST_SPEED", compression);
    FieldInfo number = segment.getFieldInfos().fieldInfo("number");
    assertEquals(
        ofItsOwn ? OwnDocValuesFormat.NAME : "Lucene90",
        number.getAttribute("PerFieldDocValuesFormat.format"));
    FieldInfo vector = segment.getFieldInfos().fieldInfo("vector");
    assertEquals(
        ofItsOwn
            ? new Lucene104HnswScalarQuantizedVectorsFormat().getName()
            : "Lucene99HnswVectorsFormat",
        vector.getAttribute("PerFieldKnnVectorsFormat.format"));
    FieldInfo tag = segment.getFieldInfos().fieldInfo("tag");
    assertEquals(
        ofItsOwn ? DIRECT : "Offload104", tag.getAttribute("PerFieldPostingsFormat.format"));
    OffloadTerms body = assertInstanceOf(OffloadTerms.class, segment.terms("body"));
    assertTrue(body.image().usable(), body.image().toString());
    assertEquals(!ofItsOwn, segment.terms("title") instanceof OffloadTerms);
    assertEquals(!ofItsOwn, segment.terms("tag") instanceof OffloadTerms);
  }

  /** Opens the index as another process does: with the codecs that the segments name. */
  private void assertReadable(int segments) throws IOException {
    try (OffloadDirectory directory = open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertEquals(segments, reader.leaves().size());
      for (LeafReaderContext leaf : reader.leaves()) {
        assertFormats(leaf.reader(), true);
      }
      assertFalse(reader.storedFields().document(0).get("stored").isEmpty());
      KnnFloatVectorQuery near = new KnnFloatVectorQuery("vector", new float[] {7, 1}, 1);
      assertEquals(1, new IndexSearcher(reader).search(near, 1).scoreDocs.length);
      assertEquals(List.of(), ImageCheck.run(reader, (done, of) -> {}).problems());
    }
    assertTrue(assertAnswers(QueryAnswers.ofStock(index, queries)) > 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void formatsOfAnApplication(boolean compound) throws IOException {
    try (OffloadDirectory directory = open(index)) {
      try (IndexWriter writer = new IndexWriter(directory, config(offloading(), compound, false))) {
        add(writer);
      }
      assertReadableAndMerged(directory, compound);
    }
  }

  private void assertReadableAndMerged(OffloadDirectory directory, boolean compound)
      throws IOException {
    assertReadable(2);
    try (IndexWriter writer = new IndexWriter(directory, config(offloading(), compound, true))) {
      writer.forceMerge(1);
    }
    assertReadable(1);
  }

  @Test
  void indexesAreAdded() throws IOException {
    try (OffloadDirectory directory = open(index);
        Directory other = new ByteBuffersDirectory()) {
      try (IndexWriter writer = new IndexWriter(other, config(formats(), false, false))) {
        add(writer);
      }
      try (IndexWriter writer = new IndexWriter(directory, config(offloading(), false, true));
          DirectoryReader reader = DirectoryReader.open(other)) {
        writer.addIndexes(
            (SegmentReader) reader.leaves().get(0).reader(),
            (SegmentReader) reader.leaves().get(1).reader());
      }
      assertReadable(1);
    }
  }

  @Test
  void theStockCodecsFormatsWithoutADelegate() throws IOException {
    try (OffloadDirectory directory = open(index)) {
      try (IndexWriter writer =
          new IndexWriter(directory, config(new OffloadCodec(), false, false))) {
        add(writer);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        for (LeafReaderContext leaf : reader.leaves()) {
          assertFormats(leaf.reader(), false);
        }
      }
    }
  }

  /** A codec of another name needs a subclass that Lucene finds by its name. */
  @Test
  void aCodecOfItsOwnName() throws IOException {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> new OffloadCodec(new OwnCodec.Plain()));
    assertTrue(e.getMessage().contains("OwnPlain"), e.getMessage());
    assertTrue(e.getMessage().contains("extend OffloadCodec"), e.getMessage());
    try (OffloadDirectory directory = open(index)) {
      try (IndexWriter writer =
          new IndexWriter(directory, config(new OwnCodec.Offloaded(), true, false))) {
        add(writer);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        SegmentReader segment = (SegmentReader) reader.leaves().get(0).reader();
        assertEquals("OwnOffloaded", segment.getSegmentInfo().info.getCodec().getName());
        assertTrue(((OffloadTerms) segment.terms("body")).image().usable());
        assertFalse(segment.terms("title") instanceof OffloadTerms);
      }
    }
    assertTrue(assertAnswers(QueryAnswers.ofStock(index, queries)) > 0);
  }

  /** Our postings format with a compound format that knows nothing of images. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ourPostingsFormatAlone(boolean compound) throws IOException {
    try (OffloadDirectory directory = open(index)) {
      try (IndexWriter writer =
          new IndexWriter(directory, config(new OwnCodec.Composed(), compound, false))) {
        add(writer);
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        LeafReader leaf = reader.leaves().get(0).reader();
        String reason = ((OffloadTerms) leaf.terms("body")).image().unusableReason();
        if (compound) {
          assertTrue(reason.contains("OwnComposed"), reason);
          assertTrue(reason.contains("OffloadCompoundFormat"), reason);
        } else {
          assertEquals(null, reason);
        }
      }
    }
    List<String> expected = QueryAnswers.ofStock(index, queries);
    assertEquals(!compound, assertAnswers(expected) > 0);
    if (compound) {
      assertEquals(2, importAll(index).segmentsWritten());
      assertOffloaded(expected);
    }
  }
}
