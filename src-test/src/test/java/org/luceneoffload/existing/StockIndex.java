/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.existing;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SoftDeletesRetentionMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.Directory;

/** Random indexes as an application without this library writes them. */
final class StockIndex {
  static final String SOFT_DELETES = "gone";
  static final int WORDS = 120;
  static final List<String> FIELDS = List.of("body", "title", "tag", "freqs", "offsets");

  private static final List<String> FORMATS =
      List.of("Lucene104", "Direct", "BlockTreeOrds", "FST50", "LuceneVarGapFixedInterval");

  /**
   * The properties of an index.
   *
   * @param segments segments, or more if merges are off and documents are updated
   * @param documents documents of each
   * @param formats whether fields have postings formats of their own
   * @param compound whether segments are packed
   * @param sorted whether there is an index sort
   * @param softDeletes whether updates delete softly
   * @param deletes whether documents are deleted and updated
   */
  record Shape(
      int segments,
      int documents,
      boolean formats,
      boolean compound,
      boolean sorted,
      boolean softDeletes,
      boolean deletes) {
    static Shape random(Random random) {
      return new Shape(
          1 + random.nextInt(4),
          50 + random.nextInt(1500),
          random.nextInt(3) == 0,
          random.nextBoolean(),
          random.nextInt(3) == 0,
          random.nextInt(3) == 0,
          random.nextInt(4) != 0);
    }
  }

  private final Random random;
  private final Shape shape;
  private int nextId;

  StockIndex(Random random, Shape shape) {
    this.random = random;
    this.shape = shape;
  }

  /** The codec of a shape. */
  static Codec codec(Random random, boolean formats) {
    int first = random.nextInt(FORMATS.size());
    return new Lucene104Codec() {
      @Override
      public PostingsFormat getPostingsFormatForField(String field) {
        int number = formats ? (first + Math.max(0, FIELDS.indexOf(field))) % FORMATS.size() : 0;
        return PostingsFormat.forName(FORMATS.get(number));
      }
    };
  }

  /** A configuration without merges, so that a test knows its segments. */
  IndexWriterConfig config(Codec codec) {
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setCodec(codec)
            .setUseCompoundFile(shape.compound)
            .setMaxBufferedDocs(1 << 20)
            .setMergePolicy(NoMergePolicy.INSTANCE);
    if (shape.sorted) {
      config.setIndexSort(new Sort(new SortField("number", SortField.Type.LONG)));
    }
    if (shape.softDeletes) {
      config.setSoftDeletesField(SOFT_DELETES);
      config.setMergePolicy(
          new SoftDeletesRetentionMergePolicy(
              SOFT_DELETES, () -> MatchAllDocsQuery.INSTANCE, NoMergePolicy.INSTANCE));
    }
    return config;
  }

  /** Writes the index with stock Lucene's codec. */
  void write(Directory directory) throws IOException {
    write(directory, codec(random, shape.formats));
  }

  void write(Directory directory, Codec codec) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config(codec))) {
      add(writer);
    }
  }

  /** Adds the documents of the shape, in a commit for each segment. */
  void add(IndexWriter writer) throws IOException {
    for (int segment = 0; segment < shape.segments; segment++) {
      for (int i = 0; i < shape.documents; i++) {
        writer.addDocument(document(nextId++));
      }
      if (shape.deletes) {
        change(writer);
      }
      writer.commit();
    }
  }

  /** Deletes and updates some documents. */
  void change(IndexWriter writer) throws IOException {
    for (int i = 0; i < 1 + shape.documents / 10; i++) {
      int id = random.nextInt(nextId);
      Term term = new Term("id", Integer.toString(id));
      switch (random.nextInt(3)) {
        case 0 -> {
          if (shape.softDeletes) {
            writer.updateDocValues(term, new NumericDocValuesField(SOFT_DELETES, 1));
          } else {
            writer.deleteDocuments(term);
          }
        }
        case 1 -> {
          if (shape.softDeletes) {
            writer.softUpdateDocument(
                term, document(id), new NumericDocValuesField(SOFT_DELETES, 1));
          } else {
            writer.updateDocument(term, document(id));
          }
        }
        default -> writer.updateNumericDocValue(term, "value", random.nextInt(100));
      }
    }
  }

  private Document document(int id) {
    Document document = new Document();
    document.add(new StringField("id", Integer.toString(id), Field.Store.YES));
    document.add(new NumericDocValuesField("number", random.nextInt(1000)));
    document.add(new NumericDocValuesField("value", random.nextInt(100)));
    int words = random.nextInt(12) == 0 ? 200 : random.nextInt(25);
    document.add(new TextField("body", text(words), Field.Store.NO));
    if (random.nextInt(3) != 0) { // norms are sparse
      document.add(new TextField("title", text(1 + random.nextInt(4)), Field.Store.NO));
    }
    document.add(new Field("tag", text(random.nextInt(4)), type(IndexOptions.DOCS, true)));
    document.add(
        new Field("freqs", text(random.nextInt(6)), type(IndexOptions.DOCS_AND_FREQS, true)));
    document.add(
        new Field(
            "offsets",
            text(random.nextInt(6)),
            type(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS, false)));
    return document;
  }

  private static FieldType type(IndexOptions options, boolean omitNorms) {
    FieldType type = new FieldType(TextField.TYPE_NOT_STORED);
    type.setIndexOptions(options);
    type.setOmitNorms(omitNorms);
    type.freeze();
    return type;
  }

  private String text(int words) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append(word(random)).append(' ');
    }
    return text.toString();
  }

  /** A word; w0 is in most documents, the last ones in hardly any. */
  static String word(Random random) {
    double u = random.nextDouble();
    return "w" + (int) (WORDS * u * u * u);
  }
}
