/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload.shape;

import static org.luceneoffload.workload.shape.Clauses.and;
import static org.luceneoffload.workload.shape.Clauses.filtered;
import static org.luceneoffload.workload.shape.Clauses.or;

import java.io.IOException;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.RegexpQuery;
import org.apache.lucene.search.TermInSetQuery;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.search.WildcardQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOFunction;
import org.luceneoffload.workload.Queries;

/** Unions of many terms: each alone, and as a clause of a text query. */
final class UnionShapes {
  private static final String BODY = Queries.DEFAULT_FIELD;

  private UnionShapes() {}

  /** Adds all of them. */
  static void add(ShapeList list) throws IOException {
    eachWay(list, "prefix of 3 letters", d -> prefix(d, 3));
    eachWay(list, "prefix of 2 letters", d -> prefix(d, 2));
    eachWay(list, "prefix of a letter", d -> prefix(d, 1));
    eachWay(list, "wildcard abc*s", d -> new WildcardQuery(body(start(d, 3) + "*s")));
    eachWay(list, "wildcard *abc", d -> new WildcardQuery(body("*" + end(d, 3))));
    eachWay(list, "regexp", d -> new RegexpQuery(body(start(d, 2) + "[a-m].*")));
    eachWay(list, "range", UnionShapes::range);
    eachWay(list, "set of 100 words", d -> new TermInSetQuery(BODY, d.text(100)));
    list.add(
        "+prefix +absent word, count",
        SearchCall.COUNT,
        d -> and(prefix(d, 2), new TermQuery(body("no such word"))));
  }

  private static void eachWay(ShapeList list, String name, IOFunction<Draw, Query> union)
      throws IOException {
    list.add(name + " alone, count", SearchCall.COUNT, union)
        .add(name + " alone, top 10", SearchCall.TOP_10, union)
        .add(
            "+frequent #" + name + ", count",
            SearchCall.COUNT,
            d -> filtered(d.frequent(), union.apply(d)))
        .top("+(frequent mid) #" + name, d -> filtered(or(d.frequent(), d.mid()), union.apply(d)))
        .add("frequent -" + name + ", count", SearchCall.COUNT, d -> without(d, union.apply(d)));
  }

  private static Query without(Draw words, Query union) {
    return new BooleanQuery.Builder()
        .add(words.frequent(), Occur.SHOULD)
        .add(union, Occur.MUST_NOT)
        .build();
  }

  private static Term body(String text) {
    return new Term(BODY, text);
  }

  private static Query prefix(Draw words, int letters) {
    return new PrefixQuery(body(start(words, letters)));
  }

  private static String start(Draw words, int letters) {
    String word = words.midWord().utf8ToString();
    return word.substring(
        0, word.offsetByCodePoints(0, Math.min(letters, word.codePointCount(0, word.length()))));
  }

  private static String end(Draw words, int letters) {
    String word = words.midWord().utf8ToString();
    return word.substring(
        word.offsetByCodePoints(
            word.length(), -Math.min(letters, word.codePointCount(0, word.length()))));
  }

  /** Returns the range from two letters of a word up to the next but two of the first of them. */
  private static Query range(Draw words) {
    String from = start(words, 2);
    String to = from.charAt(0) + "" + (char) (from.charAt(from.length() - 1) + 2);
    return new TermRangeQuery(BODY, new BytesRef(from), new BytesRef(to), true, true);
  }
}
