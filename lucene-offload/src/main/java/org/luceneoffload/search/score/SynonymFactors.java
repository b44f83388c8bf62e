/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.score;

import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.SynonymQuery;
import org.apache.lucene.search.TermQuery;

/**
 * The factors of the terms of a {@link SynonymQuery}, which it tells in its text alone. What is
 * read there is checked: a query with the same terms and factors has to equal the one that was
 * asked.
 */
public final class SynonymFactors {

  private SynonymFactors() {}

  /**
   * Returns the factors in the order of the terms; null if not known, or the order of sums matters.
   */
  public static float[] steady(SynonymQuery query) {
    // Reading takes longer than many a search. Of so many terms it would find out nothing new.
    float[] plain = plain(query);
    return plain != null || UnsteadyScores.mayBeOf(query.getTerms().size()) ? plain : read(query);
  }

  /** Returns the factors in the order of the terms; null if they cannot be found out. */
  static float[] of(SynonymQuery query) {
    float[] plain = plain(query);
    return plain != null ? plain : read(query);
  }

  /** Returns the factors if all are 1; else null. */
  private static float[] plain(SynonymQuery query) {
    List<Term> terms = query.getTerms();
    float[] factors = new float[terms.size()];
    Arrays.fill(factors, 1f);
    return areOf(query, terms, factors) ? factors : null;
  }

  private static float[] read(SynonymQuery query) {
    List<Term> terms = query.getTerms();
    float[] factors = new float[terms.size()];
    Arrays.fill(factors, 1f);
    try {
      return read(query, terms, factors) && areOf(query, terms, factors) ? factors : null;
    } catch (IllegalArgumentException e) {
      return null; // no number, or none that a factor can be
    }
  }

  private static boolean areOf(SynonymQuery query, List<Term> terms, float[] factors) {
    SynonymQuery.Builder same = new SynonymQuery.Builder(query.getField());
    for (int i = 0; i < factors.length; i++) {
      same.addTerm(terms.get(i), factors[i]);
    }
    return query.equals(same.build());
  }

  /** Reads "Synonym(a b^0.5 c)": between two terms, whose texts are known, is at most a factor. */
  private static boolean read(SynonymQuery query, List<Term> terms, float[] factors) {
    String text = query.toString(query.getField());
    int at = text.indexOf('(') + 1;
    for (int i = 0; i < factors.length; i++) {
      String term = new TermQuery(terms.get(i)).toString(query.getField());
      if (!text.startsWith(term, at)) {
        return false;
      }
      at += term.length();
      if (text.startsWith("^", at)) {
        int end = at + 1;
        while (end < text.length() && text.charAt(end) != ' ' && text.charAt(end) != ')') {
          end++;
        }
        factors[i] = Float.parseFloat(text.substring(at + 1, end));
        at = end;
      }
      at++; // a blank, or the closing bracket
    }
    return true;
  }
}
