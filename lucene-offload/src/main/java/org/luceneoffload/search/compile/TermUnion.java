/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.MultiTermQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.Accountable;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefIterator;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.TermLists;
import org.luceneoffload.search.join.JoinTerms;

/**
 * The terms that a multi-term query asks for, all at one score: a prefix, a pattern, a range, a
 * set, a join. Which terms these are, the dictionary of each segment has to say. For any number of
 * threads.
 */
public final class TermUnion {
  /** What Lucene's own rewrite methods wrap a query in; the classes are not public. */
  private static final MultiTermQuery.RewriteMethod[] METHODS = {
    MultiTermQuery.CONSTANT_SCORE_BLENDED_REWRITE, MultiTermQuery.CONSTANT_SCORE_REWRITE
  };

  private static final Class<?>[] WRAPPERS = wrappers();

  /** More lists than are wanted. */
  public static final TermLists TOO_MANY = new TermLists.Builder().build();

  /** Beyond so many lists none of one query are kept. */
  private static final int MANY = 1 << 14;

  /** Queries whose terms depend on nothing but what makes them equal. */
  private static final Set<Class<?>> LASTING =
      Set.of(
          PrefixQuery.class,
          WildcardQuery.class,
          RegexpQuery.class,
          TermRangeQuery.class,
          TermInSetQuery.class);

  private final MultiTermQuery query;
  private MultiTermQuery sought; // null: not looked at yet

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

  /** Returns the union that a rewritten query stands for; null if it is no such query. */
  public static TermUnion of(Query query) {
    for (int i = 0; i < WRAPPERS.length; i++) {
      if (query.getClass() == WRAPPERS[i]) {
        MultiTermQuery terms = HiddenParts.multiTerm(query);
        // A query may show a visitor others than itself.
        return terms != null && wrapped(i, terms).equals(query) ? new TermUnion(terms) : null;
      }
    }
    return null;
  }

  /** Returns whether queries of a class may stand for a union. */
  public static boolean takes(Class<?> type) {
    return Arrays.asList(WRAPPERS).contains(type);
  }

  /** Returns the union of the terms that a query looks for, however it is rewritten. */
  public static TermUnion ofTerms(MultiTermQuery terms) {
    return new TermUnion(terms);
  }

  /** Returns the query itself: that of the weight that stock makes of its wrapper. */
  Query query() {
    return query;
  }

  /** Returns the query that the terms are looked for by: a set that is made of a join's terms. */
  private MultiTermQuery sought() {
    MultiTermQuery known = sought;
    if (known == null) {
      known = JoinTerms.isSet(query) ? JoinTerms.set(query) : query;
      sought = known;
    }
    return known;
  }

  /**
   * Returns a query for the terms, if they depend on nothing but what makes it equal; else null.
   */
  public Query lastingQuery() {
    return LASTING.contains(sought().getClass()) ? sought() : null;
  }

  /** Returns the name of the field. */
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

  /** Returns how many terms the query names; -1 if it names none. */
  public long namedTerms() {
    return query.getTermsCount();
  }

  /**
   * Returns the lists of a segment with the docs of the union. If one has every doc of the field,
   * that is the only one.
   *
   * @param most lists that are looked for; that there are more is only remembered of fewer than
   *     {@link #MANY}
   * @return {@link #TOO_MANY} if there are more; null if it is not known where a term's list is
   */
  public TermLists in(OffloadTerms terms, int most) throws IOException {
    Query lasting = lastingQuery();
    boolean keeps = lasting != null;
    Optional<TermLists> kept = keeps ? terms.recent().get(lasting) : null;
    if (kept != null && (kept.isPresent() || most < MANY)) {
      TermLists lists = kept.orElse(TOO_MANY);
      return lists.size() > most ? TOO_MANY : lists;
    }
    TermLists found = find(terms, most);
    if (keeps && found != null && (found != TOO_MANY || most < MANY)) {
      long bytes = ((Accountable) lasting).ramBytesUsed();
      terms.recent().put(lasting, bytes, found == TOO_MANY ? null : found, terms.size());
    }
    return found;
  }

  private TermLists find(OffloadTerms terms, int most) throws IOException {
    TermLists.Builder found = new TermLists.Builder();
    int docCount = terms.getDocCount();
    if (terms.isHashed() && sought().getClass() == TermInSetQuery.class) {
      BytesRefIterator wanted = ((TermInSetQuery) sought()).getBytesRefIterator();
      for (BytesRef term = wanted.next(); term != null; term = wanted.next()) {
        OffloadTermState state = terms.find(term);
        if (state != null && !add(found, state, docCount)) {
          return null;
        }
        if (found.size() > most) {
          return TOO_MANY;
        }
        if (state != null && state.docFreq == docCount) {
          break;
        }
      }
      return found.build();
    }
    try (TermWalk walk = TermWalk.of(sought(), terms)) {
      for (BytesRef term = walk.next(); term != null; term = walk.next()) {
        OffloadTermState state = walk.list(term);
        if (state == null || !add(found, state, docCount)) {
          return null;
        }
        if (found.size() > most) {
          return TOO_MANY;
        }
        if (state.docFreq == docCount) {
          break;
        }
      }
    }
    return found.build();
  }

  /** Adds a list, as the only one if it has every doc of the field; false if it is not known. */
  private static boolean add(TermLists.Builder found, OffloadTermState state, int docCount) {
    if (state.docFreq == docCount) {
      found.clear();
    }
    return state.hasDeviceList() && found.add(state);
  }

  @Override
  public String toString() {
    return query.toString();
  }
}
