/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp.auth;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * What this host proves itself with: a line of a key file, {@code HOSTNQN SECRET
 * [CONTROLLER-SECRET]}.
 */
public final class HostKeys {
  private static final int MAX_FILE_BYTES = 1 << 20;
  private static final Set<PosixFilePermission> OWNERS =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> GROUPS =
      PosixFilePermissions.fromString("rwxr-----");
  private static final Set<PosixFilePermission> READERS =
      PosixFilePermissions.fromString("rwxr--r--");
  private static final int ROOT = 0;

  private final String host;
  private final Secret secret;
  private final Secret controller;

  private HostKeys(String host, Secret secret, Secret controller) {
    this.host = host;
    this.secret = secret;
    this.controller = controller;
  }

  /**
   * Reads the line of a host for DH-HMAC-CHAP.
   *
   * @param host its NQN; empty: that of the only line
   * @throws OffloadException naming file and line that are wrong
   */
  public static HostKeys forChap(Path file, String host) throws OffloadException {
    return read(file, host, Secret.CHAP);
  }

  /** Reads the line of a host for TLS: {@code HOSTNQN KEY}; otherwise as above. */
  public static HostKeys forTls(Path file, String host) throws OffloadException {
    return read(file, host, Secret.TLS);
  }

  private static HostKeys read(Path file, String host, String kind) throws OffloadException {
    List<String> lines;
    try {
      if (!Files.isRegularFile(file)) {
        throw failure(
            file, 0, Files.exists(file) ? "it is not a regular file" : "there is no such file");
      }
      checkOwner(file);
      if (Files.size(file) > MAX_FILE_BYTES) {
        throw failure(file, 0, "it is too long");
      }
      lines = Files.readAllLines(file, StandardCharsets.US_ASCII);
    } catch (OffloadException e) {
      throw e;
    } catch (IOException e) {
      throw failure(file, 0, "it cannot be read: " + e);
    }
    List<HostKeys> found = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        HostKeys keys = parse(file, i + 1, line.split("\\s+"), kind);
        if (host.isEmpty() || keys.host.equals(host)) {
          found.add(keys);
        }
      }
    }
    if (found.size() != 1) {
      throw failure(
          file,
          0,
          host.isEmpty()
              ? "it has " + found.size() + " hosts; hostnqn= says which one this is"
              : "it has " + found.size() + " lines for host " + host);
    }
    return found.get(0);
  }

  private static void checkOwner(Path file) throws IOException {
    try {
      boolean secret =
          liesIn(file, System.getenv("CREDENTIALS_DIRECTORY")) || liesIn(file, "/run/secrets");
      Object owner = Files.getAttribute(file, "unix:uid");
      if (areOpen(Files.getPosixFilePermissions(file), owner.equals(ROOT), secret)) {
        throw failure(file, 0, "others than its owner may read or write it: chmod 600");
      }
    } catch (UnsupportedOperationException | IllegalArgumentException e) {
      // A file system without such permissions.
    }
  }

  /**
   * Returns whether a key file is open to others: they may write it; or they may read it, although
   * it neither belongs to root and is for a group, nor lies where secrets are mounted.
   */
  static boolean areOpen(Set<PosixFilePermission> permissions, boolean roots, boolean secret) {
    return !(secret ? READERS : roots ? GROUPS : OWNERS).containsAll(permissions);
  }

  static boolean liesIn(Path file, String folder) throws IOException {
    return folder != null
        && Files.isDirectory(Path.of(folder))
        && file.toRealPath().startsWith(Path.of(folder).toRealPath());
  }

  private static HostKeys parse(Path file, int line, String[] words, String kind)
      throws OffloadException {
    int most = kind.equals(Secret.CHAP) ? 3 : 2;
    if (!words[0].startsWith("nqn.") || words.length < 2) {
      throw failure(file, line, "it is not HOSTNQN SECRET");
    }
    if (words.length > most && !words[most].startsWith("#")) {
      throw failure(file, line, "there is something after the secrets");
    }
    try {
      boolean mutual = most == 3 && words.length > 2 && !words[2].startsWith("#");
      return new HostKeys(
          words[0], Secret.parse(kind, words[1]), mutual ? Secret.parse(kind, words[2]) : null);
    } catch (IllegalArgumentException e) {
      throw failure(file, line, e.getMessage());
    }
  }

  private static OffloadException failure(Path file, int line, String what) {
    String where = "key file " + file + (line == 0 ? "" : ", line " + line);
    return new OffloadException(OffloadWire.Status.IO_ERROR, where + ": " + what);
  }

  /** Returns the NQN of the host. */
  public String host() {
    return host;
  }

  Secret secret() {
    return secret;
  }

  /** Returns the controller's secret; null: it is not asked. */
  Secret controller() {
    return controller;
  }
}
