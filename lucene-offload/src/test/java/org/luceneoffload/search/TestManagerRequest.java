/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher.LeafSlice;
import org.apache.lucene.search.MultiCollectorManager;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHitCountCollectorManager;
import org.junit.jupiter.api.Test;

/** The fields that we read are there, in each Lucene that this is tested with. */
class TestManagerRequest {
  private static final CollectorManager<?, ?> COUNT =
      new TotalHitCountCollectorManager(new LeafSlice[0]);

  private static final class Own extends MultiCollectorManager {
    Own(CollectorManager<?, ?>[] managers) {
      super(managers);
    }
  }

  @Test
  void hits() {
    ScoreDoc after = new ScoreDoc(3, 1.5f);
    assertEquals(
        new ManagerRequest.Hits(7, after, 50),
        ManagerRequest.by(new TopScoreDocCollectorManager(7, after, 50)));
    assertEquals(
        new ManagerRequest.Hits(1, null, Integer.MAX_VALUE),
        ManagerRequest.by(new TopScoreDocCollectorManager(1, null, Integer.MAX_VALUE)));
    // As many as are wanted are counted in any case.
    assertEquals(
        new ManagerRequest.Hits(7, null, 7),
        ManagerRequest.by(new TopScoreDocCollectorManager(7, 2)));
  }

  @Test
  void sortedHits() {
    FieldDoc after = new FieldDoc(3, Float.NaN, new Object[] {1.5f});
    assertEquals(
        new ManagerRequest.SortedHits(Sort.RELEVANCE, 7, after, 50),
        ManagerRequest.by(new TopFieldCollectorManager(Sort.RELEVANCE, 7, after, 50)));
    assertEquals(
        new ManagerRequest.SortedHits(Sort.INDEXORDER, 1, null, Integer.MAX_VALUE),
        ManagerRequest.by(
            new TopFieldCollectorManager(Sort.INDEXORDER, 1, null, Integer.MAX_VALUE)));
  }

  @Test
  void countsAndSeveral() {
    assertEquals(new ManagerRequest.Count(), ManagerRequest.by(COUNT));
    CollectorManager<?, ?>[] managers = {new TopScoreDocCollectorManager(7, 100), COUNT};
    assertEquals(
        new ManagerRequest.Several(List.of(managers)),
        ManagerRequest.by(new MultiCollectorManager(managers)));
  }

  @Test
  void nothingIsKnownOfOthers() {
    assertNull(ManagerRequest.by(new TopScoreDocCollectorManager(7, 100) {}));
    assertNull(ManagerRequest.by(new TotalHitCountCollectorManager(new LeafSlice[0]) {}));
    assertNull(ManagerRequest.by(new Own(new CollectorManager<?, ?>[] {COUNT})));
    assertNull(ManagerRequest.by(new TopFieldCollectorManager(Sort.RELEVANCE, 7, 100) {}));
  }
}
