/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.QuickRun;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Words;

/** Unions of too many terms for a plan, and those asked for again, are sets on the device. */
class TestUnionSets extends SearcherTestCase {
  /** Terms of the field "many" in each segment that has it. */
  private static final int MANY = 4500;

  private static final int DOCS = 2000;

  @Override
  public void write(IndexWriter writer) throws IOException {
    super.write(writer);
    writer.flush();
    for (int segment = 0; segment < 2; segment++) {
      for (int i = 0; i < DOCS; i++) {
        Document document = words.document();
        for (int n = 0; n < 6; n++) {
          String term = "m" + (n < 3 ? (3 * i + n) % MANY : random.nextInt(MANY));
          document.add(new StringField("many", term, Field.Store.NO));
        }
        writer.addDocument(document);
      }
      words.delete(writer, 60);
      writer.flush();
    }
  }

  private static Query prefix(String prefix) {
    return new PrefixQuery(new Term("many", prefix));
  }

  /** More terms than a plan has room for. */
  private static List<Query> large() {
    return List.of(
        prefix("m"),
        new WildcardQuery(new Term("many", "m*")),
        new WildcardQuery(new Term("many", "*?")),
        new RegexpQuery(new Term("many", "m[1-4][0-9]*")),
        new TermRangeQuery("many", new BytesRef("m1"), new BytesRef("m39"), true, false));
  }

  private static Query bool(Query one, Occur occur, Query other) {
    return new BooleanQuery.Builder().add(one, Occur.MUST).add(other, occur).build();
  }

  private List<Query> places(Query union) {
    Query text = Words.bool("w0 w3");
    Query word = words.query();
    return List.of(
        union,
        new BoostQuery(union, 2.5f),
        bool(text, Occur.FILTER, union),
        bool(word, Occur.FILTER, union),
        bool(text, Occur.MUST, new BoostQuery(union, 0.3f)),
        bool(text, Occur.SHOULD, union),
        bool(word, Occur.MUST_NOT, union),
        bool(union, Occur.SHOULD, text),
        bool(union, Occur.FILTER, prefix("m2")),
        new BooleanQuery.Builder()
            .add(union, Occur.SHOULD)
            .add(text, Occur.SHOULD)
            .add(prefix("m3"), Occur.SHOULD)
            .setMinimumNumberShouldMatch(2)
            .build());
  }

  private OffloadIndexSearcher always(IndexReader of) {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(of);
    searcher.setPlacement(Placement.ALWAYS);
    searcher.setQueryCache(null);
    return searcher;
  }

  @Test
  void largeUnionsSayWhatStockSays() throws IOException {
    for (Query union : large()) {
      List<Query> places = places(union);
      onDevice(
          () -> {
            for (Query query : places) {
              Answers.same(stock(reader), query, always(), query);
            }
          });
      same(reader, places.get(random.nextInt(places.size())));
    }
    assertTrue(stats().get(Counter.UNION_SETS_BUILT) >= 2, stats().toString());
    assertTrue(stats().get(Counter.UNION_SETS_HIT) > 0, stats().toString());
    assertTrue(
        always().explainPlan(prefix("m")).leaves().stream()
            .anyMatch(
                leaf ->
                    leaf.plan() != null
                        && leaf.plan().children().stream()
                            .anyMatch(node -> node.op().equals("DOC_SET"))));
  }

  @Test
  void unionsAskedForAgainStayOnTheDevice() throws IOException {
    for (String prefix : new String[] {"m1", "m12", "m33"}) {
      for (int turn = 0; turn < QuickRun.times(3, 6); turn++) {
        for (Query query : places(prefix(prefix))) {
          Answers.same(stock(reader), query, always(), query);
        }
      }
    }
    assertTrue(stats().get(Counter.UNION_SETS_BUILT) >= 6, stats().toString());
    long built = stats().get(Counter.UNION_SETS_BUILT);
    long hits = stats().get(Counter.UNION_SETS_HIT);
    assertEquals(stock(reader).count(prefix("m12")), always().count(prefix("m12")));
    assertEquals(built, stats().get(Counter.UNION_SETS_BUILT));
    assertEquals(hits + 2, stats().get(Counter.UNION_SETS_HIT));
  }

  @Test
  void onceIsNotWorthASet() throws IOException {
    assertEquals(stock(reader).count(prefix("m2")), always().count(prefix("m2")));
    assertEquals(0, stats().get(Counter.UNION_SETS_BUILT), stats().toString());
  }

  @Test
  void deletesAreNoPartOfASet() throws IOException {
    Query union = prefix("m");
    Answers.same(stock(reader), union, always(), union);
    long built = stats().get(Counter.UNION_SETS_BUILT);
    try (IndexWriter writer = new IndexWriter(directory, config())) {
      writer.deleteDocuments(new Term("many", "m7"), new Term("many", "m8"));
      words.delete(writer, 100);
      try (DirectoryReader later = DirectoryReader.open(writer)) {
        assertTrue(stock(later).count(union) < stock(reader).count(union));
        for (Query query : places(union)) {
          Answers.same(stock(later), query, always(later), query);
        }
      }
    }
    assertTrue(built > 0);
    Answers.same(stock(reader), union, always(), union);
  }

  /** Another index, whose device has room for four sets or none. */
  private void withUnionBytes(long bytes, Action action) throws IOException {
    DirectoryReader before = reader;
    OffloadOptions options = OffloadOptions.DEFAULT.withUnionBytes(bytes);
    try (OffloadDirectory other = OffloadDirectory.open(home.resolve("other"), DEVICE, options)) {
      try (IndexWriter writer = new IndexWriter(other, config())) {
        write(writer);
      }
      try (DirectoryReader own = DirectoryReader.open(other)) {
        reader = own;
        action.run();
        assertEquals(0, other.stats().get(Counter.LEAVES_FALLEN_BACK), other.stats().toString());
        if (bytes == 0) {
          assertEquals(0, other.stats().get(Counter.UNION_SETS_BUILT));
        } else {
          assertTrue(other.stats().get(Counter.UNION_SETS_EVICTED) > 0, other.stats().toString());
        }
      } finally {
        reader = before;
      }
    }
  }

  @Test
  void setsMakeRoomForOthers() throws IOException {
    withUnionBytes(
        4 * (DOCS / 64 + 2) * 8,
        () -> {
          for (int turn = 0; turn < QuickRun.times(1, 3); turn++) {
            for (Query union : large()) {
              for (Query query : places(union)) {
                Answers.same(stock(reader), query, always(), query);
              }
              same(reader, union);
            }
          }
        });
  }

  @Test
  void withoutMemoryTooManyTermsAreForTheHost() throws IOException {
    withUnionBytes(
        0,
        () -> {
          for (Query union : large()) {
            Answers.same(stock(reader), union, always(), union);
          }
          assertTrue(
              always().explainPlan(prefix("m")).leaves().stream()
                  .anyMatch(
                      leaf ->
                          leaf.refusal() != null
                              && leaf.refusal().reason() == Refusal.Reason.PLAN_LIMIT));
        });
  }

  @Test
  void threadsShareSets() throws IOException {
    withUnionBytes(
        4 * (DOCS / 64 + 2) * 8,
        () -> {
          List<Query> queries = new ArrayList<>();
          large().forEach(union -> queries.addAll(places(union)));
          List<Integer> counts = new ArrayList<>();
          for (Query query : queries) {
            counts.add(stock(reader).count(query));
          }
          ExecutorService executor = Executors.newFixedThreadPool(6);
          try {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < 6; thread++) {
              int from = thread;
              all.add(
                  executor.submit(
                      () -> {
                        for (int i = 0; i < 2 * queries.size(); i++) {
                          int at = (from / 2 * 7 + i) % queries.size();
                          assertEquals(counts.get(at), always().count(queries.get(at)));
                        }
                        return null;
                      }));
            }
            for (Future<?> one : all) {
              one.get();
            }
          } catch (Exception e) {
            throw new AssertionError(e);
          } finally {
            executor.shutdownNow();
          }
        });
  }
}
