/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Aggregations that take several searches: buckets inside others, combinations, first hits. */
package org.luceneoffload.search.nested;
