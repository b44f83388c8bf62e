/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Codecs that write images beside what OpenSearch's own write. */
package org.luceneoffload.opensearch.codec;
