/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.search;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.luceneoffload.cli.model.ModelledCost;

/**
 * The answer of one side to one query.
 *
 * @param count matches
 * @param relation {@code EQUAL_TO}, or {@code GREATER_THAN_OR_EQUAL_TO} if there may be more
 * @param hits the best hits; null unless they were asked for
 * @param docsCrc32c checksum (CRC-32C, hexadecimal) of all doc IDs in order, each as four
 *     little-endian bytes; null unless they were asked for
 * @param docs all doc IDs; null unless they are to be shown
 * @param aggregates what aggregations found; null unless they were asked for
 * @param micros wall-clock time of this single run; a measurement needs {@code bench}
 * @param work what the device did; null for the host
 * @param modelled what it would take on the modelled device; null if none is
 * @param allDocs all doc IDs, for the comparison
 */
public record Answer(
    long count,
    String relation,
    List<Hit> hits,
    String docsCrc32c,
    int[] docs,
    List<AggregateAnswer> aggregates,
    double micros,
    DeviceWork work,
    ModelledCost modelled,
    @JsonIgnore int[] allDocs) {

  /**
   * Returns this answer with some of its hits alone.
   *
   * @param from hits before them
   * @param size how many of them there are, if so many follow
   */
  public Answer withHits(int from, int size) {
    List<Hit> some = hits.stream().skip(from).limit(size).toList();
    return new Answer(
        count, relation, some, docsCrc32c, docs, aggregates, micros, work, modelled, allDocs);
  }

  /** Returns a checksum of doc IDs. */
  static String checksum(int[] docs) {
    CRC32C crc = new CRC32C();
    byte[] bytes = new byte[4];
    for (int doc : docs) {
      for (int i = 0; i < 4; i++) {
        bytes[i] = (byte) (doc >>> 8 * i);
      }
      crc.update(bytes, 0, 4);
    }
    return String.format(Locale.ROOT, "%08x", crc.getValue());
  }
}
