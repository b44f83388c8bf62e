/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.Placement;
import org.luceneoffload.device.Devices;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which index, and through which device. */
public final class IndexOptions {
  @Mixin private IndexAndDevice which;

  @Option(
      names = "--strict",
      description = "Fail if the device has any trouble; without this the host answers.")
  private boolean strict;

  @Option(
      names = "--placement",
      paramLabel = "WHO",
      defaultValue = "auto",
      description = {
        "Where queries run that the device can run: always (on it), never (stock Lucene), auto",
        "(on it; if it has a profile, where they are estimated to be faster).",
        "Default: ${DEFAULT-VALUE}."
      })
  private Placement placement;

  /** Directory of the index. */
  public Path index() {
    return which.index();
  }

  /** Whether trouble with the device is an error. */
  public boolean strict() {
    return strict;
  }

  /** Name of the device. */
  public String device() {
    return which.device();
  }

  /** Opens an index for reading. */
  public OffloadDirectory open() throws IOException {
    DeviceNames.check(device());
    checkIndex(index());
    OffloadOptions options = OffloadOptions.DEFAULT.withStrict(strict);
    return openDirectory(index(), device(), options.withPlacement(placement));
  }

  /** Opens an index for reading, on the host alone. */
  public OffloadDirectory openOnHost() throws IOException {
    return open(index(), Devices.HOST, strict);
  }

  /**
   * Opens an index for reading.
   *
   * @throws Failure if there is no index, or no such device
   */
  public static OffloadDirectory open(Path index, String device, boolean strict)
      throws IOException {
    DeviceNames.check(device);
    checkIndex(index);
    return openDirectory(index, device, strict);
  }

  /**
   * Opens a directory that may hold no index yet.
   *
   * @throws Failure of usage if the device's name is malformed
   */
  public static OffloadDirectory openDirectory(Path index, String device, boolean strict)
      throws IOException {
    return openDirectory(index, device, OffloadOptions.DEFAULT.withStrict(strict));
  }

  private static OffloadDirectory openDirectory(Path index, String device, OffloadOptions options)
      throws IOException {
    try {
      return OffloadDirectory.open(index, device, options);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("device " + device + ": " + e.getMessage(), e);
    } catch (CorruptIndexException e) {
      // Only the device's store has been read so far.
      throw Failure.of(
          "device "
              + device
              + ": its store is damaged or not one: "
              + e.getMessage()
              + ". The index is complete without it: remove the store, then repair",
          e);
    }
  }

  private static void checkIndex(Path index) throws IOException {
    if (!Files.exists(index)) {
      throw Failure.of("no such index: " + index);
    } else if (!Files.isDirectory(index)) {
      throw Failure.of("not an index but a file: " + index);
    } else if (!Files.isReadable(index)) {
      throw Failure.of("no permission to read " + index);
    } else if (!isIndex(index)) {
      throw Failure.of("not an index (it holds no segments file): " + index);
    }
  }

  /** Whether a directory holds a Lucene index. */
  public static boolean isIndex(Path index) throws IOException {
    try (Directory directory = FSDirectory.open(index)) {
      return DirectoryReader.indexExists(directory);
    }
  }
}
