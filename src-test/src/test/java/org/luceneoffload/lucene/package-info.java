/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * What puts this project's codec, directory and searcher under the core tests of a Lucene source
 * checkout; {@code build-tools/lucene-core/lucene_core_tests.sh} uses it.
 */
package org.luceneoffload.lucene;
