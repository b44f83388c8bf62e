/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Searchers and readers of the kinds that applications make, stock ones beside ours. */
package org.luceneoffload.fuzz.searcher;
