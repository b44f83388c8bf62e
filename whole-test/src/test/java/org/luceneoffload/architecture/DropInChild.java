/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.architecture;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.report.OffloadStats.Counter;

/** An application that has the drop-in jar, Lucene and nothing else. */
final class DropInChild {
  private static final int DOCS = 5000;

  private DropInChild() {}

  /** Indexes into the folder {@code args[0]}, searches, and prints what came of it. */
  public static void main(String[] args) throws IOException {
    try (OffloadDirectory directory = OffloadDirectory.open(Path.of(args[0]), "sim")) {
      IndexWriterConfig config = new IndexWriterConfig(new StandardAnalyzer());
      try (IndexWriter writer = new IndexWriter(directory, config.setCodec(new OffloadCodec()))) {
        for (int i = 0; i < DOCS; i++) {
          Document doc = new Document();
          String text = "every " + (i % 3 == 0 ? "third " : "") + (i % 5 == 0 ? "fifth" : "");
          doc.add(new TextField("text", text, Field.Store.NO));
          writer.addDocument(doc);
        }
      }
      Query query =
          new BooleanQuery.Builder()
              .add(new TermQuery(new Term("text", "third")), Occur.MUST)
              .add(new TermQuery(new Term("text", "fifth")), Occur.MUST)
              .build();
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        String ours = hits(new OffloadIndexSearcher(reader), query);
        String stock = hits(new IndexSearcher(reader), query);
        System.out.println("same answer: " + ours.equals(stock));
      }
      long offloaded = directory.stats().get(Counter.LEAVES_OFFLOADED);
      System.out.println("on the device: " + (offloaded > 0));
    }
    Module module = OffloadDirectory.class.getModule();
    System.out.println("module: " + module.getName());
    System.out.println("shows internals: " + module.isExported("org.luceneoffload.search"));
  }

  private static String hits(IndexSearcher searcher, Query query) throws IOException {
    ScoreDoc[] hits = searcher.search(query, 10).scoreDocs;
    return Arrays.stream(hits).map(hit -> hit.doc + " " + hit.score).toList().toString();
  }
}
