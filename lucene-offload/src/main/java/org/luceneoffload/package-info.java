/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Boolean and BM25 queries of Lucene that run on a device next to the posting lists: the classes
 * that an application names.
 *
 * @since 1.0.0
 */
package org.luceneoffload;
