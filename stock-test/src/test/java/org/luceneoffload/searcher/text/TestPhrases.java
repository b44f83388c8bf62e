/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiPhraseQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.QuickRun;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.OlderDevice;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;
import org.luceneoffload.wire.Operator;

/** Phrases, alone and in queries of all shapes, of documents of all kinds. */
class TestPhrases extends SearcherTestCase {
  private static final int VOCABULARY = PhraseDocuments.VOCABULARY;
  private static final String[] FIELDS = {"body", "plain"};

  @Override
  public void add(IndexWriter writer, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      writer.addDocument(PhraseDocuments.one(random));
    }
  }

  @Override
  public void write(IndexWriter writer) throws IOException {
    add(writer, 900);
    writer.flush();
    add(writer, 400);
    writer.deleteDocuments(new Term("body", "w" + (VOCABULARY - 1)));
    writer.flush();
    add(writer, 3);
  }

  private Query phrase() {
    return phrase(FIELDS[random.nextInt(2)]);
  }

  private Query phrase(String field) {
    return switch (random.nextInt(3)) {
      case 0 -> exact(field);
      case 1 -> sloppy(field);
      default -> multi(field, random.nextInt(2) * (1 + random.nextInt(6)));
    };
  }

  private Term word(String field) {
    double u = random.nextDouble();
    return new Term(field, "w" + (int) ((VOCABULARY + 1) * u * u));
  }

  /** Terms that may move; at most one of them comes more than once. */
  private Query sloppy(String field) {
    PhraseQuery.Builder builder = new PhraseQuery.Builder();
    Set<Term> used = new HashSet<>();
    boolean repeats = random.nextInt(3) == 0;
    Term repeated = word(field);
    int terms = 2 + random.nextInt(4);
    int place = 0;
    for (int i = 0; i < terms; i++) {
      Term term = repeats && random.nextBoolean() ? repeated : word(field);
      if (used.add(term) || (repeats && term.equals(repeated))) {
        builder.add(term, place);
        place += 1 + (random.nextInt(5) == 0 ? random.nextInt(3) : 0);
      }
    }
    return builder.setSlop(1 + random.nextInt(random.nextInt(3) == 0 ? 100 : 6)).build();
  }

  /** Several terms at a place. With slop they are all different. */
  private Query multi(String field, int slop) {
    MultiPhraseQuery.Builder builder = new MultiPhraseQuery.Builder().setSlop(slop);
    Set<Term> used = new HashSet<>();
    int places = 2 + random.nextInt(3);
    int place = random.nextInt(3);
    for (int i = 0; i < places; i++) {
      List<Term> terms = new ArrayList<>();
      for (int t = random.nextInt(3) == 0 ? 0 : random.nextInt(4); t >= 0; t--) {
        Term term = word(field);
        if (slop == 0 || used.add(term)) {
          terms.add(term);
        }
      }
      if (!terms.isEmpty()) {
        builder.add(terms.toArray(Term[]::new), place);
      }
      place = random.nextInt(8) == 0 ? random.nextInt(5) : place + 1;
    }
    return builder.build();
  }

  private PhraseQuery exact(String field) {
    PhraseQuery.Builder builder = new PhraseQuery.Builder();
    int terms = 2 + random.nextInt(random.nextInt(4) == 0 ? 5 : 2);
    int place = random.nextInt(4) == 0 ? random.nextInt(5) : 0;
    for (int i = 0; i < terms; i++) {
      double u = random.nextDouble();
      builder.add(new Term(field, "w" + (int) (VOCABULARY * u * u)), place);
      place += random.nextInt(5) == 0 ? random.nextInt(4) : 1;
    }
    return builder.build();
  }

  private Query clause() {
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> phrase();
      case 3 -> new BoostQuery(phrase(), random.nextFloat() * 5);
      case 4 -> new ConstantScoreQuery(phrase());
      case 5 -> new DisjunctionMaxQuery(List.of(phrase("body"), phrase("plain")), 0.3f);
      case 6 -> bool(2);
      default -> new TermQuery(new Term("body", "w" + random.nextInt(VOCABULARY)));
    };
  }

  private Query bool(int most) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    int clauses = 1 + random.nextInt(most);
    for (int i = 0; i < clauses; i++) {
      builder.add(clause(), Occur.values()[random.nextInt(4)]);
    }
    builder.add(clause(), random.nextBoolean() ? Occur.SHOULD : Occur.MUST);
    return builder.build();
  }

  @Test
  void alone() throws IOException {
    onDevice(
        () -> {
          for (int i = 0; i < QuickRun.rounds(60); i++) {
            same(reader, phrase());
          }
        });
  }

  @Test
  void inQueriesOfAllShapes() throws IOException {
    onDevice(
        () -> {
          for (int i = 0; i < QuickRun.rounds(60); i++) {
            same(reader, bool(4));
          }
        });
  }

  @Test
  void wordsThatAreNowhereOrInOneSegment() throws IOException {
    same(reader, new PhraseQuery("body", "w0", "nowhere"));
    same(reader, new PhraseQuery("nofield", "w0", "w1"));
    same(reader, new PhraseQuery.Builder().build());
    same(reader, new PhraseQuery("body", "w3"));
    same(reader, new PhraseQuery("body", "w0", "w0", "w0"));
  }

  /**
   * Where a word is stacked on itself, stock's best hits depend on what it looked at before: only
   * scores keep such a phrase from the device.
   */
  @Test
  void equalPositions() throws IOException {
    for (int i = 0; i < QuickRun.rounds(10); i++) {
      same(reader, exact("offsets"));
    }
    PhraseQuery query = new PhraseQuery("offsets", "w0", "w1");
    onHost(() -> new OffloadIndexSearcher(reader).search(query, 10));
    onDevice(() -> new OffloadIndexSearcher(reader).count(query));
  }

  @Test
  void sloppyPhrases() throws IOException {
    onDevice(
        () -> {
          same(reader, new PhraseQuery(2, "body", "w0", "w1"));
          same(reader, new PhraseQuery(65535, "body", "w1", "w0", "w2"));
          same(reader, new PhraseQuery(3, "body", "w0", "w1", "w0"));
          same(reader, new PhraseQuery(1, "plain", "w0", "w0"));
          for (int i = 0; i < QuickRun.rounds(60); i++) {
            same(reader, sloppy(FIELDS[random.nextInt(2)]));
            same(reader, multi(FIELDS[random.nextInt(2)], 1 + random.nextInt(5)));
          }
        });
  }

  /**
   * What stock's matcher makes of these depends on more than the phrase and the document, so only
   * equal searches can be compared.
   */
  @Test
  void repeatsThatStayOnTheHost() throws IOException {
    Term[] w0 = {new Term("body", "w0")};
    Term[] w1 = {new Term("body", "w1")};
    Term[] both = {w0[0], w1[0]};
    for (Query query :
        List.of(
            new PhraseQuery(3, "body", "w0", "w1", "w0", "w1"),
            new PhraseQuery(65536, "body", "w0", "w1"),
            new PhraseQuery.Builder().add(w0[0]).add(w0[0], 0).add(w0[0]).setSlop(2).build(),
            new MultiPhraseQuery.Builder().add(w0).add(both).setSlop(2).build())) {
      onHost(() -> sameWhenAskedAlike(query));
    }
  }

  private void sameWhenAskedAlike(Query query) throws IOException {
    for (Way way : Way.values()) {
      IndexSearcher searcher = way.searcher(reader);
      searcher.setQueryCache(null);
      Query asked = way.query(query);
      assertEquals(stock(reader).count(query), searcher.count(asked), asked.toString());
      assertEquals(
          Answers.hits(stock(reader).search(query, 10)), Answers.hits(searcher.search(asked, 10)));
    }
  }

  @Test
  void severalTermsAtAPlace() throws IOException {
    Term[] w0 = {new Term("body", "w0")};
    Term[] rare = {new Term("body", "w7"), new Term("body", "nowhere"), new Term("body", "w8")};
    Term[] nowhere = {new Term("body", "nowhere"), new Term("body", "nothing")};
    onDevice(
        () -> {
          same(reader, new MultiPhraseQuery.Builder().add(w0).add(rare).build());
          same(reader, new MultiPhraseQuery.Builder().add(w0).add(rare).setSlop(3).build());
          same(reader, new MultiPhraseQuery.Builder().add(w0, 3).add(rare, 1).build());
          same(reader, new MultiPhraseQuery.Builder().add(w0, 1).add(rare, 1).build());
          same(reader, new MultiPhraseQuery.Builder().add(rare).build());
        });
    same(reader, new MultiPhraseQuery.Builder().add(w0).add(nowhere).build());
    same(reader, new MultiPhraseQuery.Builder().add(nowhere).build());
    same(reader, new MultiPhraseQuery.Builder().build());
    for (int i = 0; i < QuickRun.rounds(60); i++) {
      same(reader, multi(FIELDS[random.nextInt(2)], 0));
    }
  }

  @Test
  void fieldsWithoutPositions() {
    for (Query query :
        List.of(
            new PhraseQuery("freqs", "w0", "w1"),
            new BooleanQuery.Builder()
                .add(new TermQuery(new Term("body", "w0")), Occur.MUST)
                .add(new PhraseQuery("freqs", "w0", "w1"), Occur.SHOULD)
                .build())) {
      String expected =
          assertThrows(IllegalStateException.class, () -> stock(reader).search(query, 10))
              .getMessage();
      for (Way way : Way.values()) {
        IllegalStateException e =
            assertThrows(
                IllegalStateException.class,
                () -> way.searcher(reader).search(way.query(query), 10),
                way.toString());
        assertEquals(expected, e.getMessage());
      }
    }
  }

  /** Segments of which some have positions on the device, in a sorted index that changes. */
  @Test
  void sortedIndexWithPositionsInPlaces() throws IOException {
    OffloadOptions without = OffloadOptions.DEFAULT.withPositions("plain");
    for (OffloadOptions options : List.of(without, OffloadOptions.DEFAULT)) {
      IndexWriterConfig config =
          config()
              .setIndexSort(new Sort(new SortField("number", SortField.Type.LONG)))
              .setOpenMode(IndexWriterConfig.OpenMode.CREATE_OR_APPEND);
      try (OffloadDirectory other = OffloadDirectory.open(home.resolve("sorted"), DEVICE, options);
          IndexWriter writer = new IndexWriter(other, config)) {
        add(writer, 500);
        writer.deleteDocuments(new Term("plain", "w3"));
        writer.commit();
        try (DirectoryReader changed = DirectoryReader.open(writer)) {
          for (int i = 0; i < QuickRun.rounds(15); i++) {
            same(changed, phrase());
            same(changed, bool(3));
          }
        }
      }
    }
  }

  /** A device that knows such phrases, and one that is older. */
  @Test
  void olderDevicesLeaveThemToTheHost() throws IOException {
    for (boolean old : new boolean[] {false, true}) {
      Path store = Files.createDirectory(home.resolve("old " + old));
      Operator lacking = old ? Operator.MULTI_PHRASE : Operator.COLUMN_IN;
      Device device = new OlderDevice(store, lacking);
      try (OffloadDirectory other = OffloadDirectory.wrap(new ByteBuffersDirectory(), device)) {
        try (IndexWriter writer = new IndexWriter(other, config())) {
          add(writer, 300);
          writer.forceMerge(1);
        }
        try (DirectoryReader onOther = DirectoryReader.open(other)) {
          Term[] either = {new Term("plain", "w0"), new Term("plain", "w1")};
          Term[] second = {new Term("plain", "w2")};
          same(onOther, new PhraseQuery(2, "body", "w0", "w1", "w2"));
          same(onOther, new PhraseQuery(4, "body", "w0", "w1", "w0"));
          same(onOther, new MultiPhraseQuery.Builder().add(second).add(either).build());
          same(onOther, new MultiPhraseQuery.Builder().add(either).add(second).setSlop(1).build());
          assertEquals(old, other.stats().get(Counter.LEAVES_OFFLOADED) == 0);
          Refusal refusal =
              new OffloadIndexSearcher(onOther)
                  .explainPlan(new PhraseQuery(2, "body", "w0", "w1", "w2"))
                  .leaves()
                  .get(0)
                  .refusal();
          assertEquals(
              old, refusal != null && refusal.detail().endsWith(" lacks operator MULTI_PHRASE"));
          for (int i = 0; i < QuickRun.rounds(20); i++) {
            same(onOther, sloppy("body"));
            same(onOther, multi("plain", 2));
          }
          same(onOther, new PhraseQuery("body", "w0", "w1"));
          assertTrue(other.stats().get(Counter.LEAVES_OFFLOADED) > 0);
        }
        assertEquals(0, other.stats().get(Counter.LEAVES_FALLEN_BACK));
      }
    }
  }

  /** So many matches that most need not be looked at. */
  @Test
  void manyMatches() throws IOException {
    try (OffloadDirectory other = OffloadDirectory.open(home.resolve("many"), DEVICE)) {
      try (IndexWriter writer = new IndexWriter(other, config())) {
        add(writer, 20_000);
        writer.forceMerge(1);
      }
      try (IndexReader many = DirectoryReader.open(other)) {
        List<Query> queries = new ArrayList<>();
        queries.add(new PhraseQuery("body", "w0", "w0"));
        queries.add(new PhraseQuery("body", "w1", "w0"));
        queries.add(new PhraseQuery("plain", "w0", "w1"));
        queries.add(
            new BooleanQuery.Builder()
                .add(new PhraseQuery("body", "w0", "w1"), Occur.MUST)
                .add(new TermQuery(new Term("body", "w5")), Occur.SHOULD)
                .build());
        for (int i = 0; i < QuickRun.rounds(12); i++) {
          queries.add(i % 3 == 0 ? bool(3) : phrase());
        }
        for (Query query : queries) {
          same(many, query);
        }
        IndexSearcher searcher = new OffloadIndexSearcher(many);
        assertTrue(searcher.count(queries.getFirst()) > 2000);
      }
      assertEquals(0, other.stats().get(Counter.IMAGES_BAD));
    }
  }

  /** Stock's lengths of such matches overflow: its own answer is asked for. */
  @Test
  void placesFarApartAreForTheHost() throws IOException {
    Document document = new Document();
    document.add(new TextField("body", new FarApart()));
    try (OffloadDirectory far = OffloadDirectory.open(home.resolve("far"), DEVICE)) {
      try (IndexWriter writer = new IndexWriter(far, config())) {
        for (int i = 0; i < 20; i++) {
          writer.addDocument(document);
        }
      }
      try (DirectoryReader farReader = DirectoryReader.open(far)) {
        for (int place : new int[] {1, 128, 129, 65_535}) { // a query as text is as long as that
          PhraseQuery.Builder phrase = new PhraseQuery.Builder().setSlop(2);
          phrase.add(new Term("body", "a"), 0).add(new Term("body", "b"), place);
          same(farReader, phrase.build());
          MultiPhraseQuery.Builder multi = new MultiPhraseQuery.Builder().setSlop(2);
          multi.add(new Term[] {new Term("body", "a"), new Term("body", "c")}, 0);
          multi.add(new Term[] {new Term("body", "b")}, place);
          same(farReader, multi.build());
        }
      }
    }
  }

  /** Two words at the start, and two near the greatest position. */
  private static final class FarApart extends TokenStream {
    private static final String[] WORDS = {"a", "b", "a", "b"};
    private static final int[] STEPS = {1, 1, IndexWriter.MAX_POSITION - 5, 1};
    private final CharTermAttribute word = addAttribute(CharTermAttribute.class);
    private final PositionIncrementAttribute step = addAttribute(PositionIncrementAttribute.class);
    private int at;

    @Override
    public boolean incrementToken() {
      if (at == WORDS.length) {
        return false;
      }
      clearAttributes();
      word.append(WORDS[at]);
      step.setPositionIncrement(STEPS[at++]);
      return true;
    }

    @Override
    public void reset() {
      at = 0;
    }
  }
}
