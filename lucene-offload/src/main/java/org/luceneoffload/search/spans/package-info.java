/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Spans in terms of queries that plans can express. */
package org.luceneoffload.search.spans;
