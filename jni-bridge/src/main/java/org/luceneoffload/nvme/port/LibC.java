/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.port;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.NativeLong;

/**
 * The functions of the C library that this package calls. A call that returns -1 has left its error
 * number where {@link Native#getLastError} finds it.
 */
public interface LibC extends Library {
  /** open(2): read only. */
  int O_RDONLY = 0;

  /** open(2): read and write. */
  int O_RDWR = 2;

  /** open(2): not for child processes. The same on x86-64 and AArch64. */
  int O_CLOEXEC = 0x80000;

  /** flock(2): nobody else may hold it. */
  int LOCK_EX = 2;

  /** flock(2): fail rather than wait. */
  int LOCK_NB = 4;

  /** Loads the library; once, and not before somebody needs it. */
  final class Holder {
    static final LibC LIBC = Native.load("c", LibC.class);

    private Holder() {}
  }

  /** Returns the library. */
  static LibC get() {
    return Holder.LIBC;
  }

  /** Calls open(2). */
  int open(String path, int flags);

  /** Calls close(2). */
  int close(int fd);

  /** Calls flock(2). */
  int flock(int fd, int operation);

  /** Calls ioctl(2). */
  int ioctl(int fd, NativeLong request, Object... argument);
}
