/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.score;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.CombinedFieldQuery;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.FixedBitSet;
import org.apache.lucene.util.SmallFloat;

/**
 * The terms of a {@link CombinedFieldQuery}, one of each field, and the weights of the fields. The
 * query tells weights in its text alone. What is read there is checked: a query with the same
 * fields and weights has to equal the one that was asked.
 *
 * @param terms in the order of the fields' names
 * @param weights at least 1 each
 * @param anyTerm what all queries of these fields and weights have in common: names their norms
 */
public record CombinedFields(List<Term> terms, float[] weights, CombinedFieldQuery anyTerm) {
  private static final String BEGIN = "CombinedFieldQuery((";

  /** Returns whether the order of sums of the fields' frequencies is no matter. */
  public boolean isSteady() {
    return !UnsteadyScores.areOf(weights);
  }

  /**
   * Returns the fields of a query; null if they cannot be found out.
   *
   * @param like of another query, whose weights are tried first: trying takes less time than
   *     reading; null if there is none
   */
  public static CombinedFields of(CombinedFieldQuery query, CombinedFields like) {
    List<Term> terms = new ArrayList<>();
    query.visit(
        new QueryVisitor() {
          @Override
          public void consumeTerms(org.apache.lucene.search.Query from, Term... found) {
            terms.addAll(Arrays.asList(found));
          }
        });
    if (terms.isEmpty()) {
      return null;
    }
    BytesRef term = terms.getFirst().bytes();
    if (like != null && like.hasFieldsOf(terms)) {
      CombinedFields alike = new CombinedFields(terms, like.weights, like.anyTerm);
      if (query.equals(queryOf(term, terms, alike.weights))) {
        return alike;
      }
    }
    float[] weights = new float[terms.size()];
    Arrays.fill(weights, 1f);
    try {
      boolean found =
          query.equals(queryOf(term, terms, weights))
              || (read(query.toString(""), terms, weights)
                  && query.equals(queryOf(term, terms, weights)));
      return found
          ? new CombinedFields(terms, weights, queryOf(new BytesRef(), terms, weights))
          : null;
    } catch (IllegalArgumentException e) {
      return null; // no number, or none that a weight can be
    }
  }

  /** Reads "CombinedFieldQuery((a b^2.0 c)(term))" where the fields' names are known. */
  private static boolean read(String text, List<Term> terms, float[] weights) {
    if (!text.startsWith(BEGIN)) {
      return false;
    }
    int at = BEGIN.length();
    for (int i = 0; i < weights.length; i++) {
      String field = terms.get(i).field();
      if (!text.startsWith(field, at)) {
        return false;
      }
      at += field.length();
      if (text.startsWith("^", at)) {
        int end = at + 1;
        while (end < text.length() && text.charAt(end) != ' ' && text.charAt(end) != ')') {
          end++;
        }
        weights[i] = Float.parseFloat(text.substring(at + 1, end));
        at = end;
      }
      at++; // a blank, or the closing bracket
    }
    return true;
  }

  private static CombinedFieldQuery queryOf(BytesRef term, List<Term> terms, float[] weights) {
    CombinedFieldQuery.Builder builder = new CombinedFieldQuery.Builder(term);
    for (int i = 0; i < weights.length; i++) {
      builder.addField(terms.get(i).field(), weights[i]);
    }
    return builder.build();
  }

  private boolean hasFieldsOf(List<Term> others) {
    if (others.size() != terms.size()) {
      return false;
    }
    for (int i = 0; i < others.size(); i++) {
      if (!terms.get(i).field().equals(others.get(i).field())) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether all of the fields have norms; stock wants all or none of them to. */
  public boolean haveNorms(IndexReader reader) {
    for (LeafReaderContext leaf : reader.leaves()) {
      for (Term term : terms) {
        FieldInfo info = leaf.reader().getFieldInfos().fieldInfo(term.field());
        if (info != null && !info.hasNorms()) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Returns the norms of a segment's docs: the length of the fields, each times its weight, encoded
   * as that of one field. Floats are added as stock adds them.
   *
   * @param reader docs times 8 are an int
   * @return byte i is the norm of doc i; 0 of a doc without any of the fields
   */
  public FixedBitSet norms(LeafReader reader) throws IOException {
    float[] lengths = new float[reader.maxDoc()];
    for (int i = 0; i < weights.length; i++) {
      NumericDocValues norms = reader.getNormValues(terms.get(i).field());
      if (norms == null) {
        continue;
      }
      for (int doc = norms.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = norms.nextDoc()) {
        lengths[doc] += weights[i] * SmallFloat.byte4ToInt((byte) norms.longValue());
      }
    }
    FixedBitSet bytes = new FixedBitSet(lengths.length * Byte.SIZE);
    long[] words = bytes.getBits();
    for (int doc = 0; doc < lengths.length; doc++) {
      long norm = SmallFloat.intToByte4(Math.round(lengths[doc])) & 0xFFL;
      words[doc / Long.BYTES] |= norm << (doc % Long.BYTES * Byte.SIZE);
    }
    return bytes;
  }
}
