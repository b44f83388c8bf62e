/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Searches of shards: queries, and whole requests, that the device answers. */
package org.luceneoffload.opensearch.query;
