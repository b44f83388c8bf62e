/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.natives;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Says who holds the lock of a file, where the system tells: Linux, in {@code /proc/locks}. */
public final class LockHolder {
  private static final Path LOCKS = Path.of("/proc/locks");

  private LockHolder() {}

  /**
   * Finds out who has locked a file by flock(2), for people.
   *
   * @return such as {@code process 4711 (/usr/bin/java)}; null if it is not known
   */
  public static String of(Path file) {
    try {
      long inode = ((Number) Files.getAttribute(file, "unix:ino")).longValue();
      return describe(processOf(Files.readAllLines(LOCKS, StandardCharsets.US_ASCII), inode));
    } catch (IOException | RuntimeException e) {
      return null; // another system, or the file is gone: nobody has to be named
    }
  }

  /**
   * Finds the process that has locked an inode.
   *
   * @param locks lines such as {@code 3: FLOCK ADVISORY WRITE 4711 fe:01:1234 0 EOF}. The device
   *     numbers before the inode are those of the file system, which on some are not what stat says
   * @return 0 if there is none, more than one, or it is not visible from here
   */
  static long processOf(List<String> locks, long inode) {
    long process = 0;
    for (String line : locks) {
      String[] parts = line.trim().split("\\s+");
      if (parts.length > 5
          && parts[1].equals("FLOCK")
          && parts[3].equals("WRITE")
          && parts[5].endsWith(":" + inode)) {
        long found = Long.parseLong(parts[4]);
        if (process != 0 && process != found) {
          return 0; // inodes of two file systems
        }
        process = found;
      }
    }
    return Math.max(0, process);
  }

  private static String describe(long process) {
    if (process == 0) {
      return null;
    }
    if (process == ProcessHandle.current().pid()) {
      return "this process, through another class loader or device,";
    }
    String command =
        ProcessHandle.of(process).flatMap(handle -> handle.info().command()).orElse(null);
    return "process " + process + (command == null ? "" : " (" + command + ")");
  }
}
