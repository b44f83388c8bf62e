/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import java.io.IOException;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;

/** Random documents whose terms are as unevenly spread as words are. */
final class RandomIndex {
  /** Fields with terms w0, w1, ...: norms and positions; no norms; neither norms nor freqs. */
  static final String[] FIELDS = {"body", "title", "plain", "tag"};

  static final int WORDS = 60;

  private static final FieldType NO_NORMS = new FieldType(TextField.TYPE_NOT_STORED);
  private static final FieldType DOCS_ONLY = new FieldType(TextField.TYPE_NOT_STORED);

  static {
    NO_NORMS.setOmitNorms(true);
    NO_NORMS.freeze();
    DOCS_ONLY.setIndexOptions(IndexOptions.DOCS);
    DOCS_ONLY.freeze();
  }

  private final Random random;
  private int nextId;

  RandomIndex(Random random) {
    this.random = random;
  }

  /** A word; w0 is in most documents, the last ones in hardly any. */
  String word() {
    double u = random.nextDouble();
    return "w" + (int) (WORDS * u * u * u);
  }

  void add(IndexWriter writer, int documents) throws IOException {
    for (int i = 0; i < documents; i++) {
      writer.addDocument(document());
    }
  }

  private Document document() {
    Document document = new Document();
    document.add(new StringField("id", Integer.toString(nextId++), Field.Store.NO));
    int words = random.nextInt(10) == 0 ? random.nextInt(400) : random.nextInt(25);
    document.add(new TextField("body", text(words), Field.Store.NO));
    if (random.nextInt(3) != 0) {
      document.add(new TextField("title", text(1 + random.nextInt(4)), Field.Store.NO));
    }
    document.add(new Field("plain", text(random.nextInt(6)), NO_NORMS));
    document.add(new Field("tag", text(random.nextInt(3)), DOCS_ONLY));
    document.add(new NumericDocValuesField("number", random.nextInt(50)));
    document.add(new IntPoint("point", random.nextInt(100)));
    return document;
  }

  private String text(int words) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append(word()).append(' ');
    }
    return text.toString();
  }

  /** Deletes some documents: those with given IDs, and perhaps all with a rare word. */
  void delete(IndexWriter writer, int documents) throws IOException {
    for (int i = 0; i < documents; i++) {
      int id = random.nextInt(Math.max(1, nextId));
      writer.deleteDocuments(new Term("id", Integer.toString(id)));
    }
    writer.deleteDocuments(new Term("title", "w" + (WORDS - 1 - random.nextInt(10))));
  }
}
