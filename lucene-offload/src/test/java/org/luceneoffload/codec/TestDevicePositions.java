/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PayloadAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.term.TermHash;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.maintain.IndexDetach;
import org.luceneoffload.maintain.IndexImport;
import org.luceneoffload.maintain.IndexRepair;
import org.luceneoffload.maintain.MaintenanceProgress;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.SidecarFiles;

/** Positions in images against stock positions, in every way that segments come about. */
class TestDevicePositions extends ImageTestCase {
  private static final OffloadOptions WITH = OffloadOptions.DEFAULT.withPositions(name -> true);
  private static final OffloadOptions WITHOUT = OffloadOptions.DEFAULT.withPositions();

  /** Tokens of a text, each with the distance to the one before and, some, a payload. */
  private static final class Tokens extends TokenStream {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private final PositionIncrementAttribute gap = addAttribute(PositionIncrementAttribute.class);
    private final PayloadAttribute payload = addAttribute(PayloadAttribute.class);
    private final String[] words;
    private final int[] gaps;
    private int next;

    Tokens(String[] words, int[] gaps) {
      this.words = words;
      this.gaps = gaps;
    }

    @Override
    public boolean incrementToken() {
      if (next == words.length) {
        return false;
      }
      clearAttributes();
      term.append(words[next]);
      gap.setPositionIncrement(gaps[next]);
      payload.setPayload(next % 3 == 0 ? new BytesRef(new byte[] {(byte) next}) : null);
      next++;
      return true;
    }

    @Override
    public void reset() {
      next = 0;
    }
  }

  /** A field of few words that may stand at one position, or far apart. */
  private Field tokens(String field, int count, int words, int farthest) {
    String[] terms = new String[count];
    int[] gaps = new int[count];
    for (int i = 0; i < count; i++) {
      terms[i] = "t" + random.nextInt(words);
      gaps[i] = i == 0 ? 1 : random.nextInt(random.nextInt(50) == 0 ? farthest : 3);
    }
    return new TextField(field, new Tokens(terms, gaps));
  }

  private OffloadDirectory open(OffloadOptions options) throws IOException {
    return OffloadDirectory.wrap(plain, device, options);
  }

  /** Pages that hold positions, over all segments. */
  private static long positionPages(Directory directory, String field) throws IOException {
    long pages = 0;
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        OffloadTerms terms = (OffloadTerms) DeviceTerms.of(leaf.reader(), field);
        assertEquals(terms.isPositioned(), terms.image().positionStart() > 0);
        pages += terms.image().positionPages();
      }
    }
    return pages;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void flushesMergesAndDeletes(boolean compound) throws IOException {
    try (OffloadDirectory directory = open(WITH)) {
      try (IndexWriter writer = writer(directory, compound, false)) {
        addDocuments(writer, 900, 300);
        writer.deleteDocuments(new Term("body", "w7"));
      }
      assertComplete(directory);
      assertTrue(positionPages(directory, "body") > 3);
      try (IndexWriter writer = writer(directory, compound, true)) {
        writer.forceMerge(1);
      }
      assertEquals(1, assertComplete(directory).segments());
      assertTrue(positionPages(directory, "body") > 1);
    }
  }

  @Test
  void fieldsOfAllKinds() throws IOException {
    FieldType offsets = new FieldType(TextField.TYPE_NOT_STORED);
    offsets.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS);
    FieldType freqs = new FieldType(TextField.TYPE_NOT_STORED);
    freqs.setIndexOptions(IndexOptions.DOCS_AND_FREQS);
    FieldType bare = new FieldType(TextField.TYPE_NOT_STORED);
    bare.setOmitNorms(true);
    IndexWriterConfig config =
        new IndexWriterConfig(analyzer)
            .setCodec(new OffloadCodec())
            .setIndexSort(new Sort(new SortField("key", SortField.Type.INT)));
    try (OffloadDirectory directory = open(WITH)) {
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int i = 0; i < 700; i++) {
          Document document = new Document();
          document.add(new StringField("id", "id" + i, Field.Store.NO));
          document.add(new NumericDocValuesField("key", random.nextInt(1000)));
          document.add(new Field("offsets", text(), offsets));
          document.add(new Field("freqs", text(), freqs));
          document.add(new Field("bare", text(), bare));
          document.add(tokens("tokens", random.nextInt(30), 20, 1_000_000));
          writer.addDocument(document);
          if (i % 250 == 249) {
            writer.commit();
          }
        }
      }
      assertComplete(directory);
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        for (LeafReaderContext leaf : reader.leaves()) {
          for (String field : List.of("offsets", "bare", "tokens")) {
            assertTrue(((OffloadTerms) leaf.reader().terms(field)).isPositioned(), field);
          }
          for (String field : List.of("id", "freqs")) {
            assertFalse(((OffloadTerms) leaf.reader().terms(field)).isPositioned(), field);
          }
        }
      }
    }
  }

  @Test
  void thousandsOfPositionsInADoc() throws IOException {
    try (OffloadDirectory directory = open(WITH)) {
      try (IndexWriter writer = writer(directory, false, true)) {
        for (int count : new int[] {1, 1023, 3, 1024, 1025, 2048, 2049, 9, 100_000, 5000, 2, 1}) {
          Document document = new Document();
          document.add(tokens("tokens", count, 1 + random.nextInt(2), 100));
          writer.addDocument(document);
        }
        writer.commit();
        assertComplete(directory);
        for (int i = 0; i < 300; i++) {
          Document document = new Document();
          document.add(tokens("tokens", i % 100 == 7 ? 3000 : random.nextInt(40), 2, 100));
          writer.addDocument(document);
        }
        writer.forceMerge(1);
      }
      assertComplete(directory);
    }
  }

  /** More pages than are held in memory until they are written. */
  @Test
  void manyPages() throws IOException {
    try (OffloadDirectory directory = open(WITH)) {
      try (IndexWriter writer = writer(directory, true, false)) {
        for (int i = 0; i < 60; i++) {
          Document document = new Document();
          document.add(tokens("tokens", 70_000, 4, 1 << 20));
          writer.addDocument(document);
        }
      }
      assertComplete(directory);
      assertTrue(positionPages(directory, "tokens") > 1024);
      for (String file : directory.listAll()) {
        assertFalse(file.endsWith(".tmp"), file);
      }
    }
  }

  @Test
  void onlyTheFieldsThatAreNamed() throws IOException {
    OffloadOptions some = OffloadOptions.DEFAULT.withPositions("a", "absent");
    try (OffloadDirectory directory = open(some)) {
      writeTwoFields(directory, new OffloadCodec());
      assertComplete(directory);
      assertPositioned(directory, Set.of("a"));
    }
  }

  private void writeTwoFields(Directory directory, Codec codec) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig(analyzer).setCodec(codec);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < 500; i++) {
        Document document = new Document();
        document.add(new TextField("a", text(), Field.Store.NO));
        document.add(new TextField("b", text(), Field.Store.NO));
        writer.addDocument(document);
      }
    }
  }

  private static void assertPositioned(Directory directory, Set<String> fields) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      for (LeafReaderContext leaf : reader.leaves()) {
        for (String field : List.of("a", "b")) {
          OffloadTerms terms = (OffloadTerms) DeviceTerms.of(leaf.reader(), field);
          assertEquals(fields.contains(field), terms.isPositioned(), field);
        }
      }
    }
  }

  @Test
  void imagesMadeAgainHaveThePositionsThatTheyHad() throws IOException {
    try (OffloadDirectory directory = open(WITH)) {
      writeTwoFields(directory, new OffloadCodec());
      IndexDetach.run(directory);
    }
    try (OffloadDirectory directory = open(WITHOUT)) {
      assertEquals(1, IndexRepair.run(directory, MaintenanceProgress.NONE).segmentsWritten());
      assertEquals(Set.of(), SidecarFiles.ids(directory));
      assertComplete(directory);
      assertPositioned(directory, Set.of("a", "b"));
    }
  }

  @Test
  void importedLists() throws IOException {
    for (int round = 0; round < 2; round++) {
      boolean with = round == 0;
      if (with) {
        writeTwoFields(plain, Codec.getDefault());
      }
      try (OffloadDirectory directory = open(with ? WITH : WITHOUT)) {
        assertEquals(1, IndexImport.run(directory, MaintenanceProgress.NONE).segmentsWritten());
        assertComplete(directory);
        assertPositioned(directory, with ? Set.of("a", "b") : Set.of());
        IndexDetach.run(directory);
        assertEquals(Set.of(), ImageDirectory.find(directory).handle().volume().list());
      }
    }
  }

  /** Without positions all files are what they were before there were any. */
  @Test
  void withoutPositionsTheFormatIsThatOfBefore() throws IOException {
    try (OffloadDirectory directory = open(WITHOUT)) {
      try (IndexWriter writer = writer(directory, false, true)) {
        addDocuments(writer, 300, 100);
        writer.forceMerge(1);
      }
      assertComplete(directory);
      assertEquals(0, positionPages(directory, "body"));
      int pages = 0;
      for (String file : directory.listAll()) {
        if (file.endsWith(".odp")) {
          pages++;
          long length = ImageDirectory.find(directory).images().lengthOnDevice(file);
          assertEquals(16, length % 4096, "pages and a footer, nothing else");
        } else if (file.endsWith(".odh")) {
          assertEquals(TermHash.VERSION_PAGES, versionOf(file, TermHash.CODEC));
        } else if (file.endsWith(".tmd")) {
          byte[] bytes = read(file);
          int at = indexOf(bytes, Offload104PostingsFormat.TERMS_CODEC);
          assertEquals(Offload104PostingsFormat.VERSION_TERM_HASH, bytes[at + 3]);
        }
      }
      assertEquals(1, pages);
    }
  }

  private int versionOf(String file, String codec) throws IOException {
    byte[] bytes = read(file);
    return bytes[indexOf(bytes, codec) + 3];
  }

  /** Where a text ends in bytes; its version, a big-endian number, follows. */
  private static int indexOf(byte[] bytes, String text) {
    int at = new String(bytes, StandardCharsets.ISO_8859_1).indexOf(text);
    assertTrue(at >= 0, text);
    return at + text.length();
  }

  /** A segment with positions beside one without, merged into one that has them or has not. */
  @Test
  void segmentsWithAndWithout() throws IOException {
    for (OffloadOptions options : List.of(WITH, WITHOUT, WITH)) {
      try (OffloadDirectory directory = open(options);
          IndexWriter writer = writer(directory, false, false)) {
        addDocuments(writer, 200, 200);
      }
    }
    try (OffloadDirectory directory = open(WITHOUT)) {
      assertComplete(directory);
      assertTrue(positionPages(directory, "body") > 0);
      try (IndexWriter writer = writer(directory, false, true)) {
        writer.forceMerge(1);
      }
      assertComplete(directory);
      assertEquals(0, positionPages(directory, "body"));
    }
  }
}
