/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The findings of the experiments: published figures next to modelled ones (Published, Formulas),
 * trends, and what Lucene's own queries would take. Reproduction runs it all.
 */
package org.luceneoffload.papers.study;
