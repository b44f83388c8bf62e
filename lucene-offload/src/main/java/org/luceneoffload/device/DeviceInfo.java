/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.nio.ByteBuffer;
import java.util.Locale;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
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

  /**
   * {@return whether plans may be of a mode, a value of {@code OffloadWire.Mode}}
   *
   * @param mode of the wire
   */
  public boolean hasMode(int mode) {
    return (modeBits & (1 << mode)) != 0;
  }

  /**
   * {@return whether plans may have nodes of an operator}
   *
   * @param operator of a plan node
   */
  public boolean knows(Operator operator) {
    return (opBits & operator.bit()) != 0;
  }

  /**
   * Checks the buffer and the range of a read or write, as {@link Device} promises.
   *
   * @param what {@code read} or {@code write}, for messages
   * @param lba the first LBA
   * @param buffer from position to limit
   * @throws IllegalArgumentException if the buffer is not direct, or covers no whole LBAs
   * @throws OffloadException with status OUT_OF_RANGE
   */
  public void checkTransfer(String what, long lba, ByteBuffer buffer) throws OffloadException {
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException("the buffer of a " + what + " must be direct");
    }
    if (!buffer.hasRemaining() || buffer.remaining() % lbaBytes != 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a %s covers whole LBAs of %d bytes, got %d bytes",
              what,
              lbaBytes,
              buffer.remaining()));
    }
    checkLbas(what, lba, buffer.remaining() / lbaBytes);
  }

  /**
   * Checks a range of LBAs.
   *
   * @param what what is done, for messages
   * @param lba the first one
   * @param count of the LBAs
   * @throws OffloadException with status OUT_OF_RANGE
   */
  public void checkLbas(String what, long lba, long count) throws OffloadException {
    if (lba < 0 || count < 0 || lba > lbaCount || count > lbaCount - lba) {
      throw new OffloadException(
          OffloadWire.Status.OUT_OF_RANGE,
          what + " of " + count + " LBAs at LBA " + lba + " of " + lbaCount);
    }
  }

  /**
   * Checks the buffer of live docs.
   *
   * @param bits the live docs
   * @throws IllegalArgumentException if it is not direct, or has no whole words
   */
  public static void checkLiveDocs(ByteBuffer bits) {
    if (!bits.isDirect()) {
      throw new IllegalArgumentException("the live docs must be in a direct buffer");
    }
    if (bits.remaining() == 0 || bits.remaining() % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "live docs are one or more words of 8 bytes, got " + bits.remaining() + " bytes");
    }
  }

  /**
   * {@return a text of a wire struct: ASCII from byte {@code from}, ended by a zero or at {@code
   * to}}
   *
   * @param struct holds the text
   * @param from the first byte
   * @param to the byte after the last
   */
  public static String text(ByteBuffer struct, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to && struct.get(i) != 0; i++) {
      text.append((char) (struct.get(i) & 0x7f));
    }
    return text.toString();
  }
}
