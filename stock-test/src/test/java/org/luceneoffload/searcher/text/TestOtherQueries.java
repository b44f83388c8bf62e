/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.IntPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.function.FunctionScoreQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.DoubleValuesSource;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryRescorer;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.apache.lucene.search.join.ScoreMode;
import org.apache.lucene.search.join.ToChildBlockJoinQuery;
import org.apache.lucene.search.join.ToParentBlockJoinQuery;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadQuery;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;
import org.luceneoffload.searcher.Words;

/** Queries of other kinds, beside and around those that the device answers. */
class TestOtherQueries extends SearcherTestCase {
  private static final int ROUNDS = 4;

  private static Query with(Query one, Occur occur, Query other) {
    return new BooleanQuery.Builder().add(one, Occur.MUST).add(other, occur).build();
  }

  @Test
  void besideOthers() throws IOException {
    Query range =
        new IndexOrDocValuesQuery(
            IntPoint.newRangeQuery("point", 10, 60),
            NumericDocValuesField.newSlowRangeQuery("point", 10, 60));
    Query set =
        new TermInSetQuery(
            "body", List.of(new BytesRef("w2"), new BytesRef("w7"), new BytesRef("x")));
    Query prefix = new PrefixQuery(new Term("body", "w1"));
    onDevice(
        () -> {
          for (Query other : List.of(range, set, prefix)) {
            for (Occur occur : Occur.values()) {
              same(reader, with(words.query(), occur, other));
              same(reader, with(Words.bool("w0 w1"), occur, other));
            }
          }
        });
  }

  @Test
  void functionScores() throws IOException {
    DoubleValuesSource number = DoubleValuesSource.fromLongField("number");
    for (int i = 0; i < ROUNDS; i++) {
      Query query = words.query();
      same(reader, new FunctionScoreQuery(query, number));
      same(reader, FunctionScoreQuery.boostByValue(query, number));
      Query boosted = FunctionScoreQuery.boostByValue(new OffloadQuery(query), number);
      Answers.same(
          stock(reader), FunctionScoreQuery.boostByValue(query, number), stock(reader), boosted);
    }
  }

  /** The score of a prohibited clause is in the explanation, though nobody asks for scores. */
  @Test
  void explanationsOfProhibitedClauses() throws IOException {
    Query range = IntPoint.newRangeQuery("point", 10, 60);
    Query all = MatchAllDocsQuery.INSTANCE;
    BooleanQuery inner =
        new BooleanQuery.Builder()
            .add(with(all, Occur.MUST_NOT, Words.term("w4")), Occur.SHOULD)
            .add(range, Occur.SHOULD)
            .build();
    Query query = with(Words.term("w1"), Occur.MUST_NOT, inner);
    for (int doc = 0; doc < reader.maxDoc(); doc++) {
      String expected = stock(reader).explain(query, doc).toString();
      for (Way way : Way.values()) {
        IndexSearcher searcher = way.searcher(reader);
        searcher.setQueryCache(null); // it shows in explanations
        String got = searcher.explain(way.query(query), doc).toString();
        Assertions.assertEquals(expected, got, way.toString());
      }
    }
  }

  @Test
  void rescoring() throws IOException {
    for (int i = 0; i < ROUNDS; i++) {
      Query first = words.query();
      Query second = words.query();
      IndexSearcher stock = stock(reader);
      TopDocs expected = QueryRescorer.rescore(stock, stock.search(first, 50), second, 1.5, 20);
      for (Way way : Way.values()) {
        IndexSearcher searcher = way.searcher(reader);
        TopDocs hits = searcher.search(way.query(first), 50);
        TopDocs got = QueryRescorer.rescore(searcher, hits, way.query(second), 1.5, 20);
        Assertions.assertEquals(Answers.hits(expected), Answers.hits(got), way + " " + second);
      }
    }
  }

  /** Children in front of their parent, matched by the device. */
  @Test
  void blockJoins() throws IOException {
    try (OffloadDirectory blocks = OffloadDirectory.open(home.resolve("blocks"), DEVICE)) {
      try (IndexWriter writer = new IndexWriter(blocks, config())) {
        for (int i = 0; i < 200; i++) {
          List<Document> block = new ArrayList<>();
          for (int child = random.nextInt(6); child >= 0; child--) {
            block.add(words.document());
          }
          Document parent = new Document();
          parent.add(new StringField("kind", "parent", Field.Store.NO));
          parent.add(new StringField("shelf", "s" + i % 4, Field.Store.NO));
          parent.add(new NumericDocValuesField("number", i));
          block.add(parent);
          writer.addDocuments(block);
          if (i == 130) {
            writer.flush();
          }
        }
      }
      try (DirectoryReader joined = DirectoryReader.open(blocks)) {
        QueryBitSetProducer parents =
            new QueryBitSetProducer(new TermQuery(new Term("kind", "parent")));
        Query shelf = new TermQuery(new Term("shelf", "s1"));
        for (int i = 0; i < ROUNDS; i++) {
          Query children = words.query();
          for (ScoreMode mode : ScoreMode.values()) {
            Query join = new ToParentBlockJoinQuery(children, parents, mode);
            same(joined, join);
            same(joined, with(shelf, Occur.SHOULD, join));
            Query inner = new ToParentBlockJoinQuery(new OffloadQuery(children), parents, mode);
            Answers.same(stock(joined), join, stock(joined), inner);
          }
          same(joined, new ToChildBlockJoinQuery(shelf, parents));
          same(joined, with(children, Occur.MUST, new ToChildBlockJoinQuery(shelf, parents)));
        }
      }
    }
  }
}
