/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefIterator;
import org.luceneoffload.codec.OffloadTermState;
import org.luceneoffload.codec.OffloadTerms;

/**
 * The terms that a multi-term query asks for, all at one score: a prefix, a pattern, a range, a
 * set. Which terms these are, the dictionary of each segment has to say. For any number of threads.
 */
public final class TermUnion {
  /** What Lucene's own rewrite methods wrap a query in; the classes are not public. */
  private static final MultiTermQuery.RewriteMethod[] METHODS = {
    MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE, MultiTermQuery.CONSTANT_SCORE_REWRITE
  };

  private static final Class<?>[] WRAPPERS = wrappers();

  private final MultiTermQuery query;

  private TermUnion(MultiTermQuery query) {
    this.query = query;
  }

  private static Class<?>[] wrappers() {
    MultiTermQuery any = new PrefixQuery(new Term("field", "a"));
    Class<?>[] classes = new Class<?>[METHODS.length];
    for (int i = 0; i < classes.length; i++) {
      classes[i] = wrapped(i, any).getClass();
    }
    return classes;
  }

  private static Query wrapped(int method, MultiTermQuery query) {
    try {
      return METHODS[method].rewrite(null, query);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The union that a rewritten query stands for; null if it is no such query. */
  static TermUnion of(Query query) {
    for (int i = 0; i < WRAPPERS.length; i++) {
      if (query.getClass() == WRAPPERS[i]) {
        MultiTermQuery terms = HiddenParts.multiTerm(query);
        // A query may show a visitor others than itself.
        return terms != null && wrapped(i, terms).equals(query) ? new TermUnion(terms) : null;
      }
    }
    return null;
  }

  /** Returns whether a rewritten query stands for a union. */
  static boolean isOne(Query query) {
    return of(query) != null;
  }

  /** The union of the terms that a query looks for, however it is rewritten. */
  static TermUnion ofTerms(MultiTermQuery terms) {
    return new TermUnion(terms);
  }

  /** The query itself: that of the weight that stock makes of its wrapper. */
  Query query() {
    return query;
  }

  /** Name of the field. */
  public String field() {
    return query.getField();
  }

  /**
   * Returns whether stock looks for the terms before it has a scorer supplier, so that it has none
   * in a segment without any.
   */
  public boolean isSoughtEarly() {
    return namedTerms() >= 0;
  }

  /** Terms that the query names; -1 if it names none. */
  public long namedTerms() {
    return query.getTermsCount();
  }

  /** A term of a segment, and its state there. */
  public record Found(Term term, OffloadTermState list) {}

  /**
   * The terms of a segment with the docs of the union. If one has every doc of the field, that is
   * the only one.
   *
   * @param most stop after so many terms and one more
   * @return null if it is not known where a term's list is
   */
  public List<Found> in(OffloadTerms terms, int most) throws IOException {
    List<Found> found = new ArrayList<>();
    int docCount = terms.getDocCount();
    if (terms.isHashed() && query.getClass() == TermInSetQuery.class) {
      BytesRefIterator wanted = ((TermInSetQuery) query).getBytesRefIterator();
      for (BytesRef term = wanted.next();
          term != null && found.size() <= most;
          term = wanted.next()) {
        OffloadTermState state = terms.find(term);
        if (state != null && !state.hasDeviceList()) {
          return null;
        }
        if (state != null && add(found, term, state, docCount)) {
          break;
        }
      }
      return found;
    }
    TermsEnum at = query.getTermsEnum(terms);
    for (BytesRef term = at.next(); term != null && found.size() <= most; term = at.next()) {
      OffloadTermState state = terms.withList(at.termState(), term, false);
      if (state == null || !state.hasDeviceList()) {
        return null;
      }
      if (add(found, term, state, docCount)) {
        break;
      }
    }
    return found;
  }

  /** Returns whether the term has every doc of the field, so that no other one matters. */
  private boolean add(List<Found> found, BytesRef bytes, OffloadTermState state, int docCount) {
    boolean hasAll = state.docFreq == docCount;
    if (hasAll) {
      found.clear();
    }
    found.add(new Found(new Term(field(), BytesRef.deepCopyOf(bytes)), state));
    return hasAll;
  }

  @Override
  public String toString() {
    return query.toString();
  }
}
