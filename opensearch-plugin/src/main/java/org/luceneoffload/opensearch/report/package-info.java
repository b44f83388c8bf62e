/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What the plugin says of searches: counts of requests. */
package org.luceneoffload.opensearch.report;
