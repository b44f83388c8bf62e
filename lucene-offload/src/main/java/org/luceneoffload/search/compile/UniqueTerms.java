/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Terms;
import org.luceneoffload.report.Refusal;

/** Terms that are in one doc each, as IDs are: those of a query lead stock to its matches. */
public final class UniqueTerms {
  private UniqueTerms() {}

  /** Returns why a union of terms that a query names is left to stock; null if it is not. */
  public static Refusal refusal(Terms terms, String field) throws IOException {
    return terms != null && terms.size() > 0 && terms.size() == terms.getSumDocFreq()
        ? new Refusal(
            Refusal.Reason.PLANNER, "every term of field \"" + field + "\" is in one document")
        : null;
  }

  /** Returns the same for all segments that have terms of the field. */
  static Refusal refusal(List<LeafReaderContext> leaves, String field) throws IOException {
    Refusal refusal = null;
    for (LeafReaderContext leaf : leaves) {
      Terms terms = leaf.reader().terms(field);
      if (terms == null) {
        continue;
      }
      refusal = refusal(terms, field);
      if (refusal == null) {
        return null;
      }
    }
    return refusal;
  }
}
