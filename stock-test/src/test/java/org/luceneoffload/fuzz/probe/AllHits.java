/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectionTerminatedException;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.DocIdStream;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;

/** An application's collector: takes every hit, or the first ones of each segment. */
public final class AllHits implements CollectorManager<AllHits.One, AllHits.Hits> {
  /** How to read streams of doc IDs. */
  public enum Reading {
    EACH,
    ARRAYS,
    COUNTED
  }

  /** Hits by doc ID; the score bits are 0 if no scores are asked for. */
  public record Hits(Map<Integer, Integer> scoreBits, long counted, String complaint) {
    int size() {
      return scoreBits.size();
    }

    List<String> lines() {
      List<String> lines = new ArrayList<>();
      if (complaint != null) {
        lines.add(complaint);
      }
      scoreBits.forEach((doc, bits) -> lines.add(doc + " " + Integer.toHexString(bits)));
      if (counted > 0) {
        lines.add("counted " + counted);
      }
      return lines;
    }
  }

  private final boolean scores;
  private final Reading reading;
  private final int mostOfSegment;

  public AllHits(boolean scores, Reading reading, int mostOfSegment) {
    this.scores = scores;
    this.reading = reading;
    this.mostOfSegment = mostOfSegment;
  }

  @Override
  public One newCollector() {
    return new One();
  }

  @Override
  public Hits reduce(Collection<One> collectors) {
    Map<Integer, Integer> all = new TreeMap<>();
    long counted = 0;
    String complaint = null;
    for (One one : collectors) {
      for (Map.Entry<Integer, Integer> hit : one.hits.entrySet()) {
        if (all.put(hit.getKey(), hit.getValue()) != null) {
          complaint = "doc " + hit.getKey() + " was collected twice";
        }
      }
      counted += one.counted;
      complaint = one.complaint != null ? one.complaint : complaint;
    }
    return new Hits(all, counted, complaint);
  }

  public final class One implements Collector {
    private final Map<Integer, Integer> hits = new TreeMap<>();
    private long counted;
    private String complaint;

    @Override
    public ScoreMode scoreMode() {
      return scores ? ScoreMode.COMPLETE : ScoreMode.COMPLETE_NO_SCORES;
    }

    @Override
    public LeafCollector getLeafCollector(LeafReaderContext context) {
      return new Leaf(context.docBase);
    }

    private final class Leaf implements LeafCollector {
      private final int docBase;
      private Scorable scorer;
      private int last = -1;
      private int collected;

      Leaf(int docBase) {
        this.docBase = docBase;
      }

      @Override
      public void setScorer(Scorable newScorer) {
        scorer = newScorer;
      }

      @Override
      public void collect(int doc) throws IOException {
        if (doc <= last) {
          complaint = "doc " + doc + " after " + last;
        }
        last = doc;
        if (collected++ == mostOfSegment) {
          throw new CollectionTerminatedException();
        }
        int bits = scores ? Float.floatToRawIntBits(scorer.score()) : 0;
        hits.put(docBase + doc, bits);
      }

      @Override
      public void collect(DocIdStream stream) throws IOException {
        switch (reading) {
          case EACH -> stream.forEach(this::collect);
          case COUNTED -> counted += stream.count();
          case ARRAYS -> {
            int[] some = new int[7];
            for (int n = stream.intoArray(some); n > 0; n = stream.intoArray(some)) {
              for (int i = 0; i < n; i++) {
                collect(some[i]);
              }
            }
          }
        }
      }
    }
  }
}
