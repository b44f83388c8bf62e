/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import org.luceneoffload.wire.Operator;

/**
 * Capabilities of a device, the fields of the wire's {@code device_info}.
 *
 * @param model model of the device
 * @param kernels name of the kernels in use
 * @param readOnly whether writes are refused for good, whatever {@link Device#openForWriting} is
 *     asked
 * @param lbaBytes bytes of an LBA
 * @param pageBytes bytes of a posting page
 * @param lbaCount LBAs of the namespace
 * @param dramBytes device memory for pages
 * @param maxTransferBytes most bytes of one command's data
 * @param maxPlanBytes most bytes of a plan
 * @param maxResultBytes most bytes of a result page
 * @param maxSessions sessions open at once
 * @param modeBits bit m set: mode m is supported
 * @param opBits bit o set: operator o is supported
 * @param shortTables whether plans say of norm tables of BM25 only what they are made of: the
 *     device can make them, and a plan's bytes cost more than that
 * @param series whether a session's TOP_K plans may follow one another: each then knows the hits of
 *     those before it
 */
public record DeviceInfo(
    String model,
    String kernels,
    boolean readOnly,
    int lbaBytes,
    int pageBytes,
    long lbaCount,
    long dramBytes,
    int maxTransferBytes,
    int maxPlanBytes,
    int maxResultBytes,
    int maxSessions,
    int modeBits,
    long opBits,
    boolean shortTables,
    boolean series) {

  /** Returns whether plans may be of a mode, a value of {@code OffloadWire.Mode}. */
  public boolean hasMode(int mode) {
    return (modeBits & (1 << mode)) != 0;
  }

  /** Returns whether plans may have nodes of an operator. */
  public boolean knows(Operator operator) {
    return (opBits & operator.bit()) != 0;
  }
}
