/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.collectors;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Matches;
import org.apache.lucene.search.MatchesIterator;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.Weight;
import org.apache.lucene.search.highlight.Highlighter;
import org.apache.lucene.search.highlight.InvalidTokenOffsetsException;
import org.apache.lucene.search.highlight.QueryScorer;
import org.apache.lucene.search.highlight.QueryTermScorer;
import org.apache.lucene.search.highlight.SimpleHTMLFormatter;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;
import org.junit.jupiter.api.Test;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;
import org.luceneoffload.searcher.Words;

/** Where in a document a query matches. */
class TestHighlighting extends SearcherTestCase {
  private Query query(int i) {
    return i % 2 == 0
        ? words.query()
        : new BooleanQuery.Builder()
            .add(words.query(), Occur.SHOULD)
            .add(new PhraseQuery("body", "w0", "w1"), Occur.SHOULD)
            .build();
  }

  @Test
  void unifiedHighlighter() throws IOException {
    for (int i = 0; i < 10; i++) {
      Query query = query(i);
      TopDocs hits = stock(reader).search(query, 5);
      for (boolean weightMatches : new boolean[] {true, false}) {
        UnifiedHighlighter stock =
            UnifiedHighlighter.builder(stock(reader), config().getAnalyzer())
                .withWeightMatches(weightMatches)
                .build();
        String[] expected = stock.highlight("body", query, hits);
        for (Way way : Way.values()) {
          UnifiedHighlighter highlighter =
              UnifiedHighlighter.builder(way.searcher(reader), config().getAnalyzer())
                  .withWeightMatches(weightMatches)
                  .build();
          // Without matches of weights this knows only the query classes that come with Lucene.
          Query asked = weightMatches ? way.query(query) : query;
          assertArrayEquals(
              expected, highlighter.highlight("body", asked, hits), way + " " + query);
        }
      }
    }
  }

  private String[] classic(Query query, String text, boolean spans)
      throws IOException, InvalidTokenOffsetsException {
    Highlighter highlighter =
        new Highlighter(
            new SimpleHTMLFormatter(),
            spans ? new QueryScorer(query, "body") : new QueryTermScorer(query));
    return highlighter.getBestFragments(config().getAnalyzer(), "body", text, 3);
  }

  @Test
  void classicHighlighter() throws IOException, InvalidTokenOffsetsException {
    int marked = 0;
    for (int i = 0; i < 10; i++) {
      Query query = query(i);
      for (ScoreDoc hit : stock(reader).search(query, 5).scoreDocs) {
        String text = reader.storedFields().document(hit.doc).get("body");
        for (boolean spans : new boolean[] {true, false}) {
          String[] expected = classic(query, text, spans);
          marked += expected.length;
          for (Way way : Way.values()) {
            Query asked = way.query(query);
            assertArrayEquals(expected, classic(asked, text, spans), way + " " + query);
            Query rewritten = way.searcher(reader).rewrite(asked);
            assertArrayEquals(
                classic(stock(reader).rewrite(query), text, spans),
                classic(rewritten, text, spans),
                way + " " + query);
          }
        }
      }
    }
    assertEquals(true, marked > 0);
  }

  private static List<String> matches(IndexSearcher searcher, Query query, int doc)
      throws IOException {
    Weight weight = searcher.createWeight(searcher.rewrite(query), ScoreMode.COMPLETE, 1f);
    for (LeafReaderContext leaf : searcher.getLeafContexts()) {
      if (doc < leaf.docBase || doc >= leaf.docBase + leaf.reader().maxDoc()) {
        continue;
      }
      Matches matches = weight.matches(leaf, doc - leaf.docBase);
      if (matches == null) {
        return null;
      }
      List<String> found = new ArrayList<>();
      for (String field : matches) {
        MatchesIterator at = matches.getMatches(field);
        while (at.next()) {
          found.add(
              field + " " + at.startPosition() + " " + at.endPosition() + " " + at.getQuery());
        }
      }
      return found;
    }
    throw new AssertionError("no doc " + doc);
  }

  @Test
  void matchesOfHitsAndOthers() throws IOException {
    int some = 0;
    int none = 0;
    for (int i = 0; i < 12; i++) {
      Query query = query(i);
      for (int doc = 0; doc < reader.maxDoc(); doc += 1 + random.nextInt(200)) {
        List<String> expected = matches(stock(reader), query, doc);
        some += expected == null ? 0 : 1;
        none += expected == null ? 1 : 0;
        for (Way way : Way.values()) {
          IndexSearcher searcher = way.searcher(reader);
          assertEquals(expected, matches(searcher, way.query(query), doc), way + " " + query);
        }
      }
    }
    assertEquals(true, some > 0 && none > 0);
    assertNull(matches(stock(reader), Words.term("nothere"), 0));
    assertNotNull(reader);
  }
}
