/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Directories of shards, with images on a device. */
package org.luceneoffload.opensearch.store;
