/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Images made or deleted in shards that are open. */
package org.luceneoffload.opensearch.upkeep;
