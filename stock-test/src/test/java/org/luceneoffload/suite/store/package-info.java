/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Lucene's own suites of directories and locks, over ours. */
package org.luceneoffload.suite.store;
