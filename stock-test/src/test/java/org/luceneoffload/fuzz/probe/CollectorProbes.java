/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MultiCollectorManager;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHitCountCollectorManager;

/** Counts, and collectors of all kinds. */
public final class CollectorProbes {
  private CollectorProbes() {}

  public static List<String> count(ProbedQuery asked, Random random) throws IOException {
    return List.of(Integer.toString(asked.searcher().count(asked.query())));
  }

  public static List<String> totalHitCount(ProbedQuery asked, Random random) throws IOException {
    IndexSearcher searcher = asked.searcher();
    return List.of(
        Integer.toString(
            searcher.search(
                asked.query(), new TotalHitCountCollectorManager(searcher.getSlices()))));
  }

  public static List<String> allScored(ProbedQuery asked, Random random) throws IOException {
    return asked.searcher().search(asked.query(), all(true, AllHits.Reading.EACH)).lines();
  }

  public static List<String> allDocs(ProbedQuery asked, Random random) throws IOException {
    AllHits.Reading reading = random.nextBoolean() ? AllHits.Reading.EACH : AllHits.Reading.ARRAYS;
    return asked.searcher().search(asked.query(), all(false, reading)).lines();
  }

  /** Only how many: which of them come as streams is the searcher's business. */
  public static List<String> allCounted(ProbedQuery asked, Random random) throws IOException {
    AllHits.Hits hits = asked.searcher().search(asked.query(), all(false, AllHits.Reading.COUNTED));
    return List.of("hits " + (hits.size() + hits.counted()));
  }

  private static AllHits all(boolean scores, AllHits.Reading reading) {
    return new AllHits(scores, reading, Integer.MAX_VALUE);
  }

  public static List<String> earlyTerminated(ProbedQuery asked, Random random) throws IOException {
    boolean scores = random.nextBoolean();
    int most = random.nextInt(20);
    if (asked.partitioned()) {
      return List.of("every partition of a segment has first hits of its own");
    }
    return asked
        .searcher()
        .search(asked.query(), new AllHits(scores, AllHits.Reading.EACH, most))
        .lines();
  }

  public static List<String> several(ProbedQuery asked, Random random) throws IOException {
    int k = TopProbes.k(random);
    boolean scores = random.nextBoolean();
    IndexSearcher searcher = asked.searcher();
    Object[] all =
        searcher.search(
            asked.query(),
            new MultiCollectorManager(
                new TopScoreDocCollectorManager(k, null, 50),
                new TotalHitCountCollectorManager(searcher.getSlices()),
                all(scores, AllHits.Reading.EACH)));
    List<String> lines = new ArrayList<>();
    lines.addAll(TopProbes.lines(asked, (TopDocs) all[0], Math.max(k, 50)));
    lines.add("count " + all[1]);
    lines.addAll(((AllHits.Hits) all[2]).lines());
    return lines;
  }

  /** A collector without manager, as old applications have them; it also asks for children. */
  @SuppressWarnings("deprecation")
  public static List<String> oldCollector(ProbedQuery asked, Random random) throws IOException {
    List<String> lines = new ArrayList<>();
    boolean scores = random.nextBoolean();
    asked
        .searcher()
        .search(
            asked.query(),
            new SimpleCollector() {
              private int docBase;
              private Scorable scorer;

              @Override
              protected void doSetNextReader(LeafReaderContext context) {
                docBase = context.docBase;
              }

              @Override
              public void setScorer(Scorable newScorer) {
                scorer = newScorer;
              }

              @Override
              public void collect(int doc) throws IOException {
                scorer.getChildren().forEach(child -> child.child().hashCode());
                String score = scores ? " " + Float.floatToRawIntBits(scorer.score()) : "";
                lines.add(docBase + doc + score);
              }

              @Override
              public ScoreMode scoreMode() {
                return scores ? ScoreMode.COMPLETE : ScoreMode.COMPLETE_NO_SCORES;
              }
            });
    return lines;
  }
}
