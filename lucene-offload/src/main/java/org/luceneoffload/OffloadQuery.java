/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import java.io.IOException;
import java.util.Objects;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.Weight;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.search.QueryOffloader;
import org.luceneoffload.search.SearcherOffloaders;
import org.luceneoffload.search.compile.ClauseLimit;
import org.luceneoffload.search.compile.DeviceQuery;
import org.luceneoffload.search.compile.FlatRewrite;
import org.luceneoffload.search.compile.NumberQueries;

/**
 * A query that the device answers if it can, under any {@link IndexSearcher}: for applications that
 * own their searcher and cannot make it an {@link OffloadIndexSearcher}.
 *
 * <pre class="prettyprint">
 * Query query = parser.parse("+posting +(list lists) -linked");
 * TopDocs hits = searcher.search(new OffloadQuery(query), 10);
 * </pre>
 *
 * <p>It matches what the wrapped query matches, with the same scores to the bit, by the searcher's
 * own similarity and statistics. Collectors, query caches, timeouts, explanations, matches and
 * highlighters see the wrapped query; a query cache, rewritten as for scores. What the device
 * cannot do, or fails to do, stock Lucene does; in strict mode ({@link OffloadOptions#strict()})
 * that is an {@link UnsupportedOperationException}. Over an index that was not written through
 * {@link OffloadCodec} this rewrites to the wrapped query.
 *
 * <p>Wrap the whole query rather than parts of it: the device then sees all of it. As a clause of a
 * {@link org.apache.lucene.search.BooleanQuery} this is one unit, whose score is computed by itself
 * and then added to the others, as that of any query that is not a Boolean one; Lucene adds up the
 * clauses of a bare Boolean clause together with those around it where it can, which may round the
 * last bit of the parent's score in another way.
 *
 * <p>There is no way to state how many hits are wanted, because none is needed: a collector that
 * says which scores can still compete, as those of {@code search(query, k)} do, is sent only docs
 * that can.
 */
public final class OffloadQuery extends Query implements DeviceQuery {
  private final Query query;
  private final boolean rewritten; // from the one that the application made

  /**
   * Wraps a query of any kind.
   *
   * @param query what is to run on the device, as a whole
   */
  public OffloadQuery(Query query) {
    this(Objects.requireNonNull(query, "query"), false);
  }

  /**
   * Returns a query that matches and scores as a join by numbers does, and that the device may
   * answer from doc values where no score is needed, or all docs have the same one. Lucene's {@code
   * JoinUtil} looks for points: that doc values are the same is known to the application alone.
   * With other scores, or more than some thousand numbers, Lucene answers it by points, as it
   * answers the join.
   *
   * <pre class="prettyprint">
   * Query join = JoinUtil.createJoinQuery("id", false, "parent", Long.class, from, searcher, mode);
   * searcher.count(OffloadQuery.overDocValues(join));
   * </pre>
   *
   * @param join what {@code JoinUtil.createJoinQuery} made for a numeric type, or another set of
   *     points. Each document has the same numbers in the field as points and as doc values, as
   *     {@code IntField}, {@code LongField}, {@code FloatField} and {@code DoubleField} write them
   * @return that query; the join itself where no plan may answer it
   * @throws IllegalArgumentException if it is another query
   * @throws IOException never: no index is read to learn what the join looks for
   */
  public static Query overDocValues(Query join) throws IOException {
    return NumberQueries.overDocValues(join);
  }

  private OffloadQuery(Query query, boolean rewritten) {
    this.query = query;
    this.rewritten = rewritten;
  }

  @Override
  public Query getQuery() {
    return query;
  }

  @Override
  public Query rewrite(IndexSearcher searcher) throws IOException {
    if (query instanceof OffloadQuery || query instanceof MatchNoDocsQuery) {
      return query;
    }
    if (!(searcher instanceof OffloadIndexSearcher)
        && !SearcherOffloaders.of(searcher).indexIsOurs()) {
      return query;
    }
    Query flat = FlatRewrite.rewrite(query);
    Query next;
    try {
      next = flat != null ? flat : query.rewrite(searcher);
    } catch (IndexSearcher.TooManyClauses e) {
      if (!rewritten) {
        throw e; // stock has not dropped any clause yet either
      }
      return query; // without scores stock may drop the clause that is too large; else it throws
    }
    if (next != query) {
      return new OffloadQuery(next, true);
    }
    if (flat != null) {
      return this; // has few clauses, within the limit
    }
    // Where no scores are needed, stock drops clauses for that before it counts them. It cannot do
    // so in here, so a query that is too large as it stands is left to stock.
    return ClauseLimit.isExceeded(query) ? query : this;
  }

  @Override
  public Weight createWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost)
      throws IOException {
    // A searcher of ours offloads by itself; what comes here from one is for the host.
    Weight weight =
        searcher instanceof OffloadIndexSearcher ? null : deviceWeight(searcher, scoreMode, boost);
    return weight != null ? weight : query.createWeight(searcher, scoreMode, boost);
  }

  /**
   * Returns the weight that has the device answer the wrapped query, or parts of it, under a
   * searcher that is none of ours: for an application that makes the stock weight in a way of its
   * own.
   *
   * @param searcher what searches the index
   * @param scoreMode whether scores are wanted
   * @param boost what scores are multiplied by
   * @return null if stock Lucene is to do everything
   * @throws IOException if the index cannot be read
   */
  public Weight deviceWeight(IndexSearcher searcher, ScoreMode scoreMode, float boost)
      throws IOException {
    QueryOffloader offloader = SearcherOffloaders.of(searcher).active(searcher);
    return offloader == null
        ? null
        : offloader.createWrappedWeight(query, scoreMode, boost, OffloadQuery::new);
  }

  @Override
  public void visit(QueryVisitor visitor) {
    query.visit(visitor);
  }

  @Override
  public boolean equals(Object other) {
    return sameClassAs(other) && query.equals(((OffloadQuery) other).query);
  }

  @Override
  public int hashCode() {
    return 31 * classHash() + query.hashCode();
  }

  @Override
  public String toString(String field) {
    return "OffloadQuery(" + query.toString(field) + ")";
  }
}
