/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import java.nio.file.Path;
import java.util.Locale;

/**
 * The report of {@code search}.
 *
 * @param index directory of the index
 * @param device name of the device
 * @param on who was asked: device, host or both
 * @param mode what was asked: top, count or docs
 * @param k hits wanted
 * @param documents live documents of the index
 * @param segments segments of the index
 * @param queriesAsked queries given
 * @param profile of the device that was modelled; null if none was
 */
record SearchReport(
    Path index,
    String device,
    String on,
    String mode,
    int k,
    int documents,
    int segments,
    int queriesAsked,
    String profile) {

  /** Returns an enum's name as options and JSON spell it. */
  static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
