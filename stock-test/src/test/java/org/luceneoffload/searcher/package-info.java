/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The uses that applications make of a searcher, stock Lucene beside the simulated device. */
package org.luceneoffload.searcher;
