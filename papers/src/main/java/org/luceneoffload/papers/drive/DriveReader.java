/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.IOException;

/** Reads a drive at random places, so many reads at once. */
interface DriveReader {
  /**
   * A measured point.
   *
   * @param bytes of a read
   * @param depth reads under way at once
   * @param perSecond reads that ended in a second
   * @param cpuNs processor time of a read, of one thread alone; 0 at depths above 1
   */
  record Point(int bytes, int depth, double perSecond, double cpuNs) {
    /** Returns the time of a read in ns, the wait for others at once with it included. */
    double latencyNs() {
      return depth * 1e9 / perSecond;
    }

    /** Returns the bandwidth in bytes a second. */
    double bytesPerSecond() {
      return perSecond * bytes;
    }
  }

  /** Measures a point. */
  Point measure(int bytes, int depth) throws IOException;
}
