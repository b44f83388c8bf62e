/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Aggregations of requests that the device answers, in the form of OpenSearch's own results. */
package org.luceneoffload.opensearch.aggregation;
