/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.concurrency;

import java.io.IOException;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.luceneoffload.OffloadCodec;

/** Documents of random words, queries over them. */
final class WordIndex {
  static final String SOFT_DELETES = "soft";
  private static final int WORDS = 120;

  private WordIndex() {}

  static IndexWriter writer(Directory directory, Random random) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setCodec(new OffloadCodec())
            .setSoftDeletesField(SOFT_DELETES)
            .setUseCompoundFile(random.nextBoolean())
            .setMaxBufferedDocs(20 + random.nextInt(200));
    return new IndexWriter(directory, config);
  }

  static Document document(Random random, int id) {
    StringBuilder text = new StringBuilder();
    for (int w = 1 + random.nextInt(30); w > 0; w--) {
      text.append(word(random)).append(' ');
    }
    Document document = new Document();
    document.add(new StringField("id", Integer.toString(id), Field.Store.NO));
    document.add(new TextField("text", text.toString(), Field.Store.NO));
    return document;
  }

  static Term id(int id) {
    return new Term("id", Integer.toString(id));
  }

  static Field softDeletion() {
    return new NumericDocValuesField(SOFT_DELETES, 1);
  }

  private static String word(Random random) {
    double skew = random.nextDouble();
    return "w" + (int) (skew * skew * WORDS);
  }

  /** AND, OR, NOT, at least two, a nested one. */
  static Query query(Random random) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    int kind = random.nextInt(5);
    int clauses = 2 + random.nextInt(3);
    for (int i = 0; i < clauses; i++) {
      Query term = new TermQuery(new Term("text", word(random)));
      switch (kind) {
        case 0 -> builder.add(term, Occur.MUST);
        case 1 -> builder.add(term, Occur.SHOULD);
        case 2 -> builder.add(term, i == 0 ? Occur.SHOULD : Occur.MUST_NOT);
        case 3 -> builder.add(term, Occur.SHOULD).setMinimumNumberShouldMatch(2);
        default ->
            builder.add(
                i == 0 ? term : new BooleanQuery.Builder().add(term, Occur.SHOULD).build(),
                i == 0 ? Occur.MUST : Occur.SHOULD);
      }
    }
    return builder.build();
  }
}
