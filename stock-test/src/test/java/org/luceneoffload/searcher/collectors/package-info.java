/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What applications do with hits: collectors, managers, caches, limits. */
package org.luceneoffload.searcher.collectors;
