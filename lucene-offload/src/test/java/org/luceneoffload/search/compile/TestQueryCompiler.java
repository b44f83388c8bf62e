/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LongField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.BooleanSimilarity;
import org.apache.lucene.search.similarities.ClassicSimilarity;
import org.apache.lucene.search.similarities.PerFieldSimilarityWrapper;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.codec.HandMadeImages;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.RamBlockDevice;
import org.luceneoffload.device.ReferenceProgram;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.report.PlanExplanation.Place;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.store.guard.DeviceHandle;

/** Plans of queries, and reasons why there is none. */
public class TestQueryCompiler {
  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private final RamBlockDevice device = new RamBlockDevice(1 << 12, new ReferenceProgram());
  private final DeviceHandle handle = new DeviceHandle(device, () -> {});
  private DirectoryReader reader;
  private OffloadIndexSearcher searcher;

  @BeforeEach
  void open() throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer()).setMergePolicy(NoMergePolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      add(writer, "w0 w1 w2");
      add(writer, "w0 w1");
      add(writer, "w0 w3 w3");
      writer.flush();
      add(writer, "w0 w1 w4");
      add(writer, "w0 w4");
    }
    HandMadeImages images = new HandMadeImages(handle, OffloadOptions.DEFAULT);
    reader = images.open(DirectoryReader.open(directory));
    searcher = new OffloadIndexSearcher(reader);
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
    handle.release();
  }

  private static void add(IndexWriter writer, String body) throws IOException {
    Document document = new Document();
    document.add(new TextField("body", body, Field.Store.NO));
    writer.addDocument(document);
  }

  /** A flat query of terms of "body": {@code +required}, {@code -excluded}, {@code #filter}. */
  public static Query parse(String text) {
    return builder(text).build();
  }

  private static BooleanQuery.Builder builder(String text) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (String part : text.split(" ")) {
      Occur occur =
          switch (part.charAt(0)) {
            case '+' -> Occur.MUST;
            case '-' -> Occur.MUST_NOT;
            case '#' -> Occur.FILTER;
            default -> Occur.SHOULD;
          };
      String term = occur == Occur.SHOULD ? part : part.substring(1);
      term = term.substring(term.indexOf(':') + 1);
      builder.add(new TermQuery(new Term("body", term)), occur);
    }
    return builder;
  }

  /** The tree of a segment on one line. */
  private String plan(Query query, int leaf) throws IOException {
    PlanExplanation explanation = searcher.explainPlan(query);
    assertNull(explanation.refusal());
    PlanExplanation.Leaf got = explanation.leaves().get(leaf);
    return got.place() == Place.DEVICE ? line(got.plan()) : got.place().toString();
  }

  private static String line(PlanExplanation.Node node) {
    StringBuilder out = new StringBuilder(node.occur()).append(' ');
    out.append(node.list() == null ? node.op() : node.list().term());
    if (node.minShould() > 0) {
      out.append('~').append(node.minShould());
    }
    if (!node.children().isEmpty()) {
      out.append(" (");
      for (PlanExplanation.Node child : node.children()) {
        out.append(out.charAt(out.length() - 1) == '(' ? "" : ", ").append(line(child));
      }
      out.append(')');
    }
    return out.toString();
  }

  @Test
  void clausesWithoutTermsInTheSegmentAreDropped() throws IOException {
    assertEquals("MUST BOOL (SHOULD body:w0, SHOULD body:w3)", plan(parse("w0 w3 w4"), 0));
    assertEquals("MUST BOOL (SHOULD body:w0, SHOULD body:w4)", plan(parse("w0 w3 w4"), 1));
    assertEquals("MUST body:w3", plan(parse("w3 w4"), 0));
    assertEquals("NOWHERE", plan(parse("+w0 +w4"), 0));
    assertEquals("MUST BOOL (MUST body:w0, MUST_NOT body:w3)", plan(parse("+w0 -w3 -w4"), 0));
    assertEquals("MUST body:w0", plan(parse("+w0 -w3"), 1));
  }

  @Test
  void optionalClausesBecomeRequiredWhenAllOfThemHaveTo() throws IOException {
    Query twoOfThree = builder("w0 w1 w3").setMinimumNumberShouldMatch(2).build();
    assertEquals(
        "MUST BOOL~2 (SHOULD body:w0, SHOULD body:w1, SHOULD body:w3)", plan(twoOfThree, 0));
    assertEquals("MUST BOOL (MUST body:w0, MUST body:w1)", plan(twoOfThree, 1));
    Query three = builder("w0 w1 w3 w2").setMinimumNumberShouldMatch(3).build();
    assertEquals("NOWHERE", plan(three, 1));
  }

  @Test
  void matchAllUnderNot() throws IOException {
    Query query =
        new BooleanQuery.Builder()
            .add(MatchAllDocsQuery.INSTANCE, Occur.MUST)
            .add(new TermQuery(new Term("body", "w3")), Occur.MUST_NOT)
            .build();
    assertEquals("MUST BOOL (MUST ALL, MUST_NOT body:w3)", plan(query, 0));
    // The other segment lacks the term: its plan refers to no list, and runs on the device still.
    assertEquals("MUST ALL", plan(query, 1));
    assertEquals(4, searcher.count(query));
  }

  @Test
  void matchAllAloneStaysOnTheHost() throws IOException {
    PlanExplanation.Leaf leaf = searcher.explainPlan(MatchAllDocsQuery.INSTANCE).leaves().get(1);
    assertEquals(Place.HOST, leaf.place());
    assertEquals(Refusal.Reason.NO_LISTS, leaf.refusal().reason());
  }

  @Test
  void boostsMultiplyInFloat() throws IOException {
    Query inner = new BoostQuery(new TermQuery(new Term("body", "w1")), 0.1f);
    Query query =
        new BoostQuery(
            new BooleanQuery.Builder()
                .add(inner, Occur.MUST)
                .add(new TermQuery(new Term("body", "w0")), Occur.MUST)
                .build(),
            0.7f);
    PlanExplanation.Node root = searcher.explainPlan(query).leaves().get(0).plan();
    float idf = (float) Math.log(1 + (5 - 3 + 0.5D) / (3 + 0.5D));
    float expected = 0.1f * 0.7f * idf;
    boolean found = false;
    for (PlanExplanation.Node child : root.children()) {
      found |= child.weight() == expected;
    }
    assertTrue(found, root.toString());
  }

  @Test
  void refusesWhatPlansCannotExpress() throws IOException {
    Query query =
        new BooleanQuery.Builder()
            .add(parse("+w0 +w1"), Occur.MUST)
            .add(LongField.newDistanceFeatureQuery("body", 1f, 0, 1), Occur.MUST)
            .build();
    Refusal refusal = searcher.explainPlan(query).refusal();
    assertSame(Refusal.Reason.UNSUPPORTED_QUERY, refusal.reason());
    assertTrue(refusal.detail().contains("LongDistanceFeatureQuery"), refusal.detail());
  }

  @Test
  void scoresOfAnySimilarity() throws IOException {
    Query query = parse("w0 w1");
    searcher.setSimilarity(
        new PerFieldSimilarityWrapper() {
          @Override
          public Similarity get(String field) {
            return new BM25Similarity(0.9f, 0.4f);
          }
        });
    assertFalse(searcher.explainPlan(query).toString().contains("TABLE_TERM"));
    for (Similarity other : List.of(new ClassicSimilarity(), new BM25Similarity() {})) {
      searcher.setSimilarity(other);
      assertNull(searcher.explainPlan(query).refusal());
      assertTrue(searcher.explainPlan(query).toString().contains("TABLE_TERM"));
    }
    searcher.setSimilarity(new BooleanSimilarity());
    assertTrue(searcher.explainPlan(query).toString().contains("CONST"));
  }

  @Test
  void phrasesAndSynonymsScoreWithBm25Alone() throws IOException {
    searcher.setSimilarity(new ClassicSimilarity());
    Query synonym =
        new SynonymQuery.Builder("body")
            .addTerm(new Term("body", "w0"))
            .addTerm(new Term("body", "w1"))
            .build();
    Refusal refusal = searcher.explainPlan(synonym).refusal();
    assertSame(Refusal.Reason.SIMILARITY, refusal.reason());
    assertTrue(refusal.detail().contains("ClassicSimilarity"), refusal.detail());
    assertEquals(5, searcher.count(parse("w0 w1 w4")));
  }

  @Test
  void explanationPrints() throws IOException {
    String text = searcher.explainPlan(parse("+w0 +w3")).toString();
    assertTrue(text.contains("segment 0 (3 docs): device ram, plan "), text);
    assertTrue(text.contains("    MUST TERM body:w3  df 1, inline  weight "), text);
    assertTrue(text.contains("segment 1 (2 docs): no doc can match"), text);
  }
}
