/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.pageindex;

/**
 * A range of keys.
 *
 * @param low its least
 * @param high its greatest
 */
record Range(long low, long high) {
  boolean holds(long key) {
    return key >= low && key <= high;
  }
}
