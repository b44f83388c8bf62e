/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.config.OffloadOptions.IndexCache;
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
      description =
          "Where queries run that the device can run: always (on it), never (stock "
              + "Lucene), dynamic (on it and on this machine at once, where it can split them), "
              + "filter (on it which documents match, on this machine what they score), auto "
              + "(dynamic on a device with threads of its own, else on it, but for what stock "
              + "Lucene is known to do sooner; if it has a profile, where they are estimated to "
              + "be faster). Default: ${DEFAULT-VALUE}.")
  private Placement placement;

  @Option(
      names = "--device-timeout",
      paramLabel = "SECONDS",
      description = "Seconds that one command may take on the device (default: 2).")
  private Double deviceTimeout;

  @Option(
      names = "--cache",
      paramLabel = "MIB",
      description = "Memory for an index on a node, in MiB (default: 64).")
  private Integer cache;

  @Option(
      names = "--cache-folder",
      paramLabel = "DIR",
      description = "Folder that keeps more of an index on a node, from one run to the next.")
  private Path cacheFolder;

  @Option(
      names = "--cache-folder-size",
      paramLabel = "MIB",
      defaultValue = "1024",
      description = "Most that folder may take, in MiB (default: ${DEFAULT-VALUE}).")
  private int cacheFolderSize;

  /** Returns the directory of the index. */
  public Path index() {
    return which.index();
  }

  /** Returns whether trouble with the device is an error. */
  public boolean strict() {
    return strict;
  }

  /**
   * Returns how the device is to be used.
   *
   * @throws Failure of usage if the timeout is out of range
   */
  public OffloadOptions options() {
    OffloadOptions options =
        OffloadOptions.DEFAULT
            .withStrict(strict)
            .withPlacement(placement)
            .withIndexCache(indexCache());
    if (deviceTimeout == null) {
      return options;
    }
    double millis = deviceTimeout * 1000;
    if (!(millis >= 1 && millis <= TimeUnit.DAYS.toMillis(1))) {
      throw Failure.usage(
          "--device-timeout must be from 0.001 to 86400 seconds, not " + deviceTimeout);
    }
    return options.withDeviceTimeout(Duration.ofMillis((long) millis));
  }

  private IndexCache indexCache() {
    long bytes = cache == null ? IndexCache.DEFAULT.bytes() : (long) cache << 20;
    try {
      return new IndexCache(bytes, cacheFolder, (long) cacheFolderSize << 20);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--cache, --cache-folder-size: " + e.getMessage(), e);
    }
  }

  /** Returns the name of the device. */
  public String device() {
    return which.device();
  }

  /** Opens an index for reading. */
  public OffloadDirectory open() throws IOException {
    DeviceNames.check(device());
    return openExisting(index(), device(), options());
  }

  /**
   * Opens an index for searching: if the device cannot be opened here, the host answers, and the
   * log says why.
   *
   * @throws Failure if there is no index or no backend of that name, or in strict mode no device
   */
  public OffloadDirectory openOrHost() throws IOException {
    return strict || DeviceNames.whyUnavailable(device()) == null
        ? open()
        : openExisting(index(), device(), options());
  }

  /** Opens an index for reading, on the host alone. */
  public OffloadDirectory openOnHost() throws IOException {
    return IndexOnNode.isOne(index())
        ? openExisting(index(), Devices.HOST, options().withPlacement(Placement.NEVER))
        : open(index(), Devices.HOST, strict);
  }

  /**
   * Opens an index for reading.
   *
   * @throws Failure if there is no index, or no such device
   */
  public static OffloadDirectory open(Path index, String device, boolean strict)
      throws IOException {
    DeviceNames.check(device);
    return openExisting(index, device, OffloadOptions.DEFAULT.withStrict(strict));
  }

  private static OffloadDirectory openExisting(Path index, String device, OffloadOptions options)
      throws IOException {
    checkIndex(index);
    OffloadDirectory directory = openDirectory(index, device, options);
    return IndexOnNode.isOne(index) ? IndexOnNode.existing(index, directory) : directory;
  }

  /**
   * Opens a directory that may hold no index yet.
   *
   * @throws Failure of usage if the device's name is malformed
   */
  public static OffloadDirectory openDirectory(Path index, String device, OffloadOptions options)
      throws IOException {
    if (IndexOnNode.isOne(index)) {
      return IndexOnNode.open(index, options);
    }
    try {
      return OffloadDirectory.open(index, device, options);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("device " + device + ": " + e.getMessage(), e);
    } catch (CorruptIndexException e) {
      // Only the device's store has been read so far.
      Path store = DeviceNames.store(device, index);
      throw Failure.of(
          "device "
              + device
              + ": its store "
              + (store == null ? "" : store + " ")
              + "is damaged or not one: "
              + e.getMessage()
              + ". The index is complete without it: remove the store, then repair",
          e);
    }
  }

  private static void checkIndex(Path index) throws IOException {
    if (IndexOnNode.isOne(index)) {
      return; // asked once it is open
    }
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

  /** Returns whether a directory holds a Lucene index. */
  public static boolean isIndex(Path index) throws IOException {
    if (IndexOnNode.isOne(index)) {
      try (Directory directory = IndexOnNode.open(index, OffloadOptions.DEFAULT)) {
        return DirectoryReader.indexExists(directory);
      }
    }
    try (Directory directory = FSDirectory.open(index)) {
      return DirectoryReader.indexExists(directory);
    }
  }
}
