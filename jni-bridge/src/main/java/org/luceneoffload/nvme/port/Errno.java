/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.port;

import java.util.Map;

/** Error numbers of Linux, those that opening a namespace and the NVMe driver give. */
public final class Errno {
  public static final int EPERM = 1;
  public static final int ENOENT = 2;
  public static final int EINTR = 4;
  public static final int EIO = 5;
  public static final int ENXIO = 6;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int EFAULT = 14;
  public static final int EBUSY = 16;
  public static final int ENODEV = 19;
  public static final int ENOTDIR = 20;
  public static final int EISDIR = 21;
  public static final int EINVAL = 22;
  public static final int ENFILE = 23;
  public static final int EMFILE = 24;
  public static final int ENOTTY = 25;
  public static final int EROFS = 30;
  public static final int ETIMEDOUT = 110;

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(EPERM, "EPERM, operation not permitted"),
          Map.entry(ENOENT, "ENOENT, no such file"),
          Map.entry(EINTR, "EINTR, interrupted"),
          Map.entry(EIO, "EIO, input or output error"),
          Map.entry(ENXIO, "ENXIO, no such device"),
          Map.entry(EAGAIN, "EAGAIN, try again"),
          Map.entry(ENOMEM, "ENOMEM, out of memory"),
          Map.entry(EACCES, "EACCES, permission denied"),
          Map.entry(EFAULT, "EFAULT, bad address"),
          Map.entry(EBUSY, "EBUSY, device busy"),
          Map.entry(ENODEV, "ENODEV, no such device"),
          Map.entry(ENOTDIR, "ENOTDIR, a part of the path is no folder"),
          Map.entry(EISDIR, "EISDIR, it is a folder"),
          Map.entry(EINVAL, "EINVAL, invalid argument"),
          Map.entry(ENFILE, "ENFILE, too many files are open on this machine"),
          Map.entry(EMFILE, "EMFILE, too many files are open in this process"),
          Map.entry(ENOTTY, "ENOTTY, not for this kind of file"),
          Map.entry(EROFS, "EROFS, read-only"),
          Map.entry(ETIMEDOUT, "ETIMEDOUT, timed out"));

  private Errno() {}

  /** Returns whether a file that cannot be opened for writing may perhaps be read. */
  public static boolean refusesWriting(int errno) {
    return errno == EACCES || errno == EPERM || errno == EROFS;
  }

  /** Returns the name and the meaning of an error number, for people. */
  public static String name(int errno) {
    return NAMES.getOrDefault(errno, "error number " + errno);
  }
}
