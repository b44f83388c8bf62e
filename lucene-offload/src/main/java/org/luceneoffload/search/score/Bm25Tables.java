/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.score;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.apache.lucene.util.SmallFloat;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.report.Refusal;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.plan.NormTable;

/**
 * The numbers of BM25 that a plan carries, computed as {@link BM25Similarity} computes them, to the
 * bit. Each norm table is checked against the similarity's own scorer when it is made. What other
 * similarities give is kept here, too.
 */
public final class Bm25Tables {
  /** Of all searchers: some applications make one for each search. */
  private static final int MAX_TABLES = 512;

  private static final Map<NormTable.Bm25, NormTable> TABLES = new ConcurrentHashMap<>();

  private record Entry(NormTable.Bm25 key, NormTable table) {
    boolean isOf(float k1, float b, float averageLength) {
      // By bits, as the key itself compares.
      return bits(key.k1()) == bits(k1)
          && bits(key.b()) == bits(b)
          && bits(key.averageLength()) == bits(averageLength);
    }
  }

  private final ScoreTables others = new ScoreTables();
  private final FeatureTables features = new FeatureTables();

  /** The table asked for last: nearly always the one that is asked for next. */
  private volatile Entry latest;

  /** Returns the scores of terms under other similarities. */
  public ScoreTables others() {
    return others;
  }

  /** Returns the scores of features. */
  public FeatureTables features() {
    return features;
  }

  /** Returns the idf of a term. */
  public static float idf(CollectionStatistics collection, long docFreq) {
    return (float) Math.log(1 + (collection.docCount() - docFreq + 0.5D) / (docFreq + 0.5D));
  }

  /** Returns the norm table of a field, if it is the one asked for last; else null. */
  public NormTable known(BM25Similarity similarity, CollectionStatistics collection) {
    Entry entry = latest;
    return entry != null
            && entry.isOf(similarity.getK1(), similarity.getB(), averageLength(collection))
        ? entry.table
        : null;
  }

  private static float averageLength(CollectionStatistics collection) {
    return (float) (collection.sumTotalTermFreq() / (double) collection.docCount());
  }

  /**
   * Returns the norm table of a field.
   *
   * @param term statistics of any term of the field, for checking
   */
  public NormTable table(
      BM25Similarity similarity, CollectionStatistics collection, TermStatistics term)
      throws RefusedException {
    NormTable.Bm25 key =
        new NormTable.Bm25(similarity.getK1(), similarity.getB(), averageLength(collection));
    NormTable table = TABLES.get(key);
    if (table == null) {
      table = make(key);
      check(table, similarity, collection, term);
      if (TABLES.size() >= MAX_TABLES) {
        TABLES.clear();
      }
      TABLES.put(key, table);
    }
    latest = new Entry(key, table);
    return table;
  }

  private static NormTable make(NormTable.Bm25 key) {
    float[] values = new float[OffloadWire.NORM_TABLE_ENTRIES];
    for (int norm = 0; norm < values.length; norm++) {
      float length = SmallFloat.byte4ToInt((byte) norm);
      values[norm] = 1f / (key.k1() * ((1 - key.b()) + key.b() * length / key.averageLength()));
    }
    return new NormTable(values, key);
  }

  /**
   * Compares a table with Lucene's scorer, so that a Lucene that computes otherwise is refused and
   * not wrong.
   */
  private static void check(
      NormTable table,
      BM25Similarity similarity,
      CollectionStatistics collection,
      TermStatistics term)
      throws RefusedException {
    SimScorer scorer = similarity.scorer(1f, collection, term);
    float weight = idf(collection, term.docFreq());
    boolean same = bits(scorer.score(Float.POSITIVE_INFINITY, 1)) == bits(weight);
    for (int norm = 0; same && norm < OffloadWire.NORM_TABLE_ENTRIES; norm++) {
      float ours = weight - weight / (1f + 3f * table.get(norm));
      same = bits(scorer.score(3f, norm)) == bits(ours);
    }
    if (!same) {
      throw new RefusedException(
          Refusal.Reason.STATISTICS,
          "scores of field \"" + collection.field() + "\" are not BM25 as plans compute it");
    }
  }

  private static int bits(float value) {
    return Float.floatToRawIntBits(value);
  }
}
