/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Lucene's sorts as sort keys of plans, and sorted results as Lucene's hits. */
package org.luceneoffload.search.sort;
