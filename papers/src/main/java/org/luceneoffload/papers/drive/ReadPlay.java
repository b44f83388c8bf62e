/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import org.luceneoffload.model.ModelReport;
import org.luceneoffload.model.ProfileException;
import org.luceneoffload.papers.classic.ClassicModel;
import org.luceneoffload.wire.OffloadWire;

/** Plays the reads that are measured. */
final class ReadPlay {
  private static final int PLACES = 1 << 18; // LBAs: a gigabyte
  private static final int READS_EACH = 4;
  private static final int MIN_READS = 64;

  private ReadPlay() {}

  /**
   * Returns the nanoseconds of a read, the wait for others at once with it included.
   *
   * @param profile the bytes of a {@code model_profile}
   * @param bytes of a read
   * @param depth reads under way at once
   */
  static double latencyNs(byte[] profile, int bytes, int depth) {
    int reads = Math.max(MIN_READS, READS_EACH * depth);
    byte[] report =
        ClassicModel.playReads(profile, OffloadWire.ModelSide.HOST, reads, bytes, depth, PLACES, 1);
    try {
      return ModelReport.read(report).elapsedPs() / 1e3 / reads * depth;
    } catch (ProfileException e) {
      throw new IllegalStateException("the player made an unreadable report", e);
    }
  }
}
