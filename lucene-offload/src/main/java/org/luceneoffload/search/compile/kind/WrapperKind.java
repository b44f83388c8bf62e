/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile.kind;

import java.io.IOException;
import org.apache.lucene.search.Query;
import org.luceneoffload.planner.RefusedException;
import org.luceneoffload.search.compile.DeviceQuery;
import org.luceneoffload.search.compile.QueryNode;

/** Wrappers of this project's own, of any class. */
final class WrapperKind extends QueryKind<Query> {
  WrapperKind() {
    super(DeviceQuery.class::isAssignableFrom);
  }

  @Override
  Query firstOther(Query query, Readings readings, boolean scored) {
    return QueryKinds.firstOther(((DeviceQuery) query).getQuery(), readings, scored);
  }

  @Override
  QueryNode node(Query query, Compilation c, boolean scored, float boost)
      throws RefusedException, IOException {
    return QueryKinds.node(((DeviceQuery) query).getQuery(), c, scored, boost);
  }
}
