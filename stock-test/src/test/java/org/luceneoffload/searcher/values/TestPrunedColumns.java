/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.values;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.Query;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.report.PlanExplanation;
import org.luceneoffload.searcher.SearcherTestCase;

/** What the host knows of the pages of a column spares commands, and tells a planner what to do. */
class TestPrunedColumns extends SearcherTestCase {
  private static final int STEPS = 3;
  private static final int DOCS_A_STEP = 10_000;
  private static final int HEIGHT = 1_000_000;

  /** Values in steps with much room between them: every page is of one step, or of two. */
  @Override
  public void write(IndexWriter writer) throws IOException {
    for (int i = 0; i < STEPS * DOCS_A_STEP; i++) {
      Document document = new Document();
      document.add(new NumericDocValuesField("step", (long) (i / DOCS_A_STEP) * HEIGHT + i % 1000));
      writer.addDocument(document);
    }
    writer.forceMerge(1);
  }

  private static Query range(long lo, long hi) {
    return NumericDocValuesField.newSlowRangeQuery("step", lo, hi);
  }

  @Test
  void rangesBesideAllValuesAskNoDevice() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    PlanExplanation.Leaf leaf = searcher.explainPlan(range(-5000, -1)).leaves().get(0);
    assertEquals(PlanExplanation.Place.NOWHERE, leaf.place());
    Query above = range(2 * HEIGHT + 1000, Long.MAX_VALUE);
    onHost(() -> assertEquals(0, searcher.count(above)));
    same(reader, above);
  }

  @Test
  void plansKnowWhichPagesARangeConcerns() throws IOException {
    OffloadIndexSearcher searcher = new OffloadIndexSearcher(reader);
    Query half = range(HEIGHT - 1000, HEIGHT + 499);
    onDevice(() -> assertEquals(DOCS_A_STEP / 2, searcher.count(half)));
    same(reader, half);
    PlanExplanation explained = searcher.explainPlan(half);
    PlanExplanation.ColumnRange column = explained.leaves().get(0).plan().range();
    assertTrue(column.pagesInRange() > 0, column.toString());
    assertTrue(column.pagesInRange() < column.pages() / 2 + 2, column.toString());
    String pages = column.pagesInRange() + " of " + column.pages() + " pages";
    assertTrue(explained.toString().contains(pages), explained.toString());
  }
}
