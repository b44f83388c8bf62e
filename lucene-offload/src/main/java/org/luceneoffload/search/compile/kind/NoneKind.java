/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.luceneoffload.search.compile.QueryNode;

/** Queries for no doc. */
final class NoneKind extends QueryKind<MatchNoDocsQuery> {
  NoneKind() {
    super(MatchNoDocsQuery.class);
  }

  @Override
  Query firstOther(MatchNoDocsQuery query, Readings readings, boolean scored) {
    return null;
  }

  @Override
  QueryNode node(MatchNoDocsQuery query, Compilation c, boolean scored, float boost) {
    return new QueryNode.NothingNode();
  }
}
