/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Searching on the device: the query compiler, the plans of a query's segments, and the weights and
 * scorers that stream what the device finds.
 *
 * <p>The way in is {@link org.luceneoffload.OffloadIndexSearcher}; the public classes here are for
 * it and for people who ask why a query ran where it did.
 */
package org.luceneoffload.search;
