/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench.machine;

import com.sun.jna.Library;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.luceneoffload.cli.command.Failure;

/**
 * The system's cache of the files in a folder. It is emptied of these files alone, which takes no
 * permission but to read them, and disturbs no other program.
 */
public final class PageCache implements AutoCloseable {
  /** What the system caches and drops, in bytes. */
  private static final int PAGE_BYTES = 4096;

  private static final int POSIX_FADV_WILLNEED = 3;
  private static final int POSIX_FADV_DONTNEED = 4;
  private static final int SEEK_END = 2;
  private static final int PROT_READ = 1;
  private static final int MAP_SHARED = 1;

  private interface CLibrary extends Library {
    int open(String path, int flags);

    int posix_fadvise(int file, long from, long count, int advice);

    int fsync(int file);

    int close(int file);

    long lseek(int file, long offset, int whence);

    long pread(int file, byte[] bytes, long count, long offset);

    Pointer mmap(Pointer address, long count, int protection, int flags, int file, long offset);

    int munmap(Pointer address, long count);

    int mincore(Pointer address, long count, byte[] resident);
  }

  /**
   * A page of a file.
   *
   * @param file its descriptor
   * @param number of the page in the file
   */
  public record Page(int file, long number) {}

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
  public static PageCache of(Path folder) throws IOException {
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
  public void sync() {
    for (int file : files) {
      system.fsync(file);
    }
  }

  /**
   * Drops the pages of all files but those that a program has mapped and touched.
   *
   * @throws Failure if the system does not
   */
  public void drop() {
    for (int file : files) {
      int error = system.posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
      if (error != 0) {
        throw Failure.of("--cold: the system does not drop cached pages (error " + error + ")");
      }
    }
  }

  /**
   * Returns the pages that the system caches of all files.
   *
   * @throws Failure if the system does not tell
   */
  public Set<Page> cached() {
    Set<Page> pages = new LinkedHashSet<>();
    for (int file : files) {
      long bytes = system.lseek(file, 0, SEEK_END);
      if (bytes <= 0) {
        continue; // an empty file cannot be mapped
      }
      Pointer map = system.mmap(null, bytes, PROT_READ, MAP_SHARED, file, 0);
      if (Pointer.nativeValue(map) == -1) {
        throw Failure.of("--cold: a file of the index cannot be mapped");
      }
      byte[] resident = new byte[Math.toIntExact((bytes + PAGE_BYTES - 1) / PAGE_BYTES)];
      int error = system.mincore(map, bytes, resident);
      system.munmap(map, bytes);
      if (error != 0) {
        throw Failure.of("--cold: the system does not tell which pages it caches");
      }
      for (int i = 0; i < resident.length; i++) {
        if ((resident[i] & 1) != 0) {
          pages.add(new Page(file, i));
        }
      }
    }
    return pages;
  }

  /**
   * Reads pages that are not cached, some ahead of the one that it waits for.
   *
   * @param depth pages asked for at once
   * @return microseconds
   * @throws Failure if a page cannot be read
   */
  public double read(List<Page> pages, int depth) {
    byte[] bytes = new byte[PAGE_BYTES];
    long start = System.nanoTime();
    for (int i = 0; i < pages.size() + depth; i++) {
      if (i < pages.size()) {
        Page page = pages.get(i);
        long offset = page.number() * PAGE_BYTES;
        system.posix_fadvise(page.file(), offset, PAGE_BYTES, POSIX_FADV_WILLNEED);
      }
      if (i >= depth) {
        Page page = pages.get(i - depth);
        if (system.pread(page.file(), bytes, PAGE_BYTES, page.number() * PAGE_BYTES) <= 0) {
          throw Failure.of("--cold: page " + page.number() + " of a file cannot be read");
        }
      }
    }
    return (System.nanoTime() - start) / 1000.0;
  }

  @Override
  public void close() {
    files.forEach(system::close);
    files.clear();
  }
}
