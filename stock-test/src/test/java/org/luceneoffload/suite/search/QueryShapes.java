/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.suite.search;

import java.util.Random;
import java.util.function.Supplier;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/** Random queries of the kinds that plans can express, and some with a part that they cannot. */
public final class QueryShapes {
  private final Random random;
  private final Supplier<Term> terms;

  public QueryShapes(Random random, Supplier<Term> terms) {
    this.random = random;
    this.terms = terms;
  }

  /** A term, or a Boolean tree of up to three levels. */
  public Query any() {
    return tree(random.nextInt(4));
  }

  /** A flat Boolean query of one kind of clause. */
  public Query flat(Occur occur, int clauses) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    for (int i = 0; i < clauses; i++) {
      builder.add(term(), occur);
    }
    return builder.build();
  }

  public Query term() {
    return new TermQuery(terms.get());
  }

  private Query tree(int depth) {
    if (depth == 0) {
      return leaf();
    }
    return switch (random.nextInt(10)) {
      case 0 -> new BoostQuery(tree(depth - 1), random.nextInt(5) * 0.75f);
      case 1 -> new ConstantScoreQuery(tree(depth - 1));
      default -> bool(depth);
    };
  }

  private Query leaf() {
    return switch (random.nextInt(16)) {
      case 0 -> MatchAllDocsQuery.INSTANCE;
      case 1 -> {
        Term first = terms.get();
        yield new PhraseQuery(random.nextInt(3), first.field(), first.text(), terms.get().text());
      }
      default -> term();
    };
  }

  private Query bool(int depth) {
    BooleanQuery.Builder builder = new BooleanQuery.Builder();
    int clauses = 1 + random.nextInt(5);
    int optional = 0;
    for (int i = 0; i < clauses; i++) {
      Occur occur =
          switch (random.nextInt(9)) {
            case 0, 1, 2 -> Occur.MUST;
            case 3, 4, 5, 6 -> Occur.SHOULD;
            case 7 -> Occur.FILTER;
            default -> i == 0 ? Occur.SHOULD : Occur.MUST_NOT;
          };
      optional += occur == Occur.SHOULD ? 1 : 0;
      builder.add(tree(random.nextInt(depth)), occur);
    }
    if (optional > 1 && random.nextInt(4) == 0) {
      builder.setMinimumNumberShouldMatch(1 + random.nextInt(optional));
    }
    return builder.build();
  }
}
