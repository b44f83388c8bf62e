/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.image;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.util.IOFunction;
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
import org.luceneoffload.store.node.NodeDirectory;
import org.luceneoffload.store.node.NodeName;
import org.luceneoffload.store.volume.PatientReads;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * A directory whose posting images are on a device, and every other file in the application's own
 * directory; what {@code OffloadDirectory} stands for.
 */
public final class ImageDirectory extends FilterDirectory {
  /** Longest path that a volume is told; up to four bytes a character. */
  private static final int MAX_USER_CHARS = 60;

  /** For devices that keep nothing in the index directory. */
  private static final Path NO_HOME = Path.of(".");

  private final DeviceHandle handle;
  private final ImageStore images;
  private final OffloadOptions options;
  private final OffloadStats stats;
  private final String whyNoDevice; // null if there is one
  private final String hiddenFile;
  private boolean released;

  private ImageDirectory(
      Directory in, DeviceHandle handle, OffloadOptions options, String user, Path storeFile) {
    super(in);
    this.handle = handle;
    this.images = new ImageStore(in, handle, options, user, storeFile);
    this.options = options;
    this.stats = handle.stats();
    this.whyNoDevice = null;
    this.hiddenFile = hidden(storeFile, user);
  }

  /** A directory that works without a device. */
  private ImageDirectory(
      Directory in, OffloadOptions options, String whyNoDevice, String hiddenFile) {
    super(in);
    this.handle = null;
    this.images = null;
    this.options = options;
    this.stats = new OffloadStats();
    this.whyNoDevice = whyNoDevice;
    this.hiddenFile = hiddenFile;
  }

  /**
   * Opens an index directory with default options; see {@link #open(Path, String, OffloadOptions)}.
   */
  public static ImageDirectory open(Path path, String device) throws IOException {
    return open(path, device, OffloadOptions.DEFAULT);
  }

  /**
   * Opens an index directory of the file system. The device is opened for reading; it becomes
   * writable with the first image that is written or deleted.
   *
   * @param path the directory; made if it does not exist
   * @param device {@code scheme} or {@code scheme:rest}, such as {@code sim}; {@code host} for none
   * @param options options
   * @throws IllegalArgumentException if no kind of device has this name, or the rest is malformed
   * @throws IOException if the directory cannot be opened or, with strict options, the device
   */
  public static ImageDirectory open(Path path, String device, OffloadOptions options)
      throws IOException {
    return open(FSDirectory::open, path, device, options);
  }

  /**
   * Opens a directory as {@link #open(Path, String, OffloadOptions)}, over a directory of the
   * application's own.
   *
   * @param plainOpener opens the directory that keeps all files but images; asked once
   */
  public static ImageDirectory open(
      IOFunction<Path, Directory> plainOpener, Path path, String device, OffloadOptions options)
      throws IOException {
    Devices.Name name = Devices.Name.parse(device);
    if (name.scheme().equals(Devices.HOST)) {
      if (!name.rest().isEmpty()) {
        throw new IllegalArgumentException(
            "device \"" + Devices.HOST + "\" takes nothing behind it, got \"" + device + "\"");
      }
      return new ImageDirectory(plainOpener.apply(path), options, "it was opened without", null);
    }
    DeviceProvider provider = Devices.provider(name.scheme());
    Directory plain = plainOpener.apply(path);
    try {
      String hidden = null;
      try {
        Path storeFile = DeviceRegistry.storeFile(provider, name, path);
        String user = user(storeFile, path.toRealPath());
        hidden = hidden(storeFile, user);
        DeviceHandle handle = DeviceRegistry.open(path, name, options);
        return new ImageDirectory(plain, handle, options, user, storeFile);
      } catch (IOException e) {
        return withoutDevice(plain, device, e, options, hidden);
      }
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, plain);
      throw t;
    }
  }

  /**
   * Opens an index of which every file is on a storage node, beside its images.
   *
   * @param options options; with {@link OffloadOptions#strict()} or without, a node that cannot be
   *     reached is an error, as nobody else has the index
   * @throws IllegalArgumentException if the device is none that holds indexes, or the rest of its
   *     name is malformed
   */
  public static ImageDirectory open(NodeName name, OffloadOptions options) throws IOException {
    DeviceHandle handle =
        PatientReads.open(() -> DeviceRegistry.open(NO_HOME, name.device(), options));
    try {
      return over(handle, name.index(), options);
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, handle::release);
      throw t;
    }
  }

  /**
   * Opens a directory over a device that the application opened and will close itself.
   *
   * @param index name of the index on it
   */
  public static ImageDirectory open(Device device, String index, OffloadOptions options)
      throws IOException {
    DeviceHandle handle = DeviceRegistry.share(device, options);
    try {
      return over(handle, index, options);
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, handle::release);
      throw t;
    }
  }

  private static ImageDirectory over(DeviceHandle handle, String index, OffloadOptions options)
      throws IOException {
    NodeDirectory files = new NodeDirectory(handle, index, options.indexCache());
    return new ImageDirectory(files, handle, options, ImageStore.UNKNOWN, null);
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
    try {
      DeviceHandle handle = DeviceRegistry.share(device, options);
      return new ImageDirectory(directory, handle, options, ImageStore.UNKNOWN, null);
    } catch (IOException e) {
      return withoutDevice(directory, nameOf(device), e, options, null);
    }
  }

  /**
   * Returns the image directory in a chain of filter directories, outermost first; null if none is.
   */
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

  /** Returns the shared device; null if the host does all the work. */
  public DeviceHandle handle() {
    return handle;
  }

  /** Returns the counters; those of the device if there is one. */
  public OffloadStats stats() {
    return stats;
  }

  /** Returns the options. */
  public OffloadOptions options() {
    return options;
  }

  /** Returns the images and their stubs; null if the host does all the work. */
  public ImageStore images() {
    return images;
  }

  /** Returns why the directory works without a device; null if it has one. */
  public String whyNoDevice() {
    return whyNoDevice;
  }

  /**
   * Returns why no posting images can be written here, such as that another process writes to the
   * device; null if they can. Makes the device writable, for who is about to write images; may be
   * asked again later.
   */
  public String whyNoImages() {
    if (handle == null) {
      return "the directory has no device: " + whyNoDevice;
    }
    try {
      images.openForWriting();
      return null;
    } catch (IOException | AlreadyClosedException e) {
      return e.getMessage();
    }
  }

  /**
   * Counts and logs that an image was not written.
   *
   * @param name the image's file
   * @param why what {@link #whyNoImages} said
   */
  public void countUnwritten(String name, String why) {
    String message = "no " + ImageFiles.kind(name) + " written: " + why;
    stats.countReason(message);
    if (handle != null) {
      stats.increment(OffloadStats.Counter.IMAGES_UNWRITTEN);
      OffloadEvents.imageUnusable(handle.device(), name, Trouble.UNWRITTEN, why);
      CauseLog.warn("no image written", why, in + ": " + name + ": " + message + ImageFiles.REMEDY);
    }
  }

  @Override
  public String[] listAll() throws IOException {
    String[] all = in.listAll();
    if (hiddenFile == null) {
      return all;
    }
    List<String> shown = new ArrayList<>(Arrays.asList(all));
    shown.remove(hiddenFile);
    shown.remove(hiddenFile + DeviceProvider.STORE_INDEX_SUFFIX);
    return shown.toArray(String[]::new);
  }

  /**
   * Obtains a lock and clears away what a crash has left: a process that locks an index on a node
   * is about to write it.
   */
  @Override
  public Lock obtainLock(String name) throws IOException {
    if (in instanceof NodeDirectory) {
      whyNoImages();
    }
    return in.obtainLock(name);
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
    try {
      return isOnDevice(name) ? images.length(name) : in.fileLength(name);
    } catch (NoSuchFileException | FileNotFoundException e) {
      if (ImageFiles.isOfGeneration(name) && isOfCommit(name)) {
        return 0; // lost, and no damage of the segment
      }
      throw e;
    }
  }

  /**
   * Returns whether the latest commit names a file; one that it does not was perhaps never here.
   */
  private boolean isOfCommit(String name) {
    try {
      return SegmentInfos.readLatestCommit(this).files(false).contains(name);
    } catch (IOException | IllegalArgumentException e) {
      return false; // there is none, or it cannot be read
    }
  }

  @Override
  public void deleteFile(String name) throws IOException {
    try {
      delete(name);
    } catch (NoSuchFileException | FileNotFoundException e) {
      if (!ImageFiles.isOfGeneration(name)) {
        throw e;
      }
    }
  }

  private void delete(String name) throws IOException {
    if (isOnDevice(name)) {
      images.delete(name);
      return;
    }
    String segment = handle != null ? SidecarFiles.ofDeleted(in, name) : null;
    in.deleteFile(name);
    if (segment != null) {
      deleteSidecar(segment);
    }
  }

  /** Deletes what lies beside a segment that is gone. */
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
    } else if (!isOnDevice(dest) || whyNoImages() != null || !moveToDevice(source, dest)) {
      in.rename(source, dest);
    }
  }

  /**
   * Brings a file that was copied here under another name, as clusters copy shards, to the device.
   *
   * @return whether all of it is there; if not, nothing was done
   */
  private boolean moveToDevice(String source, String dest) throws IOException {
    copyFrom(in, source, dest, IOContext.DEFAULT);
    if (images.length(dest) != in.fileLength(source)) {
      // The device failed or is full. Who copies compares lengths and checksums.
      images.delete(dest);
      return false;
    }
    in.deleteFile(source);
    return true;
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    if (names.stream().anyMatch(this::isOnDevice)) {
      images.sync();
    }
    try {
      in.sync(names);
    } catch (NoSuchFileException | FileNotFoundException e) {
      // The files of a commit, of which some may be lost that no segment needs.
      Set<String> missing = new HashSet<>(names);
      missing.removeIf(name -> !ImageFiles.isOfGeneration(name));
      missing.removeAll(Set.of(in.listAll()));
      if (missing.isEmpty()) {
        throw e;
      }
      Set<String> there = new HashSet<>(names);
      there.removeAll(missing);
      in.sync(there);
    }
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

  /** Returns the name of the device; {@link Devices#HOST} if the host does all the work. */
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

  /** Returns the name under which a volume knows the directory that uses it. */
  private static String user(Path storeFile, Path directory) {
    if (storeFile == null) {
      return ImageStore.UNKNOWN;
    }
    Path folder = storeFile.getParent();
    if (folder.equals(directory)) {
      return ImageStore.OWNER;
    }
    String user = folder.relativize(directory).toString();
    return user.length() <= MAX_USER_CHARS ? user : ImageStore.UNKNOWN;
  }

  /** Returns the name of the store's file if it lies in the directory; else null. */
  private static String hidden(Path storeFile, String user) {
    return user.equals(ImageStore.OWNER) ? storeFile.getFileName().toString() : null;
  }

  private static String nameOf(Device device) {
    try {
      return device.name();
    } catch (RuntimeException | Error e) {
      return device.getClass().getName();
    }
  }

  private static ImageDirectory withoutDevice(
      Directory plain, String device, IOException why, OffloadOptions options, String hiddenFile)
      throws IOException {
    if (options.strict()) {
      throw why;
    }
    String message = "works without device \"" + device + "\": " + why.getMessage();
    CauseLog.warn("works without device", message, message);
    return new ImageDirectory(plain, options, why.getMessage(), hiddenFile);
  }
}
