/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.codecs.CompoundDirectory;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.events.OffloadEvents;
import org.luceneoffload.events.OffloadEvents.Trouble;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.store.guard.CircuitBreaker;
import org.luceneoffload.store.guard.DeviceHandle;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.store.image.ImageHeader;
import org.luceneoffload.store.image.ImageInput;
import org.luceneoffload.store.volume.Extent;
import org.luceneoffload.util.CauseLog;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * A posting or column image of one segment, as a reader sees it: where it is on which device, and
 * whether it can be used. An image that turns out stale or damaged is marked bad, once and for all
 * readers that share it; the host answers from then on.
 */
public final class SegmentImage implements Closeable {
  /** Times that the image may open the circuit breaker of its device. */
  private static final int MAX_TIMES_OPENED = 3;

  /** After that long, the time before is no part of the same trouble. */
  private static final long OPENED_WITHIN_NANOS = TimeUnit.MINUTES.toNanos(10);

  private final String fileName;
  private final DeviceHandle handle;
  private final OffloadOptions options;
  private final long stamp;
  private final int positionStart;
  private final List<Extent> extents;
  private final ImageInput input; // null if there is none
  private final IndexInput opened; // what to close: the input, perhaps wrapped
  private volatile String unusableReason;
  private volatile boolean bad;

  // Guarded by the monitor of this object.
  private int timesOpened;
  private long lastOpenedNanos;

  private SegmentImage(
      String fileName,
      DeviceHandle handle,
      OffloadOptions options,
      long stamp,
      int positionStart,
      List<Extent> extents,
      ImageInput input,
      IndexInput opened,
      String unusableReason) {
    this.fileName = fileName;
    this.handle = handle;
    this.options = options;
    this.stamp = stamp;
    this.positionStart = positionStart;
    this.extents = List.copyOf(extents);
    this.input = input;
    this.opened = opened;
    this.unusableReason = unusableReason;
  }

  /** Returns an image that can be used. */
  public static SegmentImage of(
      String fileName,
      DeviceHandle handle,
      OffloadOptions options,
      long stamp,
      List<Extent> extents) {
    return new SegmentImage(fileName, handle, options, stamp, 0, extents, null, null, null);
  }

  /**
   * Returns the place of an image that is not there.
   *
   * @param handle the device where it should be, or null if there is none
   * @param reason why it cannot be used
   */
  public static SegmentImage missing(
      String fileName, DeviceHandle handle, OffloadOptions options, String reason) {
    return missing(fileName, handle, options, 0, reason);
  }

  private static SegmentImage missing(
      String fileName, DeviceHandle handle, OffloadOptions options, long stamp, String reason) {
    return new SegmentImage(fileName, handle, options, stamp, 0, List.of(), null, null, reason);
  }

  /**
   * Begins an image of a segment that is being written.
   *
   * @param extension extension of the image
   * @return null if the directory has no device that can be written
   */
  public static IndexOutput create(SegmentWriteState state, String extension) throws IOException {
    ImageDirectory directory = ImageDirectory.find(state.directory);
    if (directory == null) {
      return null;
    }
    String name =
        IndexFileNames.segmentFileName(state.segmentInfo.name, state.segmentSuffix, extension);
    String why = directory.whyNoImages();
    if (why != null) {
      directory.countUnwritten(name, why);
      if (directory.options().strict() && directory.handle() != null) {
        throw new IOException("no " + ImageFiles.kind(name) + " written: " + why);
      }
      return null;
    }
    Codec codec = state.segmentInfo.getCodec();
    if (codec != null && !(codec.compoundFormat() instanceof OffloadCompoundFormat)) {
      // Whether the segment will be packed is not known yet; if not, all is well.
      CauseLog.warn("compound format", codec.getName(), OffloadCompoundFormat.notUsedBy(codec));
    }
    return state.directory.createOutput(name, state.context);
  }

  /**
   * Opens an image of a segment. Whatever is wrong with it makes it unusable, and nothing worse:
   * the segment is complete without.
   *
   * @param extension extension of the image
   * @param written whether the segment was written with such an image
   * @param stamp the stamp that the image must have
   */
  public static SegmentImage open(
      SegmentReadState state, String extension, boolean written, long stamp) {
    SegmentInfo segment = state.segmentInfo;
    // The directory of a packed segment's state is the inside of the compound file; generations of
    // doc values lie outside.
    boolean packed = segment.getUseCompoundFile() && state.directory instanceof CompoundDirectory;
    String plainName = IndexFileNames.segmentFileName(segment.name, state.segmentSuffix, extension);
    String name = packed ? packedName(segment, plainName) : plainName;
    ImageDirectory directory = ImageDirectory.find(segment.dir);
    if (directory == null) {
      return missing(
          name,
          null,
          OffloadOptions.DEFAULT,
          "the index was not opened through an OffloadDirectory");
    }
    OffloadOptions options = directory.options();
    if (directory.handle() == null) {
      return missing(
          name, null, options, "the directory has no device: " + directory.whyNoDevice());
    }
    if (!written) {
      return countMissing(name, directory, 0, "the segment was written without an image");
    }
    if (packed && exists(state.directory, plainName)) {
      // It was copied into the compound file, where no device can use it.
      return countMissing(name, directory, 0, OffloadCompoundFormat.notUsedBy(segment.getCodec()));
    }
    return open(segment, name, state.segmentSuffix, directory, stamp);
  }

  private static String packedName(SegmentInfo segment, String plainName) {
    String earlier = ImageFiles.earlierCompoundName(plainName);
    boolean isEarlier = !ImageFiles.isColumnImage(plainName) && segment.files().contains(earlier);
    return isEarlier ? earlier : ImageFiles.compoundName(plainName);
  }

  private static boolean exists(Directory directory, String name) {
    try {
      directory.fileLength(name);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Opens an image of a segment.
   *
   * @param name the image's file
   * @param suffix segment suffix in the image's header
   * @param directory the directory of the segment; with a device
   * @param stamp the stamp that the image must have
   */
  public static SegmentImage open(
      SegmentInfo segment, String name, String suffix, ImageDirectory directory, long stamp) {
    OffloadOptions options = directory.options();
    IndexInput opened = null;
    ImageInput found = null;
    try {
      opened = segment.dir.openInput(name, IOContext.DEFAULT);
      if (!(FilterIndexInput.unwrap(opened) instanceof ImageInput input)) {
        opened.close();
        return countMissing(name, directory, stamp, notOnDevice(name, directory));
      }
      found = input;
      String codec = ImageFiles.isColumnImage(name) ? ImageFiles.COLUMN_CODEC : ImageFiles.CODEC;
      int positionStart = ImageHeader.check(opened, codec, stamp, segment.getId(), suffix);
      directory.stats().increment(OffloadStats.Counter.IMAGES_OPENED);
      OffloadEvents.imageOpened(directory.handle().device(), name, input.length());
      return new SegmentImage(
          name,
          input.handle(),
          options,
          stamp,
          positionStart,
          input.extents(),
          input,
          opened,
          null);
    } catch (IOException | AlreadyClosedException e) {
      if (found != null
          && e instanceof OffloadException failure
          && CircuitBreaker.concernsDevice(failure.status())) {
        // The device has trouble, of the image nothing is known: every page tells whose it is, and
        // this reader may live on when the device has recovered.
        CauseLog.warn(
            "image unchecked",
            found.handle().device().name(),
            name + " could not be checked: " + e.getMessage());
        directory.stats().increment(OffloadStats.Counter.IMAGES_OPENED);
        return new SegmentImage(
            name, found.handle(), options, stamp, 0, found.extents(), found, opened, null);
      }
      IOUtils.closeWhileHandlingException(opened);
      if (found == null
          && (e instanceof NoSuchFileException || e instanceof FileNotFoundException)) {
        // A writer may delete the files of an older commit while a reader opens it.
        return countMissing(name, directory, stamp, "the segment's image is not in the directory");
      }
      SegmentImage image = missing(name, directory.handle(), options, stamp, null);
      image.markBad(
          e instanceof AccessDeniedException ? "no permission: " + e.getMessage() : e.getMessage());
      return image;
    }
  }

  private static String notOnDevice(String name, ImageDirectory directory) {
    String what = "the segment's image is not on the device";
    String why = directory.images().whyNotHere(name);
    if (why == null) {
      return what;
    }
    String reason = what + ": " + why;
    CauseLog.warn("image not on its device", why, name + ": " + reason + ImageFiles.REMEDY);
    return reason;
  }

  private static SegmentImage countMissing(
      String name, ImageDirectory directory, long stamp, String reason) {
    directory.stats().increment(OffloadStats.Counter.IMAGES_MISSING);
    DeviceHandle handle = directory.handle();
    OffloadEvents.imageUnusable(handle.device(), name, Trouble.MISSING, reason);
    return missing(name, handle, directory.options(), stamp, reason);
  }

  /** Returns the name of the image file. */
  public String fileName() {
    return fileName;
  }

  /** Returns the device with its counters; null if the directory has none. */
  public DeviceHandle handle() {
    return handle;
  }

  /** Returns the options of the directory through which the segment was opened. */
  public OffloadOptions options() {
    return options;
  }

  /** Returns the stamp that every page of the image carries; 0 if none was ever written. */
  public long stamp() {
    return stamp;
  }

  /**
   * Returns the number of the first page that holds positions; 0 if none does, or that could not be
   * read.
   */
  public int positionStart() {
    return positionStart;
  }

  /** Returns the number of pages that hold positions. */
  public int positionPages() {
    return positionStart == 0 ? 0 : pageCount() - positionStart + 1;
  }

  /**
   * Returns where the pages of the file are, ascending by file page, page 0 (the header) included.
   */
  public List<Extent> extents() {
    return extents;
  }

  /** Returns whether an LBA of its device is one of its pages. */
  public boolean isOn(long lba) {
    for (Extent extent : extents) {
      if (extent.lba() <= lba && lba < extent.endLba()) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether plans may refer to this image. */
  public boolean usable() {
    return unusableReason == null;
  }

  /** Returns why the image cannot be used; null if it can. */
  public String unusableReason() {
    return unusableReason;
  }

  /** Returns whether the image is there, or should be, and was found stale or damaged. */
  public boolean bad() {
    return bad;
  }

  /** Gives the image up; counts and logs it the first time. */
  public void markBad(String reason) {
    synchronized (this) {
      if (unusableReason != null) {
        return;
      }
      unusableReason = reason == null ? "unknown" : reason;
      bad = true;
    }
    if (handle != null) {
      handle.stats().increment(OffloadStats.Counter.IMAGES_BAD);
      handle.stats().countReason("image given up: " + reason);
      OffloadEvents.imageUnusable(handle.device(), fileName, Trouble.BAD, reason);
    }
    CauseLog.warn(
        "image bad",
        fileName,
        ImageFiles.kind(fileName) + " " + fileName + " given up, the host answers: " + reason);
  }

  /**
   * Sets the device aside, since a read error of a plan over the image opened the circuit breaker.
   * The error may pass; if it happens time and again the image lies on bad LBAs and is given up, so
   * that the others can be used.
   */
  public void setDeviceAside(String reason) {
    synchronized (this) {
      long now = System.nanoTime();
      if (timesOpened > 0 && now - lastOpenedNanos > OPENED_WITHIN_NANOS) {
        timesOpened = 0;
      }
      lastOpenedNanos = now;
      if (++timesOpened < MAX_TIMES_OPENED) {
        return;
      }
    }
    markBad(
        "it opened the circuit breaker of the device "
            + MAX_TIMES_OPENED
            + " times, lastly: "
            + reason);
  }

  /** Returns the number of pages of the image behind its header; their numbers are 1 up to this. */
  public int pageCount() {
    return input == null ? 0 : (int) (input.length() / OffloadWire.PAGE_BYTES) - 1;
  }

  /** Reads a page into a direct little-endian buffer, from its position. */
  public void readPage(int filePage, ByteBuffer dst) throws IOException {
    if (filePage < 0 || filePage > pageCount()) {
      throw new CorruptIndexException(
          "no page " + filePage + ": the last is " + pageCount(), fileName);
    }
    input.readPage(filePage, dst);
  }

  /**
   * Verifies the checksum over the whole image. Damage gives it up; only strict options make that
   * an error.
   */
  public void checkIntegrity() throws IOException {
    if (input == null || !usable()) {
      return;
    }
    try {
      CodecUtil.checksumEntireFile(opened);
    } catch (IOException e) {
      markBad(e.getMessage());
      if (options.strict()) {
        throw e;
      }
    }
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(opened);
  }

  @Override
  public String toString() {
    return "SegmentImage(" + fileName + (usable() ? "" : ", " + unusableReason) + ")";
  }
}
