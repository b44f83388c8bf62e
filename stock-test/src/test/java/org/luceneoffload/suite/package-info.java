/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** The suites of Lucene's own test framework, run on this project's formats and directory. */
package org.luceneoffload.suite;
