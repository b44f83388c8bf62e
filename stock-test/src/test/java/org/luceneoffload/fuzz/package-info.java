/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** A differential fuzzer: stock Lucene against the offloading searcher, to the bit. */
package org.luceneoffload.fuzz;
