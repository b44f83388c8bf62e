/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.weight;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.Scorer;
import org.apache.lucene.search.ScorerSupplier;
import org.apache.lucene.util.IOSupplier;

/**
 * The facts that a collector can ask of the doc that it is given. A collector that asks for the
 * scorers of the clauses gets those of a stock scorer, which is then moved along from doc to doc.
 */
final class CollectedDoc extends Scorable {
  /** The score of the doc. */
  float score;

  /** Docs that score less need not be collected. */
  float least;

  private final boolean prunes;
  private final IOSupplier<ScorerSupplier> stockSupplier;
  private Scorer follower;

  /**
   * @param prunes whether to remember what score can still compete
   */
  CollectedDoc(boolean prunes, IOSupplier<ScorerSupplier> stockSupplier) {
    this.prunes = prunes;
    this.stockSupplier = stockSupplier;
  }

  @Override
  public float score() {
    return score;
  }

  @Override
  public void setMinCompetitiveScore(float minScore) {
    if (prunes) {
      least = minScore;
    }
  }

  @Override
  public Collection<ChildScorable> getChildren() throws IOException {
    if (follower == null) {
      ScorerSupplier supplier = stockSupplier.get();
      if (supplier == null) {
        return List.of();
      }
      follower = supplier.get(Long.MAX_VALUE);
    }
    return follower.getChildren();
  }

  /** Returns whether {@link #follow} has to be called before a doc is collected. */
  boolean isFollowed() {
    return follower != null;
  }

  /** Moves the scorers that a collector has asked for to a doc. */
  void follow(int doc) throws IOException {
    if (follower.docID() < doc) {
      follower.iterator().advance(doc);
    }
  }
}
