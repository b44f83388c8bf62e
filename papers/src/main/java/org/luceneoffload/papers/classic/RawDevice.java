/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.classic;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.luceneoffload.natives.NativeHandle;
import org.luceneoffload.natives.Trail;
import org.luceneoffload.wire.OffloadException;

/**
 * A device of the engine that is given single commands, as a driver does: for commands that the
 * plugin does not send. It has the programs over rows, which tasks may run. One thread at a time.
 */
public final class RawDevice implements AutoCloseable {
  private final NativeHandle handle;

  /**
   * Opens a device over a file, for writing.
   *
   * @param file made if it is absent; its page index lies beside it
   * @param capacityBytes of the device
   * @param indexBytes of the cache of the page index; what is less than two index pages' is taken
   *     as these; 0: the engine's default
   * @param sessionBytes that all sessions together may be granted; 0: the engine's default
   */
  public RawDevice(Path file, long capacityBytes, long indexBytes, long sessionBytes)
      throws OffloadException {
    ClassicLibrary.load();
    Trail trail = new Trail();
    byte[] path = file.toString().getBytes(StandardCharsets.UTF_8);
    handle =
        new NativeHandle(
            "the device",
            trail.check(
                nativeOpen(path, capacityBytes, indexBytes, sessionBytes, trail.bytes),
                "opening a device"));
  }

  /**
   * Runs a command.
   *
   * @param opcode an {@link org.luceneoffload.wire.OffloadWire.Opcode}
   * @param dwords command dwords 10 to 14
   * @param data a direct buffer whose first {@code bytes} the command transfers; null: no data
   * @return dword 0 of the completion
   */
  public long run(int opcode, int[] dwords, ByteBuffer data, int bytes) throws OffloadException {
    Trail trail = new Trail();
    long address = handle.acquire();
    try {
      return trail.check(
          nativeRun(address, opcode, dwords, data, bytes, trail.bytes), "command " + opcode);
    } finally {
      handle.release();
    }
  }

  /**
   * What the page index did since the device was opened.
   *
   * @param loads index pages that were read from the store
   * @param rebuilt entries that a crash had left undone
   */
  public record IndexCounts(long loads, long rebuilt) {}

  /** Returns what the page index did. */
  public IndexCounts indexCounts() throws OffloadException {
    long[] counts = new long[2];
    long address = handle.acquire();
    try {
      nativeCounts(address, counts);
    } finally {
      handle.release();
    }
    return new IndexCounts(counts[0], counts[1]);
  }

  @Override
  public void close() {
    handle.close(RawDevice::nativeClose);
  }

  private static native long nativeOpen(
      byte[] path, long capacityBytes, long indexBytes, long sessionBytes, byte[] trail);

  private static native void nativeClose(long handle);

  private static native long nativeRun(
      long handle, int opcode, int[] dwords, ByteBuffer data, int bytes, byte[] trail);

  private static native void nativeCounts(long handle, long[] counts);
}
