/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.port;

import java.nio.ByteBuffer;

/**
 * A command on its way to a namespace or its controller, and what came back.
 *
 * <p>A host can set dwords 2, 3, 4 and 10 to 15; the driver of Linux has no way to send dword 4.
 * Bit 0 of the opcode says which way the data go: set, to the device. One object serves one thread
 * at a time.
 */
public final class NvmeCommand {
  private static final int DWORDS = 16;
  private static final int TO_DEVICE = 1;
  private static final int FABRICS = 0x7F; // whose type, in place of the namespace, has the bit

  private final int opcode;
  private final int nsid;
  private final int timeoutMillis;
  private final int[] dwords = new int[DWORDS];
  private ByteBuffer data; // null: none
  private int offset;
  private int bytes;
  private long epoch; // 0: any
  private long result;
  private int status;
  private boolean answered;

  /**
   * A command without data; everything else is zero.
   *
   * @param timeoutMillis after which it is given up
   */
  public NvmeCommand(int opcode, int nsid, int timeoutMillis) {
    this.opcode = opcode;
    this.nsid = nsid;
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * Gives it data.
   *
   * @param buffer direct; its position and limit are of no interest
   * @param from first byte of the buffer
   * @param count bytes, which stay as they are until the command has ended
   */
  public NvmeCommand data(ByteBuffer buffer, int from, int count) {
    if (from < 0 || count < 0 || from > buffer.capacity() - count) {
      throw new IllegalArgumentException(
          count + " bytes from " + from + " of a buffer of " + buffer.capacity());
    }
    data = buffer.duplicate().clear(); // whoever changes limits does not change these
    offset = from;
    bytes = count;
    return this;
  }

  /** Sets a command dword: 2, 3, 4, or 10 to 15. */
  public NvmeCommand dword(int number, int value) {
    if (number < 2 || number > 4 && number < 10 || number >= DWORDS) {
      throw new IllegalArgumentException("dword must be 2, 3, 4, or 10 to 15, got " + number);
    }
    dwords[number] = value;
    return this;
  }

  /** Sets dwords {@code number} and the next to a 64-bit value. */
  public NvmeCommand longDword(int number, long value) {
    return dword(number, (int) value).dword(number + 1, (int) (value >>> 32));
  }

  /** Has it sent over one connection only, see {@link CommandPort#epoch}; 0: over any. */
  public NvmeCommand onlyOver(long connection) {
    epoch = connection;
    return this;
  }

  /** Returns the connection that it has to be sent over; 0: any. */
  public long epoch() {
    return epoch;
  }

  /** Returns the opcode. */
  public int opcode() {
    return opcode;
  }

  /** Returns the namespace's number; of a Fabrics command, its type. */
  public int nsid() {
    return nsid;
  }

  /** Returns a command dword: 2, 3, 4, or 10 to 15. */
  public int dword(int number) {
    return dwords[number];
  }

  /** Returns a view of the buffer of its data, all of it; null if it has none. */
  public ByteBuffer data() {
    return data;
  }

  /** Returns the first byte of the data in their buffer. */
  public int dataOffset() {
    return offset;
  }

  /** Returns how many bytes the data have. */
  public int dataBytes() {
    return bytes;
  }

  /** Returns whether the data, if there are any, go to the device. */
  public boolean isToDevice() {
    return ((opcode == FABRICS ? nsid : opcode) & TO_DEVICE) != 0;
  }

  /** Returns the milliseconds after which it is given up. */
  public int timeoutMillis() {
    return timeoutMillis;
  }

  /** Returns dwords 0 and 1 of the completion. */
  public long result() {
    return result;
  }

  /** Sets what {@link #result} returns; for whoever answers commands. */
  public void result(long value) {
    result = value;
  }

  /** Returns the NVMe status that it ended with, see {@link CommandPort#io}. */
  public int status() {
    return status;
  }

  /** Returns whether it has ended, and {@link #status} says how. */
  public boolean isAnswered() {
    return answered;
  }

  /** Sets what {@link #status} returns; for whoever answers commands. */
  public void status(int value) {
    status = value;
    answered = true;
  }

  /** Returns dword 0 of the completion. */
  public int dword0() {
    return (int) result;
  }
}
