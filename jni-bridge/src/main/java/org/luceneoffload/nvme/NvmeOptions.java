/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * How to open an NVMe namespace.
 *
 * @param path its device file, {@code /dev/ng0n1} or {@code /dev/nvme0n1}
 * @param access what is done with it
 */
record NvmeOptions(Path path, Access access) {
  /** The names that {@link #parse} understands, for messages. */
  static final String GRAMMAR = "nvme:/dev/ngXnY[,key=value...] with " + Access.GRAMMAR;

  private static final Access.Spelling SPELLING = new Access.Spelling("nvme", GRAMMAR);

  /**
   * Reads the part of a device name after {@code nvme:}.
   *
   * @throws IllegalArgumentException naming the key or value that is wrong
   */
  static NvmeOptions parse(String rest) {
    String[] parts = rest.split(",", -1);
    Path path = path(parts[0]);
    return new NvmeOptions(path, Access.parse(SPELLING, parts, (key, value) -> false));
  }

  boolean readOnly() {
    return access.readOnly();
  }

  private static Path path(String value) {
    if (value.isEmpty() || value.contains("=")) {
      throw new IllegalArgumentException("an nvme device names its namespace: " + GRAMMAR);
    }
    try {
      Path path = Path.of(value);
      if (path.isAbsolute() && path.getFileName() != null) {
        return characterDevice(path.normalize());
      }
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "malformed path '" + value + "' of an nvme device: " + e.getMessage(), e);
    }
    throw new IllegalArgumentException(
        "path '" + value + "' of an nvme device must be absolute, such as /dev/ng0n1");
  }

  /**
   * Finds the character device of a namespace, so that a namespace has one name. A partition is
   * refused: the driver would send its commands to the whole namespace.
   */
  private static Path characterDevice(Path path) {
    String name = path.getFileName().toString();
    if (name.matches("nvme[0-9]+n[0-9]+p[0-9]+")) {
      throw new IllegalArgumentException(
          "path '" + path + "' of an nvme device is a partition; a namespace is needed");
    }
    Path character = path.resolveSibling(name.replaceFirst("^nvme(?=[0-9]+n[0-9]+$)", "ng"));
    return Files.exists(character) ? character : path;
  }
}
