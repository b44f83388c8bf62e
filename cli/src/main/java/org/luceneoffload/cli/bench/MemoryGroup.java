/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.cli.command.Failure;

/**
 * A control group of Linux with a limit of memory, in which a child process runs: what it caches of
 * files counts, too. It is made beside or below the group of this process, and is gone once closed.
 */
final class MemoryGroup implements AutoCloseable {
  private static final Path MOUNT = Path.of("/sys/fs/cgroup");

  private final Path folder;

  private MemoryGroup(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes a group.
   *
   * @throws Failure that says what is missing, if this process may make none
   */
  static MemoryGroup of(long bytes) throws IOException {
    String name = "offload-bench-" + ProcessHandle.current().pid();
    for (Place place : places()) {
      Path folder = place.parent.resolve(name);
      try {
        Files.createDirectory(folder);
      } catch (IOException e) {
        continue; // not ours to make
      }
      try {
        Files.writeString(folder.resolve(place.limit), Long.toString(bytes));
        return new MemoryGroup(folder);
      } catch (IOException e) {
        Files.delete(folder); // it has no control of memory
      }
    }
    throw Failure.of(
        "--memory needs a control group with a limit of memory, which this process may not make"
            + " here; run it as root on Linux, or limit it from outside (a container's --memory)"
            + " and set OFFLOAD_JAVA_OPTS=-D"
            + MemoryChild.PROPERTY
            + "=BYTES to say so");
  }

  private record Place(Path parent, String limit) {}

  /** Returns the places where a group might be made, the likeliest first. */
  private static List<Place> places() throws IOException {
    List<Place> places = new ArrayList<>();
    Path own = Path.of("/proc/self/cgroup");
    if (Files.isReadable(own)) {
      for (String line : Files.readAllLines(own)) {
        String[] parts = line.split(":", 3);
        String path = parts[2].substring(1);
        if (parts[1].isEmpty()) { // version 2: a group with processes has no children with limits
          Path at = MOUNT.resolve(path);
          places.add(new Place(path.isEmpty() ? MOUNT : at.getParent(), "memory.max"));
          places.add(new Place(MOUNT, "memory.max"));
        } else if (List.of(parts[1].split(",", -1)).contains("memory")) {
          Path root = MOUNT.resolve("memory");
          places.add(new Place(root.resolve(path), "memory.limit_in_bytes"));
          places.add(new Place(root, "memory.limit_in_bytes"));
        }
      }
    }
    return places;
  }

  /** Returns a command that runs another one in the group, from its first page on. */
  List<String> within(List<String> command) {
    List<String> whole = new ArrayList<>();
    whole.add("sh");
    whole.add("-c");
    whole.add("echo $$ > \"$0/cgroup.procs\" && exec \"$@\"");
    whole.add(folder.toString());
    whole.addAll(command);
    return whole;
  }

  /** Removes the group; its processes have ended. */
  @Override
  public void close() throws IOException {
    for (int tries = 0; ; tries++) {
      try {
        Files.deleteIfExists(folder);
        return;
      } catch (IOException e) {
        if (tries == 50) { // the kernel may take a moment to see that a process is gone
          throw e;
        }
        try {
          Thread.sleep(20);
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw e;
        }
      }
    }
  }
}
