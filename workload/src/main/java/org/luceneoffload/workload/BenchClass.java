/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;

/**
 * The cost of a query depends on how many terms it has and how long their lists are. Its class says
 * both.
 *
 * @param terms {@code 1 term}, {@code 2 terms}, ..., {@code 5+ terms}
 * @param frequencies a letter for each term of a query of two, null for any other: R (rare, in less
 *     than 0.1 % of the documents), M (medium, in less than 2 %) or F (frequent); {@code RM} if all
 *     clauses have the same sign, else with signs: {@code +R -F}
 */
public record BenchClass(String terms, String frequencies) {
  private static final int MANY = 5;
  private static final double MEDIUM = 0.001;
  private static final double FREQUENT = 0.02;

  /** Returns the class of a query in an index. */
  public static BenchClass of(Query query, IndexReader reader) throws IOException {
    Terms terms = new Terms(new ArrayList<>(), null);
    query.visit(terms);
    int count = terms.found.size();
    String many = count >= MANY ? MANY + "+ terms" : count + (count == 1 ? " term" : " terms");
    return new BenchClass(many, count == 2 ? frequencies(terms.found, reader) : null);
  }

  private static String frequencies(List<Signed> terms, IndexReader reader) throws IOException {
    List<Letter> letters = new ArrayList<>();
    for (Signed term : terms) {
      letters.add(new Letter(term.sign, rank(reader.docFreq(term.term), reader.maxDoc())));
    }
    letters.sort(Comparator.comparing((Letter l) -> l.sign).thenComparing(l -> l.rank));
    boolean plain = letters.get(0).sign == letters.get(1).sign;
    return letters.stream()
        .map(l -> (plain ? "" : l.sign.toString()) + "RMF".charAt(l.rank))
        .collect(Collectors.joining(plain ? "" : " "));
  }

  /** Returns 0 for rare, 1 for medium, 2 for frequent. */
  public static int rank(int docFreq, int documents) {
    return docFreq < MEDIUM * documents ? 0 : docFreq < FREQUENT * documents ? 1 : 2;
  }

  private record Signed(Term term, Occur sign) {}

  private record Letter(Occur sign, int rank) {}

  /** Collects all terms, the forbidden ones too, each with the sign of its own clause. */
  private static final class Terms extends QueryVisitor {
    private final List<Signed> found;
    private final Occur sign;

    Terms(List<Signed> found, Occur sign) {
      this.found = found;
      this.sign = sign;
    }

    @Override
    public void consumeTerms(Query query, Term... terms) {
      for (Term term : terms) {
        found.add(new Signed(term, sign == null ? Occur.SHOULD : sign));
      }
    }

    @Override
    public QueryVisitor getSubVisitor(Occur occur, Query parent) {
      // Wrappers such as a boost ask too, and have no sign of their own.
      return parent instanceof BooleanQuery ? new Terms(found, occur) : this;
    }
  }
}
