/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;

/**
 * A command for the driver: {@code struct nvme_passthru_cmd64} of linux/nvme_ioctl.h, in the
 * machine's byte order.
 *
 * <p>The driver sends dwords 2, 3 and 10 to 15; it has no way to send dwords 4 and 5. Bit 0 of the
 * opcode says which way the data go: set, to the device. One object serves one thread at a time.
 */
final class PassthruCommand {
  /** Bytes of the struct; the ioctl's number contains them. */
  static final int BYTES = 80;

  private static final int OPCODE = 0; // u8
  private static final int NSID = 4;
  private static final int ADDR = 24; // u64
  private static final int DATA_LEN = 36;
  private static final int CDW10 = 40;
  private static final int TIMEOUT_MS = 64;
  private static final int RESULT = 72; // u64

  private final Memory memory = new Memory(BYTES);

  /** Begins a command without data; everything else is zero. */
  PassthruCommand begin(int opcode, int nsid, int timeoutMillis) {
    memory.clear();
    memory.setByte(OPCODE, (byte) opcode);
    memory.setInt(NSID, nsid);
    memory.setInt(TIMEOUT_MS, timeoutMillis);
    return this;
  }

  /** Gives it data: {@code bytes} at {@code address}, which stay there until it has ended. */
  PassthruCommand data(long address, int bytes) {
    memory.setLong(ADDR, address);
    memory.setInt(DATA_LEN, bytes);
    return this;
  }

  /** Sets a command dword, 10 to 15. */
  PassthruCommand dword(int number, int value) {
    if (number < 10 || number > 15) {
      throw new IllegalArgumentException("dword must be 10 to 15, got " + number);
    }
    memory.setInt(CDW10 + Integer.BYTES * (number - 10L), value);
    return this;
  }

  /** Sets dwords {@code number} and the next to a 64-bit value. */
  PassthruCommand longDword(int number, long value) {
    return dword(number, (int) value).dword(number + 1, (int) (value >>> 32));
  }

  /** The opcode. */
  int opcode() {
    return memory.getByte(OPCODE) & 0xFF;
  }

  /** The namespace. */
  int nsid() {
    return memory.getInt(NSID);
  }

  /** Where the data are. */
  long address() {
    return memory.getLong(ADDR);
  }

  /** Bytes of the data. */
  int dataBytes() {
    return memory.getInt(DATA_LEN);
  }

  /** A command dword, 10 to 15. */
  int dword(int number) {
    return memory.getInt(CDW10 + Integer.BYTES * (number - 10L));
  }

  /** Milliseconds after which the driver gives up. */
  int timeoutMillis() {
    return memory.getInt(TIMEOUT_MS);
  }

  /** Dwords 0 and 1 of the completion. */
  long result() {
    return memory.getLong(RESULT);
  }

  /** Sets what {@link #result} returns; for whoever answers commands. */
  void result(long value) {
    memory.setLong(RESULT, value);
  }

  /** Dword 0 of the completion. */
  int dword0() {
    return (int) result();
  }

  /** The struct. */
  Pointer struct() {
    return memory;
  }
}
