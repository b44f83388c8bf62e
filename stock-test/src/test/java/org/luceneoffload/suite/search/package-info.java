/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Lucene's own tests of queries and searchers, with ours under them. */
package org.luceneoffload.suite.search;
