/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.wire.page;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Columns of a posting page: values of a fixed width of 0 to 31 bits, least significant bit first,
 * without gaps, starting on a byte.
 */
final class BitPacker {
  /** Bytes behind a column that {@link #pack} may overwrite. */
  public static final int SLACK_BYTES = 8;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private BitPacker() {}

  /** Returns the width of the widest of some values, given all of them ORed together. */
  public static int bitsRequired(int valuesOred) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(valuesOred);
  }

  /** Returns the number of bytes of a column. */
  public static int columnBytes(int count, int bits) {
    return (count * bits + 7) >>> 3;
  }

  /**
   * Packs values.
   *
   * @param values values below 2^bits; not checked
   * @param out where the column goes, at {@code at}, with {@link #SLACK_BYTES} behind it
   * @return bytes of the column
   */
  public static int pack(int[] values, int count, int bits, byte[] out, int at) {
    if (bits == 0) {
      return 0;
    }
    long pending = 0;
    int pendingBits = 0;
    int to = at;
    for (int i = 0; i < count; i++) {
      pending |= (long) values[i] << pendingBits;
      pendingBits += bits;
      if (pendingBits >= Integer.SIZE) {
        INT.set(out, to, (int) pending);
        to += Integer.BYTES;
        pending >>>= Integer.SIZE;
        pendingBits -= Integer.SIZE;
      }
    }
    INT.set(out, to, (int) pending);
    return columnBytes(count, bits);
  }

  /** Unpacks values; reads no byte outside the column. */
  public static void unpack(ByteBuffer in, int at, int count, int bits, int[] values) {
    long pending = 0;
    int pendingBits = 0;
    int from = at;
    long mask = (1L << bits) - 1;
    for (int i = 0; i < count; i++) {
      while (pendingBits < bits) {
        pending |= (in.get(from++) & 0xFFL) << pendingBits;
        pendingBits += Byte.SIZE;
      }
      values[i] = (int) (pending & mask);
      pending >>>= bits;
      pendingBits -= bits;
    }
  }
}
