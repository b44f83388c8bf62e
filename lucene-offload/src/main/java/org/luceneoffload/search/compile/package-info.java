/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The query compiler: a Lucene query becomes a tree that plans can express, or a refusal. */
package org.luceneoffload.search.compile;
