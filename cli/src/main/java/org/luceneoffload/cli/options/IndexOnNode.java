/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.options;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.store.node.NodeName;

/** Indexes on storage nodes, as {@code --index} names them. */
public final class IndexOnNode {
  private IndexOnNode() {}

  /** Returns whether an index is on a node, and none in a folder. */
  public static boolean isOne(Path index) {
    return NodeName.isOne(index.toString());
  }

  /** Returns the name of an index for people: on a node without the options of its device. */
  public static String withoutOptions(Path index) {
    String name = index.toString();
    int comma = name.indexOf(',');
    return isOne(index) && comma >= 0 ? name.substring(0, comma) : name;
  }

  /**
   * Reads the name of an index on a node.
   *
   * @throws Failure of usage if it is malformed
   */
  public static NodeName parse(Path index) {
    try {
      return NodeName.parse(index.toString());
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--index: " + e.getMessage(), e);
    }
  }

  /**
   * Opens an index that need not exist.
   *
   * @throws Failure of usage if its name is malformed
   */
  static OffloadDirectory open(Path index, OffloadOptions options) throws IOException {
    parse(index);
    OffloadOptions patient =
        options.deviceTimeout().equals(OffloadOptions.DEFAULT_DEVICE_TIMEOUT)
            ? options.withDeviceTimeout(OffloadDirectory.NODE_TIMEOUT)
            : options;
    try {
      return OffloadDirectory.open(index.toString(), patient);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--index " + index + ": " + e.getMessage(), e);
    }
  }

  /**
   * Closes a directory and fails if it holds no index.
   *
   * @return the directory
   */
  static OffloadDirectory existing(Path index, OffloadDirectory directory) throws IOException {
    boolean exists = false;
    try {
      exists = DirectoryReader.indexExists(directory);
    } finally {
      if (!exists) {
        directory.close();
      }
    }
    if (!exists) {
      throw Failure.of("no such index on the node: " + index);
    }
    return directory;
  }
}
