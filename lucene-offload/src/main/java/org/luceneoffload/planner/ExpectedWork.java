/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.planner;

import org.luceneoffload.model.ModelNames;

/**
 * The expected work of a request on one side, in the units in which the timing model counts work.
 * Expectations are not whole numbers.
 */
public final class ExpectedWork {
  /** Units by kind of work, see {@code model_work}. */
  final double[] units = new double[ModelNames.WORK.size()];

  /** Reads of the drive. */
  public double loads;

  /** Bytes of such a read. */
  public int loadBytes;

  /** Of the reads those that follow the one before on flash. */
  public double inOrder;

  /** Of the reads those that are asked for one page ahead of their use: the programs do that. */
  double ahead;

  /** Of these, reads of one list: they come one behind the other, those of other lists beside. */
  double longestChain;

  /** Bytes that open a session on the device. */
  public double openedBytes;

  /** Bytes of results that the device sends. */
  public double sentBytes;

  /** Results that the host ranks, whichever side this is. */
  public double ranked;

  public void add(int kind, double count) {
    units[kind] += count;
  }
}
