/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic.table;

/** How a page holds its rows. */
public enum Layout {
  /** Row after row, found by slots at the end of the page. */
  NSM,
  /** Column after column. */
  PAX
}
