/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.TotalHits;
import org.luceneoffload.OffloadIndexSearcher;
import org.luceneoffload.fuzz.base.Seeds;

/** The k best hits. */
public final class TopProbes {
  private static final int STOCK_THRESHOLD = 1000;

  private TopProbes() {}

  public static int k(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> 1;
      case 1 -> 1 + random.nextInt(5);
      case 2 -> 100 + random.nextInt(3000);
      case 3 -> 1 + random.nextInt(100);
      default -> 10;
    };
  }

  private static int threshold(Random random) {
    return Seeds.oneIn(random, 4) ? Integer.MAX_VALUE : random.nextInt(200);
  }

  public static List<String> topDefault(ProbedQuery asked, Random random) throws IOException {
    int k = k(random);
    return lines(asked, asked.searcher().search(asked.query(), k), Math.max(k, STOCK_THRESHOLD));
  }

  /** With another threshold: our own method, and the same through the manager of stock. */
  public static List<String> top(ProbedQuery asked, Random random) throws IOException {
    int k = k(random);
    int threshold = threshold(random);
    TopDocs top =
        asked.searcher() instanceof OffloadIndexSearcher offload
            ? offload.topDocs(asked.query(), k, threshold)
            : asked
                .searcher()
                .search(asked.query(), new TopScoreDocCollectorManager(k, null, threshold));
    return lines(asked, top, Math.max(k, threshold));
  }

  public static List<String> byCollector(ProbedQuery asked, Random random) throws IOException {
    int k = k(random);
    int threshold = threshold(random);
    ScoreDoc after = random.nextBoolean() ? null : someHit(asked, random);
    TopDocs top =
        asked
            .searcher()
            .search(asked.query(), new TopScoreDocCollectorManager(k, after, threshold));
    return lines(asked, top, Math.max(k, threshold));
  }

  /** Pages, and one after a hit that need not be one. */
  public static List<String> after(ProbedQuery asked, Random random) throws IOException {
    List<String> lines = new ArrayList<>();
    int k = k(random);
    ScoreDoc after = random.nextInt(3) == 0 ? someHit(asked, random) : null;
    for (int page = 0; page < 4; page++) {
      TopDocs top = asked.searcher().searchAfter(after, asked.query(), k);
      lines.addAll(lines(asked, top, Math.max(k, STOCK_THRESHOLD)));
      if (top.scoreDocs.length == 0) {
        break;
      }
      after = top.scoreDocs[top.scoreDocs.length - 1];
    }
    return lines;
  }

  /** A hit to go on after: one of the answer, or nearly. */
  private static ScoreDoc someHit(ProbedQuery asked, Random random) throws IOException {
    int maxDoc = asked.searcher().getIndexReader().maxDoc();
    List<Integer> docs = List.copyOf(asked.exact().hits().scoreBits().keySet());
    if (maxDoc == 0) {
      return null;
    }
    if (docs.isEmpty() || Seeds.oneIn(random, 4)) {
      return new ScoreDoc(random.nextInt(maxDoc), 10 * random.nextFloat());
    }
    int doc = docs.get(random.nextInt(docs.size()));
    float score = Float.intBitsToFloat(asked.exact().hits().scoreBits().get(doc));
    return new ScoreDoc(random.nextBoolean() ? doc : random.nextInt(maxDoc), score);
  }

  /**
   * Hits, and the count: if it claims to be exact, it has to be; if it need not be exact, searchers
   * may differ in it, within what is legal.
   *
   * @param least matches that are counted exactly
   */
  public static List<String> lines(ProbedQuery asked, TopDocs top, int least) throws IOException {
    List<String> lines = new ArrayList<>();
    for (ScoreDoc hit : top.scoreDocs) {
      lines.add(
          hit.doc
              + " "
              + Integer.toHexString(Float.floatToRawIntBits(hit.score))
              + " shard "
              + hit.shardIndex);
    }
    int exact = asked.exact().count();
    TotalHits total = top.totalHits;
    boolean legal =
        total.relation() == TotalHits.Relation.EQUAL_TO
            ? total.value() == exact
            : total.value() <= exact && total.value() > least;
    lines.add(legal ? "legal count" : "count " + total + " of " + exact + ", exact to " + least);
    return lines;
  }
}
