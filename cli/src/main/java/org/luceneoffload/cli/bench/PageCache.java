/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import com.sun.jna.Library;
import com.sun.jna.Native;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.luceneoffload.cli.command.Failure;

/**
 * The system's cache of the files in a folder. It is emptied of these files alone, which takes no
 * permission but to read them, and disturbs no other program.
 */
final class PageCache implements AutoCloseable {
  private static final int POSIX_FADV_DONTNEED = 4;

  private interface CLibrary extends Library {
    int open(String path, int flags);

    int posix_fadvise(int file, long from, long count, int advice);

    int fsync(int file);

    int close(int file);
  }

  private final CLibrary system;
  private final List<Integer> files = new ArrayList<>();

  private PageCache(CLibrary system) {
    this.system = system;
  }

  /**
   * Opens the files of a folder.
   *
   * @throws Failure if this system does not let its cache be emptied
   */
  static PageCache of(Path folder) throws IOException {
    if (!System.getProperty("os.name").equals("Linux")) {
      throw Failure.of("--cold needs Linux: elsewhere a program cannot empty the page cache");
    }
    CLibrary system;
    try {
      system = Native.load("c", CLibrary.class);
    } catch (UnsatisfiedLinkError e) {
      throw Failure.of("--cold cannot call the C library: " + e.getMessage(), e);
    }
    PageCache cache = new PageCache(system);
    try (Stream<Path> paths = Files.list(folder)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        int file = system.open(path.toString(), 0);
        if (file >= 0) { // else it went away meanwhile, or is not ours to read
          cache.files.add(file);
        }
      }
    }
    return cache;
  }

  /** Writes what is dirty, once: only clean pages can be dropped. */
  void sync() {
    for (int file : files) {
      system.fsync(file);
    }
  }

  /**
   * Drops the pages of all files but those that a program has mapped and touched.
   *
   * @throws Failure if the system does not
   */
  void drop() {
    for (int file : files) {
      int error = system.posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
      if (error != 0) {
        throw Failure.of("--cold: the system does not drop cached pages (error " + error + ")");
      }
    }
  }

  @Override
  public void close() {
    files.forEach(system::close);
    files.clear();
  }
}
