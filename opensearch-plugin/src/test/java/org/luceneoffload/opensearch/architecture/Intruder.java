/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.opensearch.architecture;

import org.apache.lucene.search.Query;
import org.luceneoffload.search.compile.FlatRewrite;

/** Uses what is exported to no module, to show that the rule finds it. */
final class Intruder {
  private Intruder() {}

  static Query rewritten(Query query) {
    return FlatRewrite.rewrite(query);
  }
}
