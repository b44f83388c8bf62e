/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Queries, sorts and aggregations over values. */
package org.luceneoffload.searcher.values;
