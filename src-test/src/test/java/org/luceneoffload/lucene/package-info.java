/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Hooks that put this project's codec, directory and searcher under the core tests of a Lucene
 * source checkout; {@code build-tools/lucene-core/lucene_core_tests.sh} uses them.
 */
package org.luceneoffload.lucene;
