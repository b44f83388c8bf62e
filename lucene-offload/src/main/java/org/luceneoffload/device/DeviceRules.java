/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.device;

import java.nio.ByteBuffer;
import java.util.Locale;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/** The checks that {@link Device} promises, for those who implement it. */
public final class DeviceRules {
  private DeviceRules() {}

  /**
   * Checks the buffer and the range of a read or write.
   *
   * @param info of the device
   * @param what {@code read} or {@code write}, for messages
   * @param lba the first LBA
   * @param buffer from position to limit
   * @throws IllegalArgumentException if the buffer is not direct, or covers no whole LBAs
   * @throws OffloadException with status OUT_OF_RANGE
   */
  public static void checkTransfer(DeviceInfo info, String what, long lba, ByteBuffer buffer)
      throws OffloadException {
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException("the buffer of a " + what + " must be direct");
    }
    if (!buffer.hasRemaining() || buffer.remaining() % info.lbaBytes() != 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a %s covers whole LBAs of %d bytes, got %d bytes",
              what,
              info.lbaBytes(),
              buffer.remaining()));
    }
    checkLbas(info, what, lba, buffer.remaining() / info.lbaBytes());
  }

  /**
   * Checks a range of LBAs.
   *
   * @throws OffloadException with status OUT_OF_RANGE
   */
  public static void checkLbas(DeviceInfo info, String what, long lba, long count)
      throws OffloadException {
    if (lba < 0 || count < 0 || lba > info.lbaCount() || count > info.lbaCount() - lba) {
      throw new OffloadException(
          OffloadWire.Status.OUT_OF_RANGE,
          what + " of " + count + " LBAs at LBA " + lba + " of " + info.lbaCount());
    }
  }

  /**
   * Checks the buffer of live docs.
   *
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
   * Returns a text of a wire struct: ASCII from byte {@code from}, ended by a zero or at {@code
   * to}.
   */
  public static String text(ByteBuffer struct, int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to && struct.get(i) != 0; i++) {
      text.append((char) (struct.get(i) & 0x7f));
    }
    return text.toString();
  }
}
