/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.study;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.luceneoffload.cli.command.Build;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.wire.OffloadWire;

/**
 * What a report is made of, and how to make it again.
 *
 * @param version of the project
 * @param commit that it was built from, or {@code unknown}
 * @param wireVersion of the wire
 * @param command that gives the same report
 * @param profiles devices and hosts
 * @param seeds that lists and tables are drawn from
 */
public record Header(
    String version,
    String commit,
    int wireVersion,
    String command,
    List<Used> profiles,
    List<Seeds> seeds) {
  /**
   * A profile.
   *
   * @param name short name
   * @param sha256 hash of its bytes on the wire, in hexadecimal digits
   */
  public record Used(String name, String sha256) {
    static Used of(DeviceProfile profile) {
      try {
        byte[] hash = MessageDigest.getInstance("SHA-256").digest(profile.wireArray());
        return new Used(profile.name(), HexFormat.of().formatHex(hash));
      } catch (NoSuchAlgorithmException e) {
        throw new AssertionError("every Java has SHA-256", e);
      }
    }
  }

  /**
   * Seeds of a paper's experiments.
   *
   * @param paper its short name
   * @param seeds in the order of their use
   */
  public record Seeds(String paper, List<Long> seeds) {}

  /**
   * Makes a header.
   *
   * @param arguments of the tool that give the same report
   * @param profiles in the order of their use; those that are the same count once
   */
  public static Header of(String arguments, List<DeviceProfile> profiles, List<Seeds> seeds)
      throws IOException {
    Build build = Build.read();
    return new Header(
        build.version(),
        build.commit(),
        OffloadWire.VERSION,
        "./offload " + arguments,
        profiles.stream().map(Used::of).distinct().toList(),
        seeds);
  }
}
