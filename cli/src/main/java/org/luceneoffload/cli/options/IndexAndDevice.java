/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.options;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Which index, and on which device its lists are, or are to be. */
public final class IndexAndDevice {
  @Option(
      names = "--index",
      paramLabel = "DIR",
      required = true,
      description = "Directory of the index.")
  private Path index;

  @Option(
      names = "--device",
      paramLabel = "NAME",
      defaultValue = "sim",
      description = "Device that holds the posting lists (default: ${DEFAULT-VALUE}).")
  private String device;

  /** Directory of the index. */
  public Path index() {
    return index;
  }

  /** Name of the device. */
  public String device() {
    return device;
  }
}
