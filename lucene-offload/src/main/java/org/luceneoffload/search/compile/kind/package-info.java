/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The kinds of Lucene queries that plans can express, and the compiler. A kind says which parts of
 * its queries plans cannot express, and compiles the others; {@link
 * org.luceneoffload.search.compile.kind.QueryKinds} has a row for each.
 */
package org.luceneoffload.search.compile.kind;
