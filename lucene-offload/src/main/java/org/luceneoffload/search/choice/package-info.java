/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Whether stock Lucene is expected to be quicker than the device: a new rule is a class that
 * implements {@link org.luceneoffload.search.choice.StockRule} and a row in {@link
 * org.luceneoffload.search.choice.Choice}, its times are in {@link
 * org.luceneoffload.search.choice.Costs}. No answer depends on any of this.
 */
package org.luceneoffload.search.choice;
