/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Matches;
import org.apache.lucene.search.MatchesIterator;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.Weight;

/** Probes of single documents, and of iterators as applications advance them. */
public final class DetailProbes {
  /** Matches of a field in a document that are looked at. */
  private static final int MAX_MATCHES = 1000;

  private static final int MAX_DOCS = 4;

  private DetailProbes() {}

  /** Some hits and some others. */
  private static Collection<Integer> docs(ProbedQuery asked, Random random) throws IOException {
    int maxDoc = asked.searcher().getIndexReader().maxDoc();
    Collection<Integer> docs = new TreeSet<>();
    List<Integer> hits = List.copyOf(asked.exact().hits().scoreBits().keySet());
    for (int i = 0; i < MAX_DOCS && maxDoc > 0; i++) {
      docs.add(
          hits.isEmpty() || i == 0
              ? random.nextInt(maxDoc)
              : hits.get(random.nextInt(hits.size())));
    }
    return docs;
  }

  public static List<String> explain(ProbedQuery asked, Random random) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int doc : docs(asked, random)) {
      Explanation explanation = asked.searcher().explain(asked.query(), doc);
      lines.add(doc + " " + explanation.isMatch() + " " + explanation.getValue());
      if (asked.searcher().getQueryCache() == null) {
        // What is cached explains itself in fewer words, and who caches what may differ.
        lines.add(settle(explanation.toString()));
      }
    }
    return lines;
  }

  /**
   * The words in order, if the parts of a DisjunctionMaxQuery are among them: it keeps these by
   * hash, and that of a query that blends terms is another one whenever it is rewritten.
   */
  private static String settle(String explained) {
    if (!explained.contains(" | ") && !explained.contains("max")) {
      return explained;
    }
    String[] words = explained.split("[\\s()|]+");
    Arrays.sort(words);
    return String.join(" ", words);
  }

  public static List<String> matches(ProbedQuery asked, Random random) throws IOException {
    IndexSearcher searcher = asked.searcher();
    // Highlighters ask for no scores.
    ScoreMode mode = random.nextBoolean() ? ScoreMode.COMPLETE : ScoreMode.COMPLETE_NO_SCORES;
    Weight weight = searcher.createWeight(searcher.rewrite(asked.query()), mode, 1f);
    List<String> lines = new ArrayList<>();
    for (int doc : docs(asked, random)) {
      List<LeafReaderContext> leaves = searcher.getLeafContexts();
      LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(doc, leaves));
      Matches matches = weight.matches(leaf, doc - leaf.docBase);
      if (matches == null) {
        lines.add(doc + " no match");
        continue;
      }
      for (String field : matches) {
        MatchesIterator iterator = matches.getMatches(field);
        // A frequency that a document was given may be in the millions.
        for (int i = 0; i < MAX_MATCHES && iterator != null && iterator.next(); i++) {
          lines.add(
              doc
                  + " "
                  + field
                  + " "
                  + iterator.startPosition()
                  + "-"
                  + iterator.endPosition()
                  + " "
                  + iterator.getQuery());
        }
      }
    }
    return lines;
  }

  /** Walks the scorers of a weight by steps and leaps. */
  public static List<String> scorer(ProbedQuery asked, Random random) throws IOException {
    IndexSearcher searcher = asked.searcher();
    boolean scores = random.nextBoolean();
    Weight weight =
        searcher.createWeight(
            searcher.rewrite(asked.query()),
            scores ? ScoreMode.COMPLETE : ScoreMode.COMPLETE_NO_SCORES,
            1f);
    List<String> lines = new ArrayList<>();
    for (LeafReaderContext leaf : searcher.getLeafContexts()) {
      long seed = random.nextLong();
      Scorer scorer = weight.scorer(leaf);
      if (scorer == null) {
        continue;
      }
      Random steps = new Random(seed);
      DocIdSetIterator iterator = scorer.iterator();
      int target = 0;
      while (target < leaf.reader().maxDoc()) {
        int doc = iterator.docID() >= target ? iterator.docID() : iterator.advance(target);
        if (doc == DocIdSetIterator.NO_MORE_DOCS) {
          break;
        }
        lines.add(
            leaf.docBase
                + doc
                + (scores
                    ? " " + Integer.toHexString(Float.floatToRawIntBits(scorer.score()))
                    : ""));
        target = doc + 1 + (steps.nextInt(4) == 0 ? steps.nextInt(200) : 0);
      }
    }
    return lines;
  }
}
