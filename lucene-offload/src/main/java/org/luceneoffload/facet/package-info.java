/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Twins of the classes of Lucene's facet module: the same results, counted by the device. This is
 * the only package that needs {@code lucene-facet}, and nothing else uses it.
 *
 * @since 1.0.0
 */
package org.luceneoffload.facet;
