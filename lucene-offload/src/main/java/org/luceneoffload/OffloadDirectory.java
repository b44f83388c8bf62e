/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.IOFunction;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.node.NodeName;

/**
 * A directory whose posting images are on a device, and every other file in the application's own
 * directory. There, each image has a stub under its name, so that what the application's directory
 * holds is a complete index without the device.
 *
 * <p>If the device cannot be opened, the directory works without it: no images are written, and the
 * host answers every query. With {@link OffloadOptions#strict()} that is an error instead.
 */
public final class OffloadDirectory extends FilterDirectory {
  /** Device timeout of indexes on a node, unless other options are given. */
  public static final Duration NODE_TIMEOUT = Duration.ofSeconds(10);

  private final ImageDirectory images;

  private OffloadDirectory(ImageDirectory images) {
    super(images);
    this.images = images;
  }

  /**
   * Opens an index directory with default options; see {@link #open(Path, String, OffloadOptions)}.
   *
   * @param path the directory; made if it does not exist
   * @param device {@code scheme} or {@code scheme:rest}, such as {@code sim}
   * @return the directory
   * @throws IOException if the index cannot be opened or, with strict options, the device
   */
  public static OffloadDirectory open(Path path, String device) throws IOException {
    return open(path, device, OffloadOptions.DEFAULT);
  }

  /**
   * Opens an index directory of the file system.
   *
   * <p>The device is opened for reading, and any number of processes may do so. It becomes writable
   * with the first image that is written or deleted; from then on until everything that uses it is
   * closed, no other process can write to it.
   *
   * @param path the directory; made if it does not exist
   * @param device {@code scheme} or {@code scheme:rest}, such as {@code sim}; {@code host} for none
   * @param options options
   * @return the directory
   * @throws IllegalArgumentException if no kind of device has this name, or the rest is malformed
   * @throws IOException if the directory cannot be opened or, with strict options, the device
   */
  public static OffloadDirectory open(Path path, String device, OffloadOptions options)
      throws IOException {
    return new OffloadDirectory(ImageDirectory.open(path, device, options));
  }

  /**
   * Opens an index on a storage node with default options, but for a device timeout of {@link
   * #NODE_TIMEOUT}; see {@link #open(String, OffloadOptions)}.
   *
   * @param index {@code csd:HOST:PORT/NAME}
   * @return the directory
   * @throws IOException if the index cannot be opened or, with strict options, the device
   */
  public static OffloadDirectory open(String index) throws IOException {
    return open(index, OffloadOptions.DEFAULT.withDeviceTimeout(NODE_TIMEOUT));
  }

  /**
   * Opens an index of which every file is on a storage node, Lucene's own beside the images. What
   * is read of Lucene's files is kept in a bounded cache, see {@link OffloadOptions#indexCache()};
   * the posting lists stay on the node. One process at a time may write; any number, on any host,
   * may read, and sees whole commits.
   *
   * <p>The node holds the index, so that what fails there is an error: a commit that returned is
   * durable, anything else fails with an {@link IOException}. A node that does not answer is asked
   * again for half a minute by who reads.
   *
   * @param index {@code csd:HOST:PORT/NAME}, with options of the device behind a comma; the index
   *     need not exist
   * @param options options; how long a read, write or flush may take is said in the name, as {@code
   *     timeout=MILLISECONDS}, and has to be longer than a flush of the node takes
   * @return the directory
   * @throws IllegalArgumentException if the name is malformed
   * @throws IOException if the node cannot be reached, strict options or not
   */
  public static OffloadDirectory open(String index, OffloadOptions options) throws IOException {
    return new OffloadDirectory(ImageDirectory.open(NodeName.parse(index), options));
  }

  /**
   * Opens an index of which every file is on a device, as {@link #open(String, OffloadOptions)}
   * does.
   *
   * @param device any device; stays the caller's, who closes it after the directories over it
   * @param index name of the index on it: 1 to 64 letters, digits, dots, hyphens and underscores,
   *     the first a letter or digit
   * @param options options
   * @return the directory
   * @throws IOException if the index cannot be opened or, with strict options, the device
   */
  public static OffloadDirectory open(Device device, String index, OffloadOptions options)
      throws IOException {
    return new OffloadDirectory(ImageDirectory.open(device, index, options));
  }

  /**
   * Opens a directory as {@link #open(Path, String, OffloadOptions)}, for an application that opens
   * the plain directory in its own way.
   *
   * @param plain opens the directory that keeps all files but images; asked once, with {@code path}
   * @param path folder of the index, where a device may keep its store
   * @param device {@code scheme} or {@code scheme:rest}, such as {@code sim}
   * @param options how to use the device
   * @return the directory
   * @throws IOException if the index cannot be opened or, with strict options, the device
   */
  public static OffloadDirectory open(
      IOFunction<Path, Directory> plain, Path path, String device, OffloadOptions options)
      throws IOException {
    return new OffloadDirectory(ImageDirectory.open(plain, path, device, options));
  }

  /**
   * Wraps with default options; see {@link #wrap(Directory, Device, OffloadOptions)}.
   *
   * @param directory any directory; closed with the new one
   * @param device any device; stays the caller's
   * @return the directory
   * @throws IOException if the index cannot be opened or, with strict options, the device
   */
  public static OffloadDirectory wrap(Directory directory, Device device) throws IOException {
    return wrap(directory, device, OffloadOptions.DEFAULT);
  }

  /**
   * Puts posting images on a device, every other file into a directory.
   *
   * @param directory any directory; closed with the new one
   * @param device any device; stays the caller's, who closes it after the directories over it
   * @param options options
   * @return the directory
   * @throws IOException if the index cannot be opened or, with strict options, the device
   */
  public static OffloadDirectory wrap(Directory directory, Device device, OffloadOptions options)
      throws IOException {
    return new OffloadDirectory(ImageDirectory.wrap(directory, device, options));
  }

  /**
   * {@return the offload directory in a chain of filter directories, outermost first; null if none
   * is}
   *
   * @param directory the outermost one
   */
  public static OffloadDirectory find(Directory directory) {
    Directory at = directory;
    while (true) {
      if (at instanceof OffloadDirectory found) {
        return found;
      }
      if (!(at instanceof FilterDirectory filter)) {
        return null;
      }
      at = filter.getDelegate();
    }
  }

  /** {@return the counters of the device; counters of its own that stay 0 if there is no device} */
  public OffloadStats stats() {
    return images.stats();
  }

  /** {@return the options that this was opened with} */
  public OffloadOptions options() {
    return images.options();
  }

  /**
   * {@return why no posting images can be written here, such as that another process writes to the
   * device; null if they can} Makes the device writable, for who is about to write images; may be
   * asked again later.
   */
  public String whyNoImages() {
    return images.whyNoImages();
  }

  /** Copies a posting image on the device if it can, so that no byte of it has to be read. */
  @Override
  public void copyFrom(Directory from, String source, String dest, IOContext context)
      throws IOException {
    in.copyFrom(from, source, dest, context);
  }

  @Override
  public String toString() {
    return "OffloadDirectory(" + images.deviceName() + ", " + images.getDelegate() + ")";
  }
}
