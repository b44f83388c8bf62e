/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.sim;

import org.luceneoffload.natives.NativeHandle;
import org.luceneoffload.natives.Trail;
import org.luceneoffload.wire.OffloadException;

/** The commands of tasks of one session. The handle is held for the native calls alone. */
final class SimTask {
  private final NativeHandle handle;
  private final Trail trail;

  SimTask(NativeHandle handle, Trail trail) {
    this.handle = handle;
    this.trail = trail;
  }

  /** Sends a command; returns its dword 0 plus 1, or 0 if there is more to do. */
  long begin(int opcode, int dword11, int dword12, int dword13, long budget)
      throws OffloadException {
    long address = handle.acquire();
    try {
      return trail.check(
          nativeCommand(address, opcode, dword11, dword12, dword13, budget, trail.bytes),
          "a command of a task");
    } finally {
      handle.release();
    }
  }

  /** Goes on with the command; returns as {@link #begin}. */
  long goOn(long budget) throws OffloadException {
    long address = handle.acquire();
    try {
      return trail.check(nativeContinue(address, budget, trail.bytes), "a command of a task");
    } finally {
      handle.release();
    }
  }

  /** Fetches a page into the session's buffer; returns its bytes. */
  int page(int bytes) throws OffloadException {
    long address = handle.acquire();
    try {
      return Math.toIntExact(
          trail.check(nativePage(address, bytes, trail.bytes), "fetching the page of a task"));
    } finally {
      handle.release();
    }
  }

  private static native long nativeCommand(
      long handle, int opcode, int dword11, int dword12, int dword13, long budget, byte[] trail);

  private static native long nativeContinue(long handle, long budget, byte[] trail);

  private static native long nativePage(long handle, int bytes, byte[] trail);
}
