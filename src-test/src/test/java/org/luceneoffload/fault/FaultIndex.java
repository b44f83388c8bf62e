/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;

/** An index of seeded random words on the simulated device, and queries over it. */
final class FaultIndex {
  static final String STORE = "offload.vol";
  static final String DEVICE = "sim:capacity=1g,dram=32m,sessions=16";
  private static final int DOCUMENTS = 6_000;
  static final int WORDS = 300;

  private FaultIndex() {}

  /** Writes the index, three segments of it, and closes everything. */
  static void write(Path folder, long seed) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setCodec(new OffloadCodec());
    try (OffloadDirectory directory = OffloadDirectory.open(folder, DEVICE);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < 3; i++) {
        add(writer, seed + i, DOCUMENTS / 3);
        writer.commit();
      }
    }
  }

  /** Adds documents of seeded random words. */
  static void add(IndexWriter writer, long seed, int documents) throws IOException {
    Random random = new Random(seed);
    for (int i = 0; i < documents; i++) {
      StringBuilder text = new StringBuilder();
      for (int w = 3 + random.nextInt(30); w > 0; w--) {
        // The square makes some words frequent and most rare.
        double skew = random.nextDouble();
        text.append('w').append((int) (skew * skew * WORDS)).append(' ');
      }
      Document document = new Document();
      document.add(new TextField("body", text.toString(), Field.Store.NO));
      writer.addDocument(document);
    }
  }

  static List<Query> queries(long seed) {
    Random random = new Random(seed);
    List<Query> queries = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      BooleanQuery.Builder builder = new BooleanQuery.Builder();
      for (int clause = 0; clause < 2 + random.nextInt(3); clause++) {
        Occur occur =
            switch (i % 3) {
              case 0 -> Occur.MUST;
              case 1 -> Occur.SHOULD;
              default -> clause == 0 ? Occur.MUST : Occur.MUST_NOT;
            };
        builder.add(new TermQuery(new Term("body", "w" + random.nextInt(WORDS / 2))), occur);
      }
      queries.add(builder.build());
    }
    return queries;
  }

  /** Returns stock Lucene's answers: a plain directory knows nothing of the device. */
  static List<String> stockAnswers(Path folder, List<Query> queries) throws IOException {
    try (Directory plain = FSDirectory.open(folder);
        DirectoryReader reader = DirectoryReader.open(plain)) {
      return answers(new IndexSearcher(reader), queries);
    }
  }

  /** Returns a searcher's answers, score bits and exact counts included, one line a query. */
  static List<String> answers(IndexSearcher searcher, List<Query> queries) throws IOException {
    List<String> answers = new ArrayList<>();
    for (Query query : queries) {
      TopDocs top = searcher.search(query, 10);
      StringBuilder line = new StringBuilder(query.toString()).append(" ->");
      for (ScoreDoc hit : top.scoreDocs) {
        line.append(' ').append(hit.doc).append(':').append(Float.floatToRawIntBits(hit.score));
      }
      if (top.totalHits.relation() == TotalHits.Relation.EQUAL_TO
          && top.totalHits.value() <= 1000) {
        line.append(" of ").append(top.totalHits.value());
      }
      answers.add(line.append(", count ").append(searcher.count(query)).toString());
    }
    return answers;
  }
}
