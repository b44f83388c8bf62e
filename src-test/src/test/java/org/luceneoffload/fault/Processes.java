/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fault;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** How long to run, and what this process holds before and after. */
final class Processes {
  private Processes() {}

  /** How often something is done: as a property says, or more often in a long run. */
  static int times(String property, int quick, int longRun) {
    return Integer.getInteger(property, Boolean.getBoolean("tests.long") ? longRun : quick);
  }

  /**
   * Returns the number in a process's next line.
   *
   * @param errors what it has said otherwise, for the failure if there is no line more
   */
  static int nextNumber(BufferedReader out, Path errors) throws IOException {
    String line = out.readLine();
    if (line == null) {
      throw new IOException("the process has ended: " + Files.readString(errors));
    }
    return Integer.parseInt(line);
  }

  /** File descriptors that are open. */
  static long openFiles() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(descriptors)) {
      return files.count();
    }
  }

  /** Bytes on the heap that are still in use after a collection, in units of 2^20. */
  static long usedHeapMegabytes() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
  }

  /** Memory of the process, native memory included, in units of 2^20; 0 if it is not told. */
  static long residentMegabytes() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.isReadable(status)) {
      return 0;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) >> 10;
      }
    }
    return 0;
  }

  /** Threads that are alive. */
  static int threads() {
    return Thread.getAllStackTraces().size();
  }
}
