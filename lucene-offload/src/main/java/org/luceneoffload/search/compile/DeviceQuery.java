/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.search.compile;

import org.apache.lucene.search.Query;

/** A query that wraps another one, which it asks the device to answer. */
public interface DeviceQuery {
  /** {@return the wrapped query} */
  Query getQuery();
}
