/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.generate;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.join.JoinUtil;
import org.apache.lucene.search.join.ScoreMode;

/**
 * The documents with a keyword of one that another query matches. It becomes a query of JoinUtil
 * when it is rewritten: that needs a reader.
 */
final class TermJoin extends Query {
  private final Query from;
  private final ScoreMode mode;

  TermJoin(Query from, ScoreMode mode) {
    this.from = from;
    this.mode = mode;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    IndexSearcher stock = new IndexSearcher(searcher.getIndexReader());
    stock.setSimilarity(searcher.getSimilarity());
    stock.setQueryCache(null);
    String field = Schema.KEYWORDS;
    return JoinUtil.createJoinQuery(field, true, field, from, stock, mode);
  }

  @Override
  public void visit(QueryVisitor visitor) {
    visitor.visitLeaf(this);
  }

  @Override
  public String toString(String field) {
    return "join " + mode + " (" + from + ")";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TermJoin join && from.equals(join.from) && mode == join.mode;
  }

  @Override
  public int hashCode() {
    return Objects.hash(from, mode);
  }
}
