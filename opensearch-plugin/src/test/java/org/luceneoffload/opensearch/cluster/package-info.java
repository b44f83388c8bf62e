/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Clusters to test with. */
package org.luceneoffload.opensearch.cluster;
