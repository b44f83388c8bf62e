/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** What a measurement runs on: processor, page cache, files of stock Lucene, a log of queries. */
package org.luceneoffload.cli.bench.machine;
