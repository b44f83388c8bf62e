/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.image;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.device.Device;
import org.luceneoffload.device.DeviceProvider;
import org.luceneoffload.device.Devices;
import org.luceneoffload.events.OffloadEvents;
import org.luceneoffload.events.OffloadEvents.Trouble;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.store.guard.DeviceRegistry;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * A directory whose posting images are on a device, and every other file in the application's own
 * directory; what {@code OffloadDirectory} stands for.
 */
public final class ImageDirectory extends FilterDirectory {
  private final DeviceHandle handle;
  private final ImageStore images;
  private final OffloadOptions options;
  private final OffloadStats stats;
  private final String hiddenFile;
  private boolean released;

  private ImageDirectory(
      Directory in, DeviceHandle handle, OffloadOptions options, String hiddenFile) {
    super(in);
    this.handle = handle;
    this.images = handle == null ? null : new ImageStore(in, handle, options);
    this.options = options;
    this.stats = handle == null ? new OffloadStats() : handle.stats();
    this.hiddenFile = hiddenFile;
  }

  /**
   * Opens an index directory with default options; see {@link #open(Path, String, OffloadOptions)}.
   */
  public static ImageDirectory open(Path path, String device) throws IOException {
    return open(path, device, OffloadOptions.DEFAULT);
  }

  /**
   * Opens an index directory of the file system.
   *
   * @param path the directory; made if it does not exist
   * @param device {@code scheme} or {@code scheme:rest}, such as {@code sim}; {@code host} for none
   * @param options options
   * @throws IllegalArgumentException if no kind of device has this name, or the rest is malformed
   * @throws IOException if the directory cannot be opened or, with strict options, the device
   */
  public static ImageDirectory open(Path path, String device, OffloadOptions options)
      throws IOException {
    Devices.Name name = Devices.Name.parse(device);
    if (name.scheme().equals(Devices.HOST)) {
      if (!name.rest().isEmpty()) {
        throw new IllegalArgumentException(
            "device \"" + Devices.HOST + "\" takes nothing behind it, got \"" + device + "\"");
      }
      return new ImageDirectory(FSDirectory.open(path), null, options, null);
    }
    DeviceProvider provider = Devices.provider(name.scheme());
    Directory plain = FSDirectory.open(path);
    try {
      Path storeFile = DeviceRegistry.storeFile(provider, name, path);
      String beside =
          storeFile != null && storeFile.getParent().equals(path.toRealPath())
              ? storeFile.getFileName().toString()
              : null;
      DeviceHandle handle = null;
      try {
        handle =
            DeviceRegistry.open(
                path, name, options, opened -> prepare(plain, opened, beside != null));
      } catch (IOException e) {
        refuse(device, e, options);
      }
      return new ImageDirectory(plain, handle, options, beside);
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, plain);
      throw t;
    }
  }

  /** Wraps with default options; see {@link #wrap(Directory, Device, OffloadOptions)}. */
  public static ImageDirectory wrap(Directory directory, Device device) throws IOException {
    return wrap(directory, device, OffloadOptions.DEFAULT);
  }

  /**
   * Puts posting images on a device, every other file into a directory.
   *
   * @param directory any directory; closed with the new one
   * @param device any device; stays the caller's, who closes it after the directories over it
   * @param options options
   */
  public static ImageDirectory wrap(Directory directory, Device device, OffloadOptions options)
      throws IOException {
    DeviceHandle handle = null;
    try {
      handle = DeviceRegistry.share(device, options);
    } catch (IOException e) {
      refuse(device.name(), e, options);
    }
    return new ImageDirectory(directory, handle, options, null);
  }

  /** The image directory in a chain of filter directories, outermost first; null if none is. */
  public static ImageDirectory find(Directory directory) {
    Directory at = directory;
    while (true) {
      if (at instanceof ImageDirectory found) {
        return found;
      }
      if (!(at instanceof FilterDirectory filter)) {
        return null;
      }
      at = filter.getDelegate();
    }
  }

  /** The shared device; null if the host does all the work. */
  public DeviceHandle handle() {
    return handle;
  }

  /** Counters; those of the device if there is one. */
  public OffloadStats stats() {
    return stats;
  }

  /** The options. */
  public OffloadOptions options() {
    return options;
  }

  /** The images and their stubs; null if the host does all the work. */
  public ImageStore images() {
    return images;
  }

  /** Why no posting images can be written here; null if they can. */
  public String whyNoImages() {
    if (handle == null) {
      return "the directory has no device";
    }
    return handle.volume().readOnly() ? "the device is open for reading only" : null;
  }

  @Override
  public String[] listAll() throws IOException {
    String[] all = in.listAll();
    if (hiddenFile == null) {
      return all;
    }
    List<String> shown = new ArrayList<>(Arrays.asList(all));
    shown.remove(hiddenFile);
    return shown.toArray(String[]::new);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    return isOnDevice(name) && whyNoImages() == null
        ? images.create(name, context)
        : in.createOutput(name, context);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return isOnDevice(name) ? images.open(name, context) : in.openInput(name, context);
  }

  @Override
  public long fileLength(String name) throws IOException {
    return isOnDevice(name) ? images.length(name) : in.fileLength(name);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    if (isOnDevice(name)) {
      images.delete(name);
      return;
    }
    String segment =
        handle != null && whyNoImages() == null ? SidecarFiles.ofDeleted(in, name) : null;
    in.deleteFile(name);
    if (segment != null) {
      deleteSidecar(segment);
    }
  }

  /** The segment is gone, and with it the use of what lies beside it. */
  private void deleteSidecar(String segment) {
    try {
      SidecarFiles.delete(this, segment);
    } catch (IOException | AlreadyClosedException e) {
      // Deleted when the device is opened again.
      CauseLog.warn(
          "sidecar not deleted", segment, "device lists of segment " + segment + ": " + e);
    }
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    if (isOnDevice(source) && isOnDevice(dest)) {
      images.rename(source, dest);
    } else if (isOnDevice(source)) {
      // The new name is none of an image: what it names must be the bytes themselves.
      in.copyFrom(this, source, dest, IOContext.DEFAULT);
      images.delete(source);
    } else {
      in.rename(source, dest);
    }
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    if (names.stream().anyMatch(this::isOnDevice)) {
      images.sync();
    }
    in.sync(names);
  }

  @Override
  public void copyFrom(Directory from, String source, String dest, IOContext context)
      throws IOException {
    if (!isOnDevice(dest)) {
      in.copyFrom(from, source, dest, context);
      return;
    }
    ImageDirectory other = find(from);
    boolean image = other != null && other.isOnDevice(source);
    if (image && images.copyByLink(other.images, source, dest, context)) {
      return;
    }
    try {
      super.copyFrom(from, source, dest, context);
    } catch (OffloadException e) {
      // The image cannot be read. It is derived data: the copy of the index does without.
      if (!image || options.strict()) {
        throw e;
      }
      try (IndexOutput out = in.createOutput(dest, context)) {
        other.images.writeGivenUp(source, out);
      }
      stats.increment(OffloadStats.Counter.IMAGES_DROPPED);
      stats.countReason("posting image not copied: " + OffloadWire.Status.name(e.status()));
      OffloadEvents.imageUnusable(handle.device(), dest, Trouble.DROPPED, e.getMessage());
      CauseLog.warn("image not copied", source, source + ": not copied: " + e.getMessage());
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (released) {
        return;
      }
      released = true;
    }
    if (handle == null) {
      in.close();
    } else {
      IOUtils.close(images::sync, in, handle::release);
    }
  }

  /** The name of the device; {@link Devices#HOST} if the host does all the work. */
  public String deviceName() {
    return handle == null ? Devices.HOST : handle.device().name();
  }

  @Override
  public String toString() {
    return "ImageDirectory(" + deviceName() + ", " + in + ")";
  }

  private boolean isOnDevice(String name) {
    return handle != null && ImageFiles.isImage(name);
  }

  private static void prepare(Directory plain, DeviceHandle handle, boolean besideTheIndex)
      throws IOException {
    if (handle.volume().readOnly()) {
      return;
    }
    // Not closed: it shares what it is made of with the one that is about to be opened.
    SidecarFiles.deleteOrphans(new ImageDirectory(plain, handle, OffloadOptions.DEFAULT, null));
    // Other indexes may use a volume that lies elsewhere.
    if (besideTheIndex) {
      new ImageStore(plain, handle, OffloadOptions.DEFAULT).deleteOrphans();
    }
  }

  private static void refuse(String device, IOException why, OffloadOptions options)
      throws IOException {
    if (options.strict()) {
      throw why;
    }
    String message = "works without device \"" + device + "\": " + why.getMessage();
    CauseLog.warn("works without device", message, message);
  }
}
