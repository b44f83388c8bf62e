/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.options;

import java.nio.file.Path;
import org.luceneoffload.cli.command.Failure;
import picocli.CommandLine.Option;

/** Which index, and on which device its lists are, or are to be. */
public final class IndexAndDevice {
  private static final String DEFAULT_DEVICE = "sim";

  @Option(
      names = "--index",
      paramLabel = "DIR",
      required = true,
      description =
          "Directory of the index; or csd:HOST:PORT/NAME, an index of which all files are "
              + "on a storage node, and its posting lists with them.")
  private Path index;

  @Option(
      names = "--device",
      paramLabel = "NAME",
      description = "Device that holds the posting lists (default: " + DEFAULT_DEVICE + ").")
  private String device; // null: not given

  /** Returns the directory of the index, or the name of one on a node; see {@link IndexOnNode}. */
  public Path index() {
    return index;
  }

  /**
   * Returns the name of the device; for an index on a node, of that node.
   *
   * @throws Failure of usage if both are given, or the index has a malformed name
   */
  public String device() {
    if (!IndexOnNode.isOne(index)) {
      return device == null ? DEFAULT_DEVICE : device;
    }
    if (device != null) {
      throw Failure.usage(
          "--device says where the lists of an index in a folder are; those of "
              + index
              + " are on its node");
    }
    return IndexOnNode.parse(index).device().toString();
  }
}
