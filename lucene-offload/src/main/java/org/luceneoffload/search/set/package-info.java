/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/** Bits of docs in device memory, and the sets of docs that are kept there for queries to come. */
package org.luceneoffload.search.set;
