/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.searcher.collectors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.facet.DrillDownQuery;
import org.apache.lucene.facet.DrillSideways;
import org.apache.lucene.facet.Facets;
import org.apache.lucene.facet.FacetsCollector;
import org.apache.lucene.facet.FacetsCollectorManager;
import org.apache.lucene.facet.FacetsConfig;
import org.apache.lucene.facet.LongValueFacetCounts;
import org.apache.lucene.facet.sortedset.DefaultSortedSetDocValuesReaderState;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesFacetCounts;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesFacetField;
import org.apache.lucene.facet.sortedset.SortedSetDocValuesReaderState;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiCollector;
import org.apache.lucene.search.MultiCollectorManager;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHitCountCollectorManager;
import org.apache.lucene.search.grouping.GroupDocs;
import org.apache.lucene.search.grouping.GroupingSearch;
import org.apache.lucene.search.grouping.TopGroups;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.searcher.Answers;
import org.luceneoffload.searcher.SearcherTestCase;
import org.luceneoffload.searcher.Way;
import org.luceneoffload.searcher.Words;

/** Collectors of every kind, fed by the device. */
class TestCollectors extends SearcherTestCase {
  private static final int ROUNDS = 10;

  /** A search, whose result is a text. */
  @FunctionalInterface
  private interface Search {
    String run(IndexSearcher searcher, Query query) throws IOException;
  }

  private void sameForSome(Search search) throws IOException {
    sameForSome(reader, search);
  }

  private void sameForSome(DirectoryReader searched, Search search) throws IOException {
    for (int i = 0; i < ROUNDS; i++) {
      Query query = words.query();
      String expected = search.run(stock(searched), query);
      for (Way way : Way.values()) {
        IndexSearcher searcher = way.searcher(searched);
        assertEquals(expected, search.run(searcher, way.query(query)), way + " " + query);
      }
    }
  }

  @Test
  void topFields() throws IOException {
    List<Sort> sorts =
        List.of(
            new Sort(new SortField("number", SortField.Type.LONG, true), SortField.FIELD_SCORE),
            new Sort(SortField.FIELD_SCORE, new SortField("number", SortField.Type.LONG)),
            new Sort(SortField.FIELD_DOC),
            new Sort(new SortField("group", SortField.Type.STRING)));
    for (Sort sort : sorts) {
      for (int threshold : new int[] {5, Integer.MAX_VALUE}) {
        sameForSome(
            (searcher, query) -> {
              TopFieldDocs hits =
                  searcher.search(query, new TopFieldCollectorManager(sort, 8, null, threshold));
              return Answers.hits(hits) + (threshold == 5 ? "" : hits.totalHits.toString());
            });
      }
      // Pages to the end.
      sameForSome(
          (searcher, query) -> {
            List<String> all = new ArrayList<>();
            FieldDoc after = null;
            do {
              TopFieldDocs page = searcher.searchAfter(after, query, 200, sort, true);
              all.addAll(Answers.hits(page));
              int count = page.scoreDocs.length;
              after = count == 0 ? null : (FieldDoc) page.scoreDocs[count - 1];
            } while (after != null);
            return all.toString();
          });
    }
  }

  @Test
  void severalAtOnce() throws IOException {
    sameForSome(
        (searcher, query) -> {
          Object[] results =
              searcher.search(
                  query,
                  new MultiCollectorManager(
                      new TopScoreDocCollectorManager(5, null, Integer.MAX_VALUE),
                      new TotalHitCountCollectorManager(searcher.getSlices()),
                      new Answers.All(ScoreMode.COMPLETE)));
          TopDocs top = (TopDocs) results[0];
          return Answers.hits(top) + " " + top.totalHits + results[1] + results[2];
        });
  }

  private static final class Stop extends RuntimeException {}

  /** Takes some docs, then ends a segment, or the search. */
  private static final class Some extends SimpleCollector {
    private final int perSegment;
    private final boolean endsSearch;
    private final List<Integer> docs = new ArrayList<>();
    private int base;
    private int left;

    Some(int perSegment, boolean endsSearch) {
      this.perSegment = perSegment;
      this.endsSearch = endsSearch;
    }

    @Override
    protected void doSetNextReader(LeafReaderContext context) {
      base = context.docBase;
      left = perSegment;
      if (left == 0 && !endsSearch) {
        throw new CollectionTerminatedException();
      }
    }

    @Override
    public void collect(int doc) {
      if (left-- == 0) {
        throw endsSearch ? new Stop() : new CollectionTerminatedException();
      }
      docs.add(base + doc);
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE_NO_SCORES;
    }
  }

  @Test
  @SuppressWarnings("deprecation")
  void thatEndEarly() throws IOException {
    for (int some : new int[] {0, 1, 7, 300}) {
      sameForSome(
          (searcher, query) -> {
            Some collector = new Some(some, false);
            searcher.search(query, collector);
            return collector.docs.toString();
          });
      sameForSome(
          (searcher, query) -> {
            Some collector = new Some(some, true);
            try {
              searcher.search(query, collector);
            } catch (Stop e) {
              return collector.docs + " and no more";
            }
            return collector.docs.toString();
          });
      sameForSome(
          (searcher, query) -> {
            Some one = new Some(some, false);
            Some other = new Some(2 * some, false);
            searcher.search(query, MultiCollector.wrap(one, other));
            return one.docs + " " + other.docs;
          });
    }
    // Sessions of searches that were broken off are acquired again.
    onDevice(() -> stock(reader).search(Way.WRAPPED_QUERY.query(Words.bool("w0 w1")), 10));
  }

  /** A collector that asks which clauses match is shown scorers that are at its doc. */
  @Test
  @SuppressWarnings("deprecation")
  void childrenOfScorers() throws IOException {
    class Children extends SimpleCollector {
      private Scorable scorer;
      private int children;

      @Override
      public void setScorer(Scorable newScorer) throws IOException {
        scorer = newScorer;
        scorer.getChildren();
      }

      @Override
      public void collect(int doc) throws IOException {
        for (Scorable.ChildScorable child : scorer.getChildren()) {
          assertEquals(doc, ((Scorer) child.child()).docID());
          children++;
        }
      }

      @Override
      public ScoreMode scoreMode() {
        return ScoreMode.COMPLETE;
      }
    }

    Query query = Words.bool("+w0 +w1");
    for (Way way : Way.values()) {
      Children collector = new Children();
      way.searcher(reader).search(way.query(query), collector);
      assertEquals(2 * stock(reader).count(query), collector.children);
    }
  }

  private static String groups(TopGroups<BytesRef> groups) {
    StringBuilder text = new StringBuilder();
    text.append(groups.totalHitCount).append(' ').append(groups.totalGroupedHitCount);
    for (GroupDocs<BytesRef> group : groups.groups) {
      text.append('\n').append(group.groupValue().utf8ToString());
      text.append(Answers.hits(new TopDocs(group.totalHits(), group.scoreDocs())));
      text.append(Arrays.toString(group.groupSortValues())).append(group.totalHits());
    }
    return text.toString();
  }

  @Test
  void grouping() throws IOException {
    for (boolean caching : new boolean[] {false, true}) {
      sameForSome(
          (searcher, query) -> {
            GroupingSearch grouping = new GroupingSearch("group");
            grouping.setAllGroups(true);
            grouping.setGroupDocsLimit(4);
            if (caching) {
              grouping.setCachingInMB(4, true);
            }
            TopGroups<BytesRef> groups = grouping.search(searcher, query, 0, 5);
            return groups(groups) + grouping.getAllMatchingGroups().size();
          });
    }
  }

  @Test
  void facets() throws IOException {
    sameForSome(
        (searcher, query) -> {
          FacetsCollectorManager.FacetsResult result =
              FacetsCollectorManager.search(searcher, query, 6, new FacetsCollectorManager(true));
          FacetsCollector collected = result.facetsCollector();
          Facets counts = new LongValueFacetCounts("number", collected);
          StringBuilder text = new StringBuilder(Answers.hits(result.topDocs()).toString());
          text.append(counts.getTopChildren(10, "number"));
          for (FacetsCollector.MatchingDocs docs : collected.getMatchingDocs()) {
            text.append(docs.totalHits()).append(' ').append(Arrays.hashCode(docs.scores()));
          }
          return text.toString();
        });
  }

  @Test
  void drillSideways() throws IOException {
    FacetsConfig config = new FacetsConfig();
    try (OffloadDirectory faceted = OffloadDirectory.open(home.resolve("facets"), DEVICE)) {
      try (IndexWriter writer = new IndexWriter(faceted, config())) {
        for (int i = 0; i < 300; i++) {
          var document = words.document();
          document.add(new SortedSetDocValuesFacetField("colour", "c" + random.nextInt(4)));
          document.add(new SortedSetDocValuesFacetField("size", "s" + random.nextInt(3)));
          writer.addDocument(config.build(document));
          if (i == 200) {
            writer.flush();
          }
        }
      }
      try (DirectoryReader searched = DirectoryReader.open(faceted)) {
        SortedSetDocValuesReaderState state =
            new DefaultSortedSetDocValuesReaderState(searched, config);
        sameForSome(
            searched,
            (searcher, query) -> {
              DrillDownQuery drillDown = new DrillDownQuery(config, query);
              drillDown.add("colour", "c1");
              drillDown.add("size", "s2");
              var result = new DrillSideways(searcher, config, state).search(drillDown, 10);
              FacetsCollector all = searcher.search(drillDown, new FacetsCollectorManager());
              return Answers.hits(result.hits).toString()
                  + result.facets.getTopChildren(9, "colour")
                  + result.facets.getTopChildren(9, "size")
                  + new SortedSetDocValuesFacetCounts(state, all).getTopChildren(9, "size");
            });
      }
    }
  }

  @Test
  void moreHitsThanThereAreDocs() throws IOException {
    sameForSome(
        (searcher, query) -> {
          TopDocs all = searcher.search(query, Integer.MAX_VALUE);
          return Answers.hits(all) + " " + all.totalHits;
        });
    for (Way way : Way.values()) {
      IndexSearcher searcher = way.searcher(reader);
      Query query = way.query(Words.bool("w0 w1"));
      assertThrows(IllegalArgumentException.class, () -> searcher.search(query, 0));
      assertThrows(IllegalArgumentException.class, () -> searcher.search(query, -3));
    }
    assertTrue(reader.maxDoc() > 0);
  }
}
