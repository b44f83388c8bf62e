/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Lucene's own files on a storage node: read through a cache, in pages with checksums. */
package org.luceneoffload.store.node;
