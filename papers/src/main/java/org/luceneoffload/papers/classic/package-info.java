/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * The search programs of the first computational SSDs on synthetic lists, to reproduce what the
 * literature says of them, and today's programs on the same lists. Nothing that answers a query
 * needs this.
 */
package org.luceneoffload.papers.classic;
