/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.coverage;

import java.util.List;
import java.util.Map;

/**
 * The output of {@code coverage}.
 *
 * @param log the query log; null: the catalogue
 * @param device name of the device
 * @param requests how many requests the log stands for: the sum of its lines' counts
 * @param lines lines of the log
 * @param places how many requests and shapes each place has
 * @param shapes the shapes, those that are asked most first
 */
record CoverageReport(
    String log, String device, long requests, int lines, List<Share> places, List<Shape> shapes) {

  /** Where requests are answered. */
  enum Place {
    /** The device answers whole requests. */
    DEVICE,
    /** The device answers a part, and the host works on with what it finds. */
    PARTLY,
    /** Stock Lucene answers. */
    HOST,
    /**
     * No segment has to be searched: stock knows the answer from statistics, or nothing matches.
     */
    NOWHERE,
    /** This tool cannot translate the request. */
    UNTRANSLATED
  }

  /**
   * A place's part of the log.
   *
   * @param place where
   * @param requests requests there
   * @param shapes shapes there
   */
  record Share(Place place, long requests, int shapes) {}

  /**
   * Requests that differ in fields, words and values only.
   *
   * @param shape the query in Lucene's classes, and what is asked of it
   * @param names what the log calls its lines, and how many requests each name has
   * @param requests requests of this shape
   * @param place the place that the most of them have
   * @param reasons why the host has to work; empty: it has not
   */
  record Shape(
      String shape, Map<String, Long> names, long requests, Place place, List<String> reasons) {}

  /** Returns a place's share of the requests, in percent. */
  double percent(Share share) {
    return requests == 0 ? 0 : 100.0 * share.requests() / requests;
  }
}
