/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import java.io.IOException;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;

/**
 * An index of which every number is known. Of the documents of each segment all have the word
 * "all", every second has "even", the others "odd", every third "third".
 */
public final class CountedIndex {
  /** Segments. */
  public static final int SEGMENTS = 3;

  /** Documents of a segment. */
  public static final int DOCS = 300;

  private CountedIndex() {}

  /** Writes it. */
  public static void write(Directory directory) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config())) {
      for (int i = 0; i < SEGMENTS * DOCS; i++) {
        Document document = new Document();
        document.add(new StringField("id", "id" + i, Field.Store.NO));
        String text = i % 2 == 0 ? "all even" : "all odd odd";
        text += i % 3 == 0 ? " third" : "";
        document.add(new TextField("body", text, Field.Store.NO));
        writer.addDocument(document);
        if (i % DOCS == DOCS - 1) {
          writer.flush();
        }
      }
    }
  }

  /** Deletes one document of a segment. */
  public static void deleteOne(Directory directory, int segment) throws IOException {
    try (IndexWriter writer = new IndexWriter(directory, config())) {
      writer.deleteDocuments(new Term("id", "id" + (segment * DOCS + 1)));
    }
  }

  private static IndexWriterConfig config() {
    return new IndexWriterConfig(new StandardAnalyzer())
        .setCodec(new OffloadCodec())
        .setUseCompoundFile(false)
        .setMergePolicy(NoMergePolicy.INSTANCE);
  }

  /** Opens it with a searcher without a query cache. */
  public static OffloadIndexSearcher searcher(DirectoryReader reader) {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    searcher.setQueryCache(null);
    return searcher;
  }

  /** All of these words. */
  public static Query all(String... words) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (String word : words) {
      query.add(new TermQuery(new Term("body", word)), Occur.MUST);
    }
    return query.build();
  }

  /** A query that plans cannot express. */
  public static Query phrase() {
    return new PhraseQuery(70_000, "body", "all", "even");
  }
}
