/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.Structure.FieldOrder;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.luceneoffload.nvme.port.NvmeCommand;
import org.luceneoffload.nvme.port.PassthruCommand;

/** The bytes of a command against the C compiler's rules, by which JNA lays out structs. */
class TestPassthruCommand {
  /** The fields of struct nvme_passthru_cmd64, in their order. */
  @FieldOrder({
    "opcode",
    "flags",
    "rsvd1",
    "nsid",
    "cdw2",
    "cdw3",
    "metadata",
    "addr",
    "metadata_len",
    "data_len",
    "cdw10",
    "cdw11",
    "cdw12",
    "cdw13",
    "cdw14",
    "cdw15",
    "timeout_ms",
    "rsvd2",
    "result"
  })
  public static class Layout extends Structure {
    public byte opcode;
    public byte flags;
    public short rsvd1;
    public int nsid;
    public int cdw2;
    public int cdw3;
    public long metadata;
    public long addr;
    public int metadata_len;
    public int data_len;
    public int cdw10;
    public int cdw11;
    public int cdw12;
    public int cdw13;
    public int cdw14;
    public int cdw15;
    public int timeout_ms;
    public int rsvd2;
    public long result;

    Layout(Pointer memory) {
      super(memory);
      read();
    }
  }

  @Test
  void theStructIsThatOfTheKernel() {
    ByteBuffer data = ByteBuffer.allocateDirect(8192);
    NvmeCommand command =
        new NvmeCommand(0x81, 3, 5000)
            .data(data, 96, 4096)
            .longDword(10, 0x0102030405060708L)
            .dword(12, 12)
            .dword(13, 13)
            .dword(14, 14)
            .dword(15, 15);
    PassthruCommand passthru = new PassthruCommand(command);
    Layout layout = new Layout(passthru.struct());
    assertEquals(PassthruCommand.BYTES, layout.size());
    assertEquals(80, layout.size());
    assertEquals((byte) 0x81, layout.opcode);
    assertEquals(0, layout.flags);
    assertEquals(3, layout.nsid);
    assertEquals(0, layout.metadata);
    assertEquals(Pointer.nativeValue(Native.getDirectBufferPointer(data)) + 96, layout.addr);
    assertEquals(4096, layout.data_len);
    assertEquals(0x05060708, layout.cdw10);
    assertEquals(0x01020304, layout.cdw11);
    assertEquals(12, layout.cdw12);
    assertEquals(13, layout.cdw13);
    assertEquals(14, layout.cdw14);
    assertEquals(15, layout.cdw15);
    assertEquals(5000, layout.timeout_ms);
    assertEquals(0, layout.result);
    passthru.struct().setLong(72, 0xAABBCCDD00112233L);
    command.result(passthru.result());
    assertEquals(0xAABBCCDD00112233L, command.result());
    assertEquals(0x00112233, command.dword0());
  }

  @Test
  void aCommandWithoutDataHasNone() {
    Layout layout = new Layout(new PassthruCommand(new NvmeCommand(2, 0, 0)).struct());
    assertEquals(0, layout.addr | layout.data_len | layout.cdw15 | layout.nsid);
  }

  @Test
  void otherDwordsCannotBeSent() {
    NvmeCommand command = new NvmeCommand(2, 0, 0);
    assertThrows(IllegalArgumentException.class, () -> command.dword(9, 0));
    assertThrows(IllegalArgumentException.class, () -> command.dword(16, 0));
  }
}
