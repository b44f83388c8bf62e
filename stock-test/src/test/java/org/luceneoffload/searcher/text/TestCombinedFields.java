/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.QuickRun;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;

/** Words in several fields as one, of documents that have all, some or none of the fields. */
class TestCombinedFields extends SearcherTestCase {
  private static final String[] FIELDS = {"title", "text", "notes", "a^2 b"};
  private static final int VOCABULARY = 25;

  @Override
  public void add(IndexWriter writer, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      Document document = new Document();
      for (int field = 0; field < FIELDS.length; field++) {
        if (random.nextInt(4) > 0) {
          document.add(new TextField(FIELDS[field], text(field), Field.Store.NO));
        }
      }
      document.add(new StringField("kind", word(), Field.Store.NO));
      writer.addDocument(document);
    }
  }

  @Override
  public void write(IndexWriter writer) throws IOException {
    add(writer, 900);
    writer.flush();
    add(writer, 400);
    writer.deleteDocuments(new Term("text", "w" + (VOCABULARY - 1)));
    writer.flush();
    add(writer, 3);
    writer.flush();
    words.add(writer, 20); // none of the fields
  }

  /** Some are much longer than others: lengths above 40 are rounded. */
  private String text(int field) {
    StringBuilder text = new StringBuilder();
    int length = 1 + random.nextInt(random.nextInt(8) == 0 ? 900 : 5 + 20 * field);
    for (int i = 0; i < length; i++) {
      text.append(word()).append(' ');
    }
    return text.toString();
  }

  private String word() {
    double u = random.nextDouble();
    return "w" + (int) ((VOCABULARY + 1) * u * u);
  }

  private float weight() {
    return switch (random.nextInt(4)) {
      case 0 -> 1f;
      case 1 -> 1 + random.nextInt(5);
      case 2 -> 1 + random.nextFloat();
      default -> 1 + 20 * random.nextFloat();
    };
  }

  /** Two fields with any weights, or more of them without. */
  private Query combined() {
    CombinedFieldQuery.Builder builder = new CombinedFieldQuery.Builder(word());
    if (random.nextInt(3) > 0) {
      builder.addField(FIELDS[random.nextInt(2)], weight());
      builder.addField(FIELDS[2 + random.nextInt(2)], weight());
    } else {
      for (String field : FIELDS) {
        if (random.nextInt(4) > 0) {
          builder.addField(field);
        }
      }
      builder.addField(random.nextBoolean() ? "nowhere" : "title");
    }
    return builder.build();
  }

  private Query clause() {
    return switch (random.nextInt(9)) {
      case 0 -> new BoostQuery(combined(), random.nextFloat() * 5);
      case 1 -> new ConstantScoreQuery(combined());
      case 2 -> new DisjunctionMaxQuery(List.of(combined(), combined()), 0.3f);
      case 3 -> bool(2);
      case 4 -> new TermQuery(new Term("title", word()));
      default -> combined();
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

  private static Query of(String word, float title, float text) {
    return new CombinedFieldQuery.Builder(word)
        .addField("title", title)
        .addField("text", text)
        .build();
  }

  /** The query alone and in places; the device answers, and nothing else may. */
  @Test
  void whereverTheyStand() throws IOException {
    Query text = of("w3", 2f, 1f);
    for (Query query :
        List.of(
            text,
            of("w1", 1f, 1f),
            of("w0", 1.7f, 3.3f),
            new BoostQuery(text, 0.3f),
            new ConstantScoreQuery(text),
            new BooleanQuery.Builder()
                .add(text, Occur.MUST)
                .add(of("w1", 2f, 1f), Occur.MUST)
                .build(),
            new BooleanQuery.Builder()
                .add(text, Occur.SHOULD)
                .add(of("w1", 2f, 1f), Occur.SHOULD)
                .add(of("w12", 2f, 1f), Occur.SHOULD)
                .build(),
            new BooleanQuery.Builder()
                .add(new TermQuery(new Term("title", "w2")), Occur.MUST)
                .add(text, Occur.FILTER)
                .build(),
            new BooleanQuery.Builder()
                .add(new TermQuery(new Term("title", "w2")), Occur.MUST)
                .add(text, Occur.MUST_NOT)
                .build())) {
      OffloadIndexSearcher strict = always();
      strict.setStrict(true);
      Answers.same(stock(reader), query, strict, query);
      same(reader, query);
    }
    assertTrue(stats().get(Counter.UNION_SETS_BUILT) > 0, stats().toString());
    assertTrue(
        always().explainPlan(text).leaves().stream()
            .anyMatch(leaf -> leaf.plan() != null && leaf.plan().op().equals("COMBINED")));
  }

  @Test
  void anyWeights() throws IOException {
    for (int i = 0; i < QuickRun.rounds(40); i++) {
      Query query = combined();
      Answers.same(stock(reader), query, always(), query);
    }
  }

  @Test
  void inQueriesOfAllShapes() throws IOException {
    for (int i = 0; i < QuickRun.rounds(60); i++) {
      Query query = bool(4);
      Answers.same(stock(reader), query, always(), query);
    }
    for (int i = 0; i < QuickRun.rounds(10); i++) {
      same(reader, bool(4));
    }
  }

  /** Norms are made once for a segment, a set of fields and their weights. */
  @Test
  void normsStayOnTheDevice() throws IOException {
    long before = stats().get(Counter.UNION_SETS_BUILT);
    always().search(of("w1", 2f, 1f), 10);
    long built = segmentsWith("w1");
    assertTrue(built >= 2, stats().toString());
    assertEquals(before + built, stats().get(Counter.UNION_SETS_BUILT));
    always().search(of("w2", 2f, 1f), 10);
    always().count(of("w2", 3f, 4f)); // needs none
    built = segmentsWith("w1", "w2");
    assertEquals(before + built, stats().get(Counter.UNION_SETS_BUILT));
    always().search(of("w2", 2f, 1.5f), 10);
    built += segmentsWith("w2");
    assertEquals(before + built, stats().get(Counter.UNION_SETS_BUILT));
  }

  /** The segments with any of some words, which may be few: the smallest has three documents. */
  private long segmentsWith(String... words) throws IOException {
    long segments = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      boolean found = false;
      for (String word : words) {
        found |= leaf.reader().docFreq(new Term("title", word)) > 0;
        found |= leaf.reader().docFreq(new Term("text", word)) > 0;
      }
      segments += found ? 1 : 0;
    }
    return segments;
  }

  /** More words than a plan may have norms for. */
  @Test
  void manyWords() throws IOException {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 0; i < 20; i++) {
      builder.add(of("w" + i, 2f, 1f), Occur.SHOULD);
    }
    Query query = builder.build();
    Answers.same(stock(reader), query, always(), query);
  }

  @Test
  void aDeviceThatKeepsNone() throws IOException {
    OffloadOptions options = OffloadOptions.DEFAULT.withUnionBytes(0);
    try (OffloadDirectory other = OffloadDirectory.open(home.resolve("other"), DEVICE, options)) {
      try (IndexWriter writer = new IndexWriter(other, config())) {
        add(writer, 100);
      }
      try (DirectoryReader own = DirectoryReader.open(other)) {
        Query query = of("w1", 2f, 1f);
        OffloadIndexSearcher searcher = new OffloadIndexSearcher(own);
        Answers.same(stock(own), query, searcher, query);
        searcher.setStrict(true);
        assertThrows(UnsupportedOperationException.class, () -> searcher.search(query, 10));
      }
    }
  }

  /** Stock wants all fields to have norms, or none. */
  @Test
  void fieldsWithoutNorms() throws IOException {
    Query query = new CombinedFieldQuery.Builder("w1").addField("title").addField("kind").build();
    String expected =
        assertThrows(IllegalArgumentException.class, () -> stock(reader).search(query, 10))
            .getMessage();
    for (Way way : Way.values()) {
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class,
              () -> way.searcher(reader).search(way.query(query), 10),
              way.toString());
      assertEquals(expected, e.getMessage());
    }
    Query without = new CombinedFieldQuery.Builder("w1").addField("kind", 2f).build(); // norm 1
    same(reader, without);
  }
}
