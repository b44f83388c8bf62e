/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.spans;

import java.lang.System.Logger.Level;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.intervals.IntervalQuery;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.intervals.IntervalsSource;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadWire;

/**
 * Intervals of terms, which a query tells in its text alone. What is read there is checked: a query
 * that is made of it has to equal the one that was asked. Linked to {@code lucene-queries}, as
 * {@link NearPhrases}.
 */
final class TermIntervals {
  /** Stands for any number of gaps. */
  private static final int ANY_GAPS = 0xFFFF;

  private static final Pattern FORM =
      Pattern.compile("(?:MAX(GAPS|WIDTH)/(\\d{1,6})\\()?(UN)?ORDERED\\(");

  /** How a query is scored, which it neither tells nor compares; null if it cannot be read. */
  private static final VarHandle SCORES = scores();

  private static final Object DEFAULT_SCORES =
      SCORES == null ? null : SCORES.get(new IntervalQuery("", Intervals.term("")));

  private TermIntervals() {}

  /**
   * Returns the handle of a private field: on the module path Lucene's package has to be open to
   * us.
   */
  private static VarHandle scores() {
    try {
      Field field = IntervalQuery.class.getDeclaredField("scoreFunction");
      return MethodHandles.privateLookupIn(IntervalQuery.class, MethodHandles.lookup())
          .unreflectVarHandle(field);
    } catch (ReflectiveOperationException | SecurityException e) {
      CauseLog.log(
          Level.DEBUG,
          "interval scores",
          "",
          "intervals run on the host, their scores unread: " + e);
      return null;
    }
  }

  private static boolean hasDefaultScores(IntervalQuery query) {
    return DEFAULT_SCORES != null && DEFAULT_SCORES.equals((Object) SCORES.get(query));
  }

  /**
   * Returns the terms; null if the intervals are others, or scored in another way than by default.
   */
  static NearTerms of(Query query) {
    if (query.getClass() != IntervalQuery.class || !hasDefaultScores((IntervalQuery) query)) {
      return null;
    }
    IntervalQuery intervals = (IntervalQuery) query;
    String field = intervals.getField();
    String text = query.toString(field);
    boolean named = text.startsWith(field) && text.startsWith(":", field.length());
    Matcher form = FORM.matcher(text).region(named ? field.length() + 1 : 0, text.length());
    List<Term> terms = form.lookingAt() ? terms(query) : List.of();
    if (terms.size() < 2 || new HashSet<>(terms).size() < terms.size()) {
      return null;
    }
    IntervalsSource[] sources = new IntervalsSource[terms.size()];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = Intervals.term(terms.get(i).bytes()); // of another field it would not be equal
    }
    boolean ordered = form.group(3) == null;
    IntervalsSource source = ordered ? Intervals.ordered(sources) : Intervals.unordered(sources);
    int limit = ANY_GAPS;
    if (form.group(1) != null) {
      int most = Integer.parseInt(form.group(2));
      boolean gaps = form.group(1).equals("GAPS");
      source = gaps ? Intervals.maxgaps(most, source) : Intervals.maxwidth(most, source);
      limit = gaps ? most : most - terms.size(); // each term is one position wide
    }
    if (limit < 0
        || (limit >= ANY_GAPS && form.group(1) != null)
        || !query.equals(new IntervalQuery(field, source))) {
      return null;
    }
    int op = ordered ? OffloadWire.Op.ORDERED_INTERVALS : OffloadWire.Op.UNORDERED_INTERVALS;
    return new NearTerms(terms, op, limit);
  }

  private static List<Term> terms(Query query) {
    List<Term> terms = new ArrayList<>();
    query.visit(
        new QueryVisitor() {
          @Override
          public void consumeTerms(Query from, Term... found) {
            terms.addAll(Arrays.asList(found));
          }
        });
    return terms;
  }
}
