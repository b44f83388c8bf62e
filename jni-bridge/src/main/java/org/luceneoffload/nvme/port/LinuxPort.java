/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.port;

import com.sun.jna.Native;
import com.sun.jna.NativeLong;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.luceneoffload.natives.LockHolder;
import org.luceneoffload.natives.NativeHandle;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * The NVMe driver of Linux: ioctls on a namespace's character device, {@code /dev/ng0n1}, or its
 * block device, {@code /dev/nvme0n1}.
 *
 * <p>A command that runs into its time limit ends with EINTR on NVMe over TCP, and the controller
 * is reset; those that follow get a path error until it is connected again. So EINTR means that
 * nobody knows what became of the command, and is never answered by sending it again.
 */
public final class LinuxPort implements CommandPort {
  // _IO and _IOWR of asm-generic/ioctl.h, which x86 and Arm use.
  private static final long GET_NSID = 'N' << 8 | 0x40;
  private static final long ADMIN64 = ioctlReadWrite(0x47);
  private static final long IO64 = ioctlReadWrite(0x48);

  /**
   * The bytes that the PCIe driver takes in one command whatever the device allows, with some room.
   */
  private static final int MAX_TRANSFER_BYTES = 128 << 10;

  private final String path;
  private final NativeHandle handle; // of the file descriptor
  private final int maxTransferBytes;
  private final boolean writable;

  private LinuxPort(String path, int fd, boolean writable) {
    this.path = path;
    this.writable = writable;
    this.handle = new NativeHandle("device nvme:" + path, fd);
    this.maxTransferBytes = maxTransferBytes(path);
  }

  private static long ioctlReadWrite(int number) {
    return 3L << 30 | (long) PassthruCommand.BYTES << 16 | 'N' << 8 | number;
  }

  /**
   * Opens a device file; sends nothing. A file that may only be read is opened for reading.
   *
   * @param path the file
   * @param toWrite whether it may have to be written
   */
  public static LinuxPort open(String path, boolean toWrite) throws OffloadException {
    LibC libc = LibC.get();
    boolean writable = toWrite;
    int fd = libc.open(path, (toWrite ? LibC.O_RDWR : LibC.O_RDONLY) | LibC.O_CLOEXEC);
    if (fd < 0 && toWrite && Errno.refusesWriting(Native.getLastError())) {
      writable = false;
      fd = libc.open(path, LibC.O_RDONLY | LibC.O_CLOEXEC);
    }
    if (fd < 0) {
      throw failure("opening " + path, Native.getLastError());
    }
    return new LinuxPort(path, fd, writable);
  }

  /**
   * Returns the smaller of what the kernel says of the namespace's queue, and the general limit.
   */
  private static int maxTransferBytes(String path) {
    String block = Path.of(path).getFileName().toString().replaceFirst("^ng", "nvme");
    Path limit = Path.of("/sys/block", block, "queue", "max_hw_sectors_kb");
    try {
      long kilobytes = Long.parseLong(Files.readString(limit).trim());
      return Math.clamp(kilobytes << 10, OffloadWire.LBA_BYTES, MAX_TRANSFER_BYTES);
    } catch (IOException | NumberFormatException e) {
      return MAX_TRANSFER_BYTES; // no block device of that name
    }
  }

  @Override
  public String name() {
    return path;
  }

  @Override
  public int maxTransferBytes() {
    return maxTransferBytes;
  }

  @Override
  public int namespaceId() throws OffloadException {
    int fd = (int) handle.acquire();
    try {
      int nsid = LibC.get().ioctl(fd, new NativeLong(GET_NSID));
      if (nsid <= 0) {
        throw failure("asking for the namespace of " + path, Native.getLastError());
      }
      return nsid;
    } finally {
      handle.release();
    }
  }

  @Override
  public int io(NvmeCommand command) throws OffloadException {
    return run(IO64, command);
  }

  @Override
  public int admin(NvmeCommand command) throws OffloadException {
    return run(ADMIN64, command);
  }

  private int run(long request, NvmeCommand command) throws OffloadException {
    int fd = (int) handle.acquire();
    try {
      PassthruCommand passthru = new PassthruCommand(command);
      int status = LibC.get().ioctl(fd, new NativeLong(request), passthru.struct());
      if (status < 0) {
        String what = String.format(Locale.ROOT, "command %02Xh on %s", command.opcode(), path);
        throw failure(what, Native.getLastError());
      }
      command.result(passthru.result());
      return status;
    } finally {
      // The driver has had the address only: the memory must outlive the call.
      Reference.reachabilityFence(command.data());
      handle.release();
    }
  }

  @Override
  public void lock() throws OffloadException {
    if (!writable) {
      throw new OffloadException(
          OffloadWire.Status.READ_ONLY, "this process may read " + path + " and not write it");
    }
    int fd = (int) handle.acquire();
    try {
      if (LibC.get().flock(fd, LibC.LOCK_EX | LibC.LOCK_NB) < 0) {
        int errno = Native.getLastError();
        if (errno == Errno.EAGAIN) {
          String holder = LockHolder.of(Path.of(path));
          throw new OffloadException(
              OffloadWire.Status.LOCKED,
              (holder == null ? "another process on this host" : holder) + " writes to " + path);
        }
        throw failure("locking " + path, errno);
      }
    } finally {
      handle.release();
    }
  }

  /** Returns the exception for an error number, with what a user can do about it. */
  public static OffloadException failure(String what, int errno) {
    int status =
        switch (errno) {
          case Errno.EINVAL, Errno.ENOTTY, Errno.EFAULT -> OffloadWire.Status.INVALID_ARGUMENT;
          case Errno.ENOMEM -> OffloadWire.Status.NO_MEMORY;
          case Errno.EBUSY, Errno.EAGAIN -> OffloadWire.Status.BUSY;
          case Errno.EROFS -> OffloadWire.Status.READ_ONLY;
          case Errno.EINTR, Errno.ETIMEDOUT -> OffloadWire.Status.TIMED_OUT;
          default -> OffloadWire.Status.IO_ERROR;
        };
    String why =
        switch (errno) {
          case Errno.EACCES, Errno.EPERM ->
              "; the NVMe driver's passthrough asks for CAP_SYS_ADMIN (root), and the device file"
                  + " must be readable and writable";
          case Errno.EINTR ->
              "; it ran into its time limit or the controller was reset: whether the device has"
                  + " executed it is unknown";
          case Errno.ENOENT -> "; 'offload device' lists the namespaces that there are";
          case Errno.ENODEV, Errno.ENXIO -> "; the controller is gone";
          case Errno.ENOTTY -> "; it is no namespace of an NVMe controller";
          case Errno.EINVAL -> "; the driver refused it: flags, namespace, or transfer size";
          default -> "";
        };
    return new OffloadException(status, what + ": " + Errno.name(errno) + why);
  }

  @Override
  public void close() {
    handle.close(fd -> LibC.get().close((int) fd));
  }
}
