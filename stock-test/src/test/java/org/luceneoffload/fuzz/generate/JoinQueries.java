/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import java.util.Random;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.join.BitSetProducer;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.apache.lucene.search.join.ScoreMode;
import org.apache.lucene.search.join.ToChildBlockJoinQuery;
import org.apache.lucene.search.join.ToParentBlockJoinQuery;

/** Queries over blocks, from children to parents and back, and by terms; alone and as clauses. */
public final class JoinQueries {
  private final QueryGenerator queries;
  private final Random random;

  public JoinQueries(QueryGenerator queries, Random random) {
    this.queries = queries;
    this.random = random;
  }

  /** A query over blocks. */
  public Query ofBlocks(int depth) {
    return inPlace(random.nextInt(3) == 0 ? toChildren(depth) : toParents(depth), depth);
  }

  /** A query by terms. */
  public Query ofTerms(int depth) {
    return inPlace(new TermJoin(queries.query(depth, 0), mode()), depth);
  }

  private Query inPlace(Query join, int depth) {
    if (random.nextBoolean()) {
      return join;
    }
    return new BooleanQuery.Builder()
        .add(join, random.nextBoolean() ? Occur.MUST : Occur.SHOULD)
        .add(queries.query(depth, 0), random.nextBoolean() ? Occur.MUST : Occur.SHOULD)
        .build();
  }

  private Query toParents(int depth) {
    return new ToParentBlockJoinQuery(of(Schema.CHILD, depth), parents(), mode());
  }

  private ScoreMode mode() {
    return ScoreMode.values()[random.nextInt(ScoreMode.values().length)];
  }

  private Query toChildren(int depth) {
    return new ToChildBlockJoinQuery(of(Schema.PARENT, depth), parents());
  }

  private static BitSetProducer parents() {
    return new QueryBitSetProducer(new TermQuery(new Term(Schema.KIND, Schema.PARENT)));
  }

  /** A query that matches documents of one kind only, as joins demand. */
  private Query of(String kind, int depth) {
    return new BooleanQuery.Builder()
        .add(new TermQuery(new Term(Schema.KIND, kind)), Occur.FILTER)
        .add(queries.query(depth, 0), random.nextBoolean() ? Occur.MUST : Occur.FILTER)
        .build();
  }
}
