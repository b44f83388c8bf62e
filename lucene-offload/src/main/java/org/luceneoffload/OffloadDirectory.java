/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.luceneoffload.device.Device;
import org.luceneoffload.store.DeviceHandle;

/**
 * A directory whose posting images are on a device. Skeleton: the signatures are final, the work is
 * still to come.
 */
public final class OffloadDirectory extends FilterDirectory {
  private final DeviceHandle handle;
  private final OffloadOptions options;

  private OffloadDirectory(Directory in, DeviceHandle handle, OffloadOptions options) {
    super(in);
    this.handle = handle;
    this.options = options;
  }

  /** Opens the index directory {@code path} with device {@code device} and default options. */
  public static OffloadDirectory open(Path path, String device) throws IOException {
    return open(path, device, OffloadOptions.DEFAULT);
  }

  /** Opens the index directory {@code path} with device {@code device}. */
  public static OffloadDirectory open(Path path, String device, OffloadOptions options)
      throws IOException {
    throw new UnsupportedOperationException("open");
  }

  /** Puts posting images on {@code device}, every other file into {@code directory}. */
  public static OffloadDirectory wrap(Directory directory, Device device) throws IOException {
    return wrap(directory, device, OffloadOptions.DEFAULT);
  }

  /** Puts posting images on {@code device}, every other file into {@code directory}. */
  public static OffloadDirectory wrap(Directory directory, Device device, OffloadOptions options)
      throws IOException {
    throw new UnsupportedOperationException("wrap");
  }

  /** The offload directory in a chain of filter directories, or null. */
  public static OffloadDirectory find(Directory directory) {
    for (Directory d = directory; ; d = ((FilterDirectory) d).getDelegate()) {
      if (d instanceof OffloadDirectory found) {
        return found;
      }
      if (!(d instanceof FilterDirectory)) {
        return null;
      }
    }
  }

  /** The shared device; null if the host does all the work. */
  public DeviceHandle handle() {
    return handle;
  }

  /** Counters; those of the device if there is one. */
  public OffloadStats stats() {
    return handle.stats();
  }

  /** The options. */
  public OffloadOptions options() {
    return options;
  }
}
