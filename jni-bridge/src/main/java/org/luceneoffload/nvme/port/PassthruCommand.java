/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.port;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;

/**
 * A command for the driver: {@code struct nvme_passthru_cmd64} of linux/nvme_ioctl.h, in the
 * machine's byte order. The driver sends dwords 2, 3 and 10 to 15; it has no way to send dwords 4
 * and 5.
 */
public final class PassthruCommand {
  /** Bytes of the struct; the ioctl's number contains them. */
  public static final int BYTES = 80;

  private static final int OPCODE = 0; // u8
  private static final int NSID = 4;
  private static final int CDW2 = 8;
  private static final int ADDR = 24; // u64
  private static final int DATA_LEN = 36;
  private static final int CDW10 = 40;
  private static final int TIMEOUT_MS = 64;
  private static final int RESULT = 72; // u64

  private final Memory memory = new Memory(BYTES);

  /** The struct of a command. The driver gets the address of its data, which must outlive this. */
  public PassthruCommand(NvmeCommand command) {
    memory.clear();
    memory.setByte(OPCODE, (byte) command.opcode());
    memory.setInt(NSID, command.nsid());
    memory.setInt(TIMEOUT_MS, command.timeoutMillis());
    if (command.data() != null) {
      long address = Pointer.nativeValue(Native.getDirectBufferPointer(command.data()));
      memory.setLong(ADDR, address + command.dataOffset());
      memory.setInt(DATA_LEN, command.dataBytes());
    }
    for (int number = 2; number <= 3; number++) {
      memory.setInt(CDW2 + Integer.BYTES * (number - 2L), command.dword(number));
    }
    for (int number = 10; number <= 15; number++) {
      memory.setInt(CDW10 + Integer.BYTES * (number - 10L), command.dword(number));
    }
  }

  /** Returns dwords 0 and 1 of the completion. */
  public long result() {
    return memory.getLong(RESULT);
  }

  /** Returns the struct. */
  public Pointer struct() {
    return memory;
  }
}
