/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

/**
 * One of the best hits.
 *
 * @param rank from 1 on
 * @param doc doc ID in the reader
 * @param score BM25 score
 * @param scoreBits the score's bits as eight hexadecimal digits
 * @param id field {@code id}, if stored
 * @param title field {@code title}, if stored
 */
public record Hit(int rank, int doc, float score, String scoreBits, String id, String title) {}
