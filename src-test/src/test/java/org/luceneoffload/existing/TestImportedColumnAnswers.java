/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.SortedNumericDocValuesField;
import org.apache.lucene.document.SortedSetDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.SortedSetSortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.aggregate.Aggregation;
import org.luceneoffload.aggregate.AggregationResults;
import org.luceneoffload.aggregate.AggregationResults.HistogramCounts;
import org.luceneoffload.aggregate.AggregationResults.LongStats;
import org.luceneoffload.aggregate.AggregationResults.TermCounts;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.maintain.IndexDetach;
import org.luceneoffload.report.OffloadStats.Counter;

/** Filters, sorts and aggregations by values of an index that stock Lucene wrote. */
class TestImportedColumnAnswers extends ExistingIndexTestCase {
  private static final int DOCS = 1500;

  /** The document with updates: it is not among those that are deleted, which have none. */
  private static final int UPDATED = 3;

  private IndexWriterConfig config(Codec codec, boolean compound) {
    return new IndexWriterConfig()
        .setCodec(codec)
        .setUseCompoundFile(compound)
        .setMergePolicy(NoMergePolicy.INSTANCE);
  }

  /** Three segments with deletes, of which one has an update. */
  private void write(Directory directory, Codec codec, boolean compound) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config(codec, compound))) {
      for (int i = 0; i < DOCS; i++) {
        writer.addDocument(document(i));
        if (i % (DOCS / 3) == DOCS / 3 - 1) {
          writer.commit();
        }
      }
      writer.deleteDocuments(new Term("body", "rare"));
      update(writer, UPDATED, 250);
    }
  }

  private static void update(IndexWriter writer, int id, int number) throws IOException {
    writer.updateNumericDocValue(new Term("id", Integer.toString(id)), "number", number);
  }

  private void writeStock(boolean compound) throws IOException {
    try (Directory plain = FSDirectory.open(index)) {
      write(plain, Codec.getDefault(), compound);
    }
  }

  private Document document(int id) {
    Document document = new Document();
    document.add(new StringField("id", Integer.toString(id), Field.Store.NO));
    String text = id != UPDATED && random.nextInt(40) == 0 ? "rare" : "";
    for (int i = random.nextInt(6); i >= 0; i--) {
      text += " w" + (int) (20 * random.nextDouble() * random.nextDouble());
    }
    document.add(new TextField("body", text, Field.Store.NO));
    document.add(new NumericDocValuesField("number", random.nextInt(1000)));
    if (random.nextInt(4) > 0) {
      document.add(new SortedDocValuesField("word", new BytesRef("k" + random.nextInt(30))));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      document.add(new SortedNumericDocValuesField("longs", random.nextInt(100)));
      document.add(new SortedSetDocValuesField("keys", new BytesRef("k" + random.nextInt(50))));
    }
    return document;
  }

  private void update(int value) throws IOException {
    try (Directory plain = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(plain, config(Codec.getDefault(), true))) {
      for (int i = 0; i < 40; i++) {
        update(writer, random.nextInt(DOCS / 3), value + i);
      }
    }
  }

  private static List<Query> questions() {
    List<Query> questions = new ArrayList<>();
    BytesRef k1 = new BytesRef("k1");
    for (Query filter :
        List.of(
            NumericDocValuesField.newSlowRangeQuery("number", 200, 400),
            SortedNumericDocValuesField.newSlowRangeQuery("longs", 10, 30),
            SortedDocValuesField.newSlowExactQuery("word", k1),
            SortedSetDocValuesField.newSlowSetQuery("keys", List.of(k1, new BytesRef("k3"))),
            new FieldExistsQuery("word"))) {
      questions.add(filter);
      questions.add(
          new BooleanQuery.Builder()
              .add(new TermQuery(new Term("body", "w0")), Occur.MUST)
              .add(filter, Occur.FILTER)
              .build());
    }
    return questions;
  }

  private static final List<Sort> SORTS =
      List.of(
          new Sort(new SortField("number", SortField.Type.LONG, true)),
          new Sort(new SortField("word", SortField.Type.STRING), SortField.FIELD_SCORE),
          new Sort(new SortedSetSortField("keys", false)));

  /** All answers, a line each. */
  private static List<String> answers(IndexSearcher searcher) throws IOException {
    List<String> lines = new ArrayList<>();
    for (Query question : questions()) {
      lines.add(question + ": " + searcher.count(question));
      lines.add(hits(searcher.search(question, 10)));
      for (Sort sort : SORTS) {
        lines.add(hits(searcher.search(question, 10, sort)));
      }
    }
    return lines;
  }

  private static String hits(TopDocs top) {
    StringBuilder line = new StringBuilder();
    for (ScoreDoc hit : top.scoreDocs) {
      line.append(' ').append(hit.doc).append(':').append(Float.floatToRawIntBits(hit.score));
      if (hit instanceof FieldDoc fields) {
        line.append(Arrays.toString(fields.fields));
      }
    }
    return line.toString();
  }

  private static List<String> aggregates(OffloadIndexSearcher searcher) throws IOException {
    Aggregation<LongStats> numbers = Aggregation.stats("number");
    Aggregation<TermCounts> words = Aggregation.terms("word", 10);
    Aggregation<HistogramCounts> longs = Aggregation.histogram("longs", 7);
    List<String> lines = new ArrayList<>();
    for (Query question : questions()) {
      AggregationResults results = searcher.aggregate(question, numbers, words, longs);
      lines.add(results.get(numbers) + " " + results.get(words) + " " + results.get(longs));
    }
    return lines;
  }

  /** How many segments, over all questions, were answered by whom. */
  private record Asked(long onDevice, long onHost) {}

  /** Asks with a device, and compares the answers with stock's. */
  private Asked ask(OffloadOptions options) throws IOException {
    try (Directory plain = FSDirectory.open(index);
        DirectoryReader stock = DirectoryReader.open(plain);
        OffloadDirectory directory = OffloadDirectory.open(index, DEVICE, options);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
      assertEquals(answers(new IndexSearcher(stock)), answers(searcher));
      // The same code over a reader that has no device adds up stock's doc values.
      assertEquals(aggregates(new OffloadIndexSearcher(stock)), aggregates(searcher));
      assertEquals(0, directory.stats().get(Counter.LEAVES_FALLEN_BACK));
      return new Asked(
          directory.stats().get(Counter.LEAVES_OFFLOADED),
          directory.stats().get(Counter.LEAVES_ON_HOST));
    }
  }

  private void assertAllOnDevice() throws IOException {
    Asked asked = ask(STRICT);
    assertEquals(0, asked.onHost);
    assertTrue(asked.onDevice > 5L * questions().size(), asked.toString());
    assertComplete(index);
  }

  /** For the field that was updated, in its segment; otherwise the device answers. */
  private void assertSomeOnHost() throws IOException {
    Asked asked = ask(OffloadOptions.DEFAULT);
    assertTrue(asked.onHost > 0 && asked.onDevice > asked.onHost, asked.toString());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theDeviceGivesStocksAnswers(boolean compound) throws IOException {
    writeStock(compound);
    assertEquals(0, ask(OffloadOptions.DEFAULT).onDevice);
    importAll(index);
    assertAllOnDevice();
    update(1000);
    assertSomeOnHost();
    importAll(index);
    assertAllOnDevice();
    update(-50);
    assertSomeOnHost();
    IndexDetach.run(index, DEVICE);
    assertEquals(0, ask(OffloadOptions.DEFAULT).onDevice);
    assertEquals(List.of(), sidecars(index, "od."));
  }

  /** Each column file of segments of our codec, and of a generation, lost by turns. */
  @Test
  void everyColumnFileIsRepaired() throws IOException {
    try (OffloadDirectory directory = open(index)) {
      write(directory, new OffloadCodec(), false);
    }
    assertAllOnDevice();
    List<Path> files;
    try (Stream<Path> all = Files.list(index)) {
      files = all.filter(f -> f.getFileName().toString().matches("_.*[.]od[mv]")).sorted().toList();
    }
    assertEquals(8, files.size(), files.toString());
    for (Path file : files) {
      Files.delete(file);
      assertSomeOnHost();
      assertEquals(1, repair(index).segmentsWritten());
      assertAllOnDevice();
    }
  }

  /** A writer commits while files of a generation are lost, though the commit lists them. */
  @Test
  void aWriterGoesOnWithoutFilesOfAnUpdate() throws IOException {
    try (OffloadDirectory directory = open(index)) {
      write(directory, new OffloadCodec(), false);
    }
    Files.delete(index.resolve("_0_1.odm"));
    Files.delete(index.resolve("_0_1.odv"));
    try (OffloadDirectory directory = OffloadDirectory.open(index, DEVICE)) {
      try (CheckIndex check = new CheckIndex(directory)) {
        assertTrue(check.checkIndex().clean);
      }
      try (IndexWriter writer = new IndexWriter(directory, config(new OffloadCodec(), false))) {
        writer.addDocument(document(DOCS));
        writer.commit();
        update(writer, UPDATED, 260);
      }
    }
    repair(index);
    assertAllOnDevice();
  }
}
