/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.luceneoffload.wire.OffloadWire;

/**
 * A page of one of Lucene's files on a node: {@value #PAYLOAD} bytes of the file, then the stamp of
 * the file (8 bytes), the number of the page in it (4), and the CRC-32C of all before it (4),
 * little-endian. So a page says itself whose it is: no other file's bytes are taken for it,
 * wherever it comes from.
 */
final class NodePage {
  /** Bytes of a page. */
  static final int BYTES = OffloadWire.PAGE_BYTES;

  /** Bytes of the file in it. */
  static final int PAYLOAD = BYTES - 16;

  private static final int STAMP_AT = PAYLOAD;
  private static final int NUMBER_AT = PAYLOAD + 8;
  private static final int CRC_AT = PAYLOAD + 12;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** What the bytes of a page turn out to be. */
  enum State {
    /** The page that was asked for. */
    GOOD,
    /** A page of another file, or none: the file that was here is gone. */
    FOREIGN,
    /** Neither: damaged on the way or where it lies. */
    DAMAGED
  }

  private NodePage() {}

  /** Returns the number of the page that holds a byte of a file. */
  static int number(long offset) {
    return Math.toIntExact(offset / PAYLOAD);
  }

  /** Completes a page whose payload is there. */
  static void seal(byte[] page, long stamp, int number) {
    LONGS.set(page, STAMP_AT, stamp);
    INTS.set(page, NUMBER_AT, number);
    INTS.set(page, CRC_AT, crc(page));
  }

  /** Tells whether bytes are a page of a file. */
  static State check(byte[] page, long stamp, int number) {
    if ((int) INTS.get(page, CRC_AT) != crc(page)) {
      return isZero(page) ? State.FOREIGN : State.DAMAGED;
    }
    return (long) LONGS.get(page, STAMP_AT) == stamp && (int) INTS.get(page, NUMBER_AT) == number
        ? State.GOOD
        : State.FOREIGN;
  }

  private static int crc(byte[] page) {
    CRC32C crc = new CRC32C();
    crc.update(page, 0, CRC_AT);
    return (int) crc.getValue();
  }

  /** Returns whether a page is all zeros, as trimmed LBAs read. */
  private static boolean isZero(byte[] page) {
    return ByteBuffer.wrap(page).mismatch(ByteBuffer.allocate(BYTES)) < 0;
  }
}
