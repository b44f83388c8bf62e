/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher;

import java.io.IOException;
import java.util.Random;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.util.BytesRef;

/** Documents of words w0, w1, ... as unevenly spread as words are, and queries for them. */
public final class Words {
  public static final int COUNT = 80;
  public static final int GROUPS = 7;

  private final Random random;
  private int nextId;

  public Words(Random random) {
    this.random = random;
  }

  /** A word; w0 is in most documents, the last ones in hardly any. */
  public String word() {
    double u = random.nextDouble();
    return "w" + (int) (COUNT * u * u * u);
  }

  public String text(int words) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < words; i++) {
      text.append(word()).append(' ');
    }
    return text.toString();
  }

  public Document document() {
    Document document = new Document();
    document.add(new StringField("id", Integer.toString(nextId++), Field.Store.YES));
    document.add(new TextField("body", text(1 + random.nextInt(30)), Field.Store.YES));
    document.add(new TextField("title", text(random.nextInt(5)), Field.Store.NO));
    document.add(new NumericDocValuesField("number", random.nextInt(50)));
    int point = random.nextInt(100);
    document.add(new IntPoint("point", point));
    document.add(new NumericDocValuesField("point", point));
    String group = "g" + random.nextInt(GROUPS);
    document.add(new SortedDocValuesField("group", new BytesRef(group)));
    return document;
  }

  public void add(IndexWriter writer, int documents) throws IOException {
    for (int i = 0; i < documents; i++) {
      writer.addDocument(document());
    }
  }

  public void delete(IndexWriter writer, int documents) throws IOException {
    for (int i = 0; i < documents; i++) {
      writer.deleteDocuments(new Term("id", Integer.toString(random.nextInt(nextId))));
    }
  }

  public static TermQuery term(String word) {
    return new TermQuery(new Term("body", word));
  }

  /** Words of the body: {@code +w1 -w2 #w3 w4}, # for FILTER. */
  public static BooleanQuery bool(String words) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (String word : words.split(" ")) {
      Occur occur =
          switch (word.charAt(0)) {
            case '+' -> Occur.MUST;
            case '-' -> Occur.MUST_NOT;
            case '#' -> Occur.FILTER;
            default -> Occur.SHOULD;
          };
      builder.add(term(occur == Occur.SHOULD ? word : word.substring(1)), occur);
    }
    return builder.build();
  }

  /** A query that plans can express: two levels, of any shape. */
  public Query query() {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    int clauses = 2 + random.nextInt(3);
    for (int i = 0; i < clauses; i++) {
      Query clause = random.nextInt(4) == 0 ? flat() : leaf();
      builder.add(clause, i == 0 && random.nextInt(3) == 0 ? Occur.MUST : occur());
    }
    return builder.build();
  }

  private Query flat() {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 0; i < 2 + random.nextInt(2); i++) {
      builder.add(leaf(), occur());
    }
    return builder.build();
  }

  private Query leaf() {
    return new TermQuery(new Term(random.nextInt(4) == 0 ? "title" : "body", word()));
  }

  private Occur occur() {
    int dice = random.nextInt(10);
    return dice < 5
        ? Occur.SHOULD
        : dice < 8 ? Occur.MUST : dice < 9 ? Occur.FILTER : Occur.MUST_NOT;
  }
}
