/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.luceneoffload.device.Claim;

/**
 * How to open an NVMe namespace.
 *
 * @param path its device file, {@code /dev/ng0n1} or {@code /dev/nvme0n1}
 * @param claim what may be done with a namespace that holds no volume of ours
 * @param readOnly whether writes are refused
 * @param timeoutMillis after which the driver gives a command up
 * @param opcodes what the device calls the vendor commands
 * @param force whether a device is asked that does not say, in its effects log, that it takes them
 */
record NvmeOptions(
    Path path, Claim claim, boolean readOnly, int timeoutMillis, Opcodes opcodes, boolean force) {
  /** The names that {@link #parse} understands, for messages. */
  static final String GRAMMAR =
      "nvme:/dev/ngXnY[,key=value...] with claim=empty|overwrite (a namespace without a volume),"
          + " readonly=true|false, timeout=MILLISECONDS, opcodes=80..f0 (hexadecimal base of the"
          + " vendor opcodes), force=true|false (ask even if the effects log lacks them)";

  private static final int DEFAULT_TIMEOUT_MILLIS = 5_000;
  private static final int MAX_TIMEOUT_MILLIS = 600_000;

  /**
   * Reads the part of a device name after {@code nvme:}.
   *
   * @throws IllegalArgumentException naming the key or value that is wrong
   */
  static NvmeOptions parse(String rest) {
    String[] parts = rest.split(",", -1);
    Path path = path(parts[0]);
    Claim claim = Claim.NONE;
    boolean readOnly = false;
    int timeout = DEFAULT_TIMEOUT_MILLIS;
    Opcodes opcodes = Opcodes.WIRE;
    boolean force = false;
    Set<String> seen = new HashSet<>();
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException(
            "nvme option '" + parts[i] + "' has no value; a name is " + GRAMMAR);
      }
      String key = parts[i].substring(0, equals);
      String value = parts[i].substring(equals + 1);
      if (!seen.add(key)) {
        throw new IllegalArgumentException("nvme option '" + key + "' is given twice");
      }
      switch (key) {
        case "claim" -> claim = claim(value);
        case "readonly" -> readOnly = bool(key, value);
        case "timeout" -> timeout = number(key, value, 10, 1, MAX_TIMEOUT_MILLIS);
        case "opcodes" -> opcodes = new Opcodes(number(key, value, 16, 0, 0xFF));
        case "force" -> force = bool(key, value);
        default ->
            throw new IllegalArgumentException(
                "unknown nvme option '" + key + "'; a name is " + GRAMMAR);
      }
    }
    if (readOnly && claim != Claim.NONE) {
      throw new IllegalArgumentException(
          "nvme options 'claim' and 'readonly=true' exclude each other: a claim writes");
    }
    return new NvmeOptions(path, claim, readOnly, timeout, opcodes, force);
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
   * The character device of a namespace, so that a namespace has one name. A partition is refused:
   * the driver would send its commands to the whole namespace.
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

  private static Claim claim(String value) {
    return switch (value) {
      case "empty" -> Claim.EMPTY;
      case "overwrite" -> Claim.OVERWRITE;
      default -> throw malformed("claim", value);
    };
  }

  private static boolean bool(String key, String value) {
    return switch (value) {
      case "true" -> true;
      case "false" -> false;
      default -> throw malformed(key, value);
    };
  }

  private static int number(String key, String value, int radix, int min, int max) {
    if (value.matches(radix == 16 ? "[0-9a-fA-F]{1,2}" : "[0-9]{1,9}")) {
      int number = Integer.parseInt(value, radix);
      if (number >= min && number <= max) {
        return number;
      }
    }
    throw malformed(key, value);
  }

  private static IllegalArgumentException malformed(String key, String value) {
    return new IllegalArgumentException(
        "malformed value '" + value + "' of nvme option '" + key + "'; a name is " + GRAMMAR);
  }
}
