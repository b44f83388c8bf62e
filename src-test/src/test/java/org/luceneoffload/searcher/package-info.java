/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What applications do with a searcher, stock Lucene beside the simulated device. */
package org.luceneoffload.searcher;
