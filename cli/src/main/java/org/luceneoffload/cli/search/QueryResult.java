/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

/**
 * A query and its answers.
 *
 * @param query as the user wrote it
 * @param origin file and line; null if it stood on the command line
 * @param identical whether both sides answered the same; null unless both were asked
 * @param difference the first difference; null if there is none
 * @param device the device's answer; null if it was not asked
 * @param host the host's answer; null if it was not asked
 */
record QueryResult(
    String query,
    String origin,
    Boolean identical,
    String difference,
    Answer device,
    Answer host) {}
