/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import com.sun.jna.NativeLong;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Memory that starts on a page and is a multiple of pages long, as a device that moves the data
 * itself likes it best.
 *
 * <p>It has one owner, the buffer: it is freed when neither the buffer nor a view of it is
 * reachable any more. So a caller who writes into the plan buffer of a closed session writes into
 * memory that nobody else has.
 *
 * @param bytes the memory; direct, little-endian
 * @param address where it begins
 */
record AlignedBuffer(ByteBuffer bytes, long address) {
  private static final int PAGE_BYTES = 4096;
  private static final Cleaner CLEANER = Cleaner.create();

  /** Allocates {@code bytes}, at least, of zeros. */
  static AlignedBuffer allocate(int bytes) {
    long whole = (bytes + (PAGE_BYTES - 1L)) / PAGE_BYTES * PAGE_BYTES;
    PointerByReference out = new PointerByReference();
    int error = LibC.get().posix_memalign(out, new NativeLong(PAGE_BYTES), new NativeLong(whole));
    if (error != 0) {
      throw new OutOfMemoryError("posix_memalign of " + whole + " bytes: " + Errno.name(error));
    }
    Pointer memory = out.getValue();
    memory.clear(whole);
    ByteBuffer buffer = memory.getByteBuffer(0, whole).order(ByteOrder.LITTLE_ENDIAN);
    CLEANER.register(buffer, () -> LibC.get().free(memory));
    return new AlignedBuffer(buffer, Pointer.nativeValue(memory));
  }
}
