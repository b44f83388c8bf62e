/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.weight;

import java.io.IOException;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.Scorer;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** The docs that the device finds, with the scores that stock Lucene gives them. */
final class HostScorer extends Scorer {
  private final Scorer docs;
  private final Scorer scores;
  private final DocIdSetIterator scored;

  /**
   * @param docs finds them
   * @param scores of all docs that match
   */
  HostScorer(Scorer docs, Scorer scores) {
    this.docs = docs;
    this.scores = scores;
    this.scored = scores.iterator();
  }

  @Override
  public int docID() {
    return docs.docID();
  }

  @Override
  public DocIdSetIterator iterator() {
    return docs.iterator();
  }

  @Override
  public float score() throws IOException {
    int doc = docs.docID();
    int at = scored.docID() < doc ? scored.advance(doc) : scored.docID();
    if (at != doc) {
      throw new OffloadException(
          OffloadWire.Status.INTERNAL,
          "the device says that doc " + doc + " matches, of which stock Lucene knows nothing");
    }
    return scores.score();
  }

  @Override
  public float getMaxScore(int upTo) throws IOException {
    return scores.getMaxScore(upTo);
  }
}
