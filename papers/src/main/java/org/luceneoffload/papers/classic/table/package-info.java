/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
/**
 * Tables of fixed-length rows in pages of 8 KB, row by row or column by column, and the scans that
 * the first computational SSDs ran over them, recorded for the timing model.
 */
package org.luceneoffload.papers.classic.table;
