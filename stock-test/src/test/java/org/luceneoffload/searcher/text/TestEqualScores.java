/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.QuickRun;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;

/**
 * Words and phrases that score the same in nearly all documents, as in fields without norms: once
 * enough is counted, no later document can be a better hit, unless it scores more.
 */
class TestEqualScores extends SearcherTestCase {
  private static final int DOCS = 30_000;
  private static final int BEST = 28_000; // scores more than all others
  private static final int FEW = 5_000; // documents to be scored, of DOCS
  private static final int WORDS = 6;

  @Override
  public void write(IndexWriter writer) throws IOException {
    FieldType type = new FieldType(TextField.TYPE_NOT_STORED);
    type.setOmitNorms(true);
    for (int i = 0; i < DOCS; i++) {
      Document document = new Document();
      // A frequency above the phrase's.
      String path = i == 5 ? "org org apache" : "org apache lucene";
      document.add(new Field("path", path, type));
      document.add(new Field("other", i == BEST ? "jar jar jar jar" : "jar jar", type));
      document.add(new TextField("even", i % 2 == 0 ? "yes" : "no", Field.Store.NO));
      document.add(new Field("few", "org apache lucene" + again(i), type));
      document.add(new Field("words", manyWords(), type));
      writer.addDocument(document);
    }
  }

  /** A few documents have one of the words twice. */
  private static String again(int i) {
    return i % 3000 == 7
        ? " org"
        : i % 3000 == 1007 ? " apache" : i % 3000 == 2007 ? " lucene" : "";
  }

  private String manyWords() {
    StringBuilder text = new StringBuilder();
    for (int w = 0; w < WORDS; w++) {
      if (random.nextInt(8) > w % 3) {
        text.append(random.nextInt(500) == 0 ? "w" + w + " w" + w + " " : "w" + w + " ");
      }
    }
    return text.toString();
  }

  private long scored(Query query, int hits) throws IOException {
    OffloadIndexSearcher searcher = always();
    searcher.setQueryCache(null);
    TopDocs expected = stock(reader).search(query, hits);
    int exact = stock(reader).count(query);
    long before = stats().get(Counter.DOCS_SCORED);
    onDevice(
        () -> {
          TopDocs got = searcher.search(query, hits);
          Answers.sameTop(expected, got, exact, Math.max(hits, 1000), query + ", " + hits);
        });
    return stats().get(Counter.DOCS_SCORED) - before;
  }

  @Test
  void whatCannotBeBetterIsNotScored() throws IOException {
    Query phrase = new PhraseQuery("path", "org", "apache");
    Query filtered =
        new BooleanQuery.Builder()
            .add(phrase, Occur.MUST)
            .add(new TermQuery(new Term("even", "yes")), Occur.FILTER)
            .build();
    Query two =
        new BooleanQuery.Builder()
            .add(new TermQuery(new Term("path", "apache")), Occur.MUST)
            .add(new TermQuery(new Term("path", "lucene")), Occur.MUST)
            .build();
    for (Query query : List.of(new TermQuery(new Term("path", "lucene")), phrase, filtered, two)) {
      for (int hits : new int[] {1, 10, 100, 900}) {
        long scored = scored(query, hits);
        assertTrue(scored < FEW, query + ": " + scored + " documents scored for " + hits);
      }
    }
  }

  private static Query of(String field, Object... clauses) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (int i = 0; i < clauses.length; i += 2) {
      query.add(new TermQuery(new Term(field, (String) clauses[i + 1])), (Occur) clauses[i]);
    }
    return query.build();
  }

  /** The phrase of the first two words, and one clause more. */
  private static Query beside(String field, Query clause, Occur occur) {
    return new BooleanQuery.Builder()
        .add(new PhraseQuery(field, "org", "apache"), Occur.MUST)
        .add(clause, occur)
        .build();
  }

  /** The bounds of whole lists are too high here, but those of most blocks are what docs score. */
  @Test
  void blocksThatCannotBeBetterAreNotScored() throws IOException {
    Occur must = Occur.MUST;
    Occur should = Occur.SHOULD;
    List<Query> queries =
        List.of(
            beside("few", new TermQuery(new Term("even", "no")), Occur.MUST_NOT),
            beside("few", new TermQuery(new Term("few", "lucene")), must),
            beside("few", new TermQuery(new Term("few", "lucene")), should),
            of("few", must, "org", must, "apache"),
            of("few", must, "org", must, "apache", must, "lucene"),
            of("few", must, "org", should, "apache"),
            of("few", must, "org", must, "lucene", should, "apache"),
            of("few", should, "org", should, "apache", should, "lucene"));
    for (Query query : queries) {
      for (int hits : new int[] {1, 10, 100, 900}) {
        long scored = scored(query, hits);
        assertTrue(scored < 4 * FEW, query + ": " + scored + " scores for " + hits);
      }
    }
  }

  /** Boosts that differ in the last bits only: which documents are best is a matter of these. */
  @Test
  void scoresThatDifferByRoundingAreRanked() throws IOException {
    for (int i = 0; i < QuickRun.rounds(40); i++) {
      BooleanQuery.Builder query = new BooleanQuery.Builder();
      List<Occur> occurs = List.of(Occur.values());
      float boost = 0.5f + random.nextFloat();
      for (int w = 0; w < 2 + random.nextInt(WORDS - 1); w++) {
        Query word =
            w == 0 && i % 2 == 0
                ? new PhraseQuery("words", "w0", "w1")
                : new TermQuery(new Term("words", "w" + w));
        Occur occur = w == 0 ? Occur.MUST : occurs.get(random.nextInt(occurs.size()));
        query.add(new BoostQuery(word, boost + random.nextInt(4) * Math.ulp(boost)), occur);
      }
      scored(query.build(), 1 + random.nextInt(200));
    }
  }

  @Test
  void whatIsBetterIsFound() throws IOException {
    for (int hits : new int[] {1, 10, 100}) {
      scored(new TermQuery(new Term("other", "jar")), hits);
      scored(new PhraseQuery("other", "jar", "jar"), hits);
      for (Occur occur : List.of(Occur.MUST, Occur.SHOULD)) {
        scored(
            new BooleanQuery.Builder()
                .add(new TermQuery(new Term("path", "org")), Occur.MUST)
                .add(new TermQuery(new Term("other", "jar")), occur)
                .build(),
            hits);
      }
    }
  }
}
