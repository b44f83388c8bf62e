/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.device;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The resources that the process holds at one moment.
 *
 * @param heapBytes heap in use after a collection; -1: not looked at
 * @param files open file descriptors; -1: unknown here
 * @param devices open devices
 * @param sessions open sessions
 * @param resources resources in device memory
 */
public record ResourceWatch(long heapBytes, int files, int devices, int sessions, int resources) {
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  /** Looks now. */
  public static ResourceWatch now(boolean collect) {
    long heap = -1;
    if (collect) {
      System.gc();
      heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
    return new ResourceWatch(
        heap,
        countFiles(),
        WatchedDevice.OPEN_DEVICES.get(),
        WatchedDevice.OPEN_SESSIONS.get(),
        WatchedDevice.OPEN_RESOURCES.get());
  }

  private static int countFiles() {
    if (!Files.isDirectory(DESCRIPTORS)) {
      return -1;
    }
    int count = -1; // the stream itself is one
    try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path descriptor : descriptors) {
        count += descriptor == null ? 0 : 1;
      }
    } catch (IOException e) {
      return -1;
    }
    return count;
  }

  /** Returns whether nothing of a device is open. */
  public boolean isDeviceFree() {
    return devices == 0 && sessions == 0 && resources == 0;
  }

  @Override
  public String toString() {
    return (heapBytes < 0 ? "" : "heap " + heapBytes / 1024 + " KiB, ")
        + files
        + " open files, "
        + devices
        + " devices, "
        + sessions
        + " sessions, "
        + resources
        + " resources";
  }
}
