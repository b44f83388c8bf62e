/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.maintain;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Lock;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.Sidecars;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.store.guard.DeviceRegistry;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.store.image.ImageStore;
import org.luceneoffload.store.image.SidecarFiles;

/**
 * Takes the device lists of an index from the device. The index is then a plain one, answered by
 * the host; {@link IndexRepair} and {@link IndexImport} bring the lists back.
 *
 * <p>Readers may be open meanwhile: they go on with their lists, whose space is free once they are
 * closed. No index writer may be open.
 */
public final class IndexDetach {
  private final OffloadDirectory directory;
  private final ImageStore images;
  private final List<String> leftOut = new ArrayList<>();
  private int count;
  private long bytes;

  private IndexDetach(OffloadDirectory directory) {
    this.directory = directory;
    this.images = ImageDirectory.find(directory).images();
  }

  /**
   * Detaches an index and removes the device's store file if nothing else is in it and nobody uses
   * it.
   *
   * @param index directory of the index
   * @param device name of the device
   * @throws org.apache.lucene.store.LockObtainFailedException if an index writer is open
   * @throws IOException if the device cannot be written
   */
  public static DetachReport run(Path index, String device) throws IOException {
    OffloadOptions strict = OffloadOptions.DEFAULT.withStrict(true);
    try (OffloadDirectory directory = OffloadDirectory.open(index, device, strict)) {
      DetachReport report = run(directory);
      boolean removed = DeviceRegistry.removeEmptyStore(ImageDirectory.find(directory).handle());
      return new DetachReport(
          report.images(), report.bytes(), removed, report.seconds(), report.leftOut());
    }
  }

  /**
   * Detaches an index; the device's store stays, empty or not.
   *
   * @param directory the index, opened with a device that can be written
   * @throws org.apache.lucene.store.LockObtainFailedException if an index writer is open
   * @throws IOException if the device cannot be written
   */
  public static DetachReport run(OffloadDirectory directory) throws IOException {
    String why = directory.whyNoImages();
    if (why != null) {
      throw new IOException("no device lists can be removed from " + directory + ": " + why);
    }
    synchronized (Upkeep.ONE_AT_A_TIME) {
      try (Lock lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
        lock.ensureValid();
        return new IndexDetach(directory).detach();
      } finally {
        Sidecars.changed();
      }
    }
  }

  private DetachReport detach() throws IOException {
    long start = System.nanoTime();
    images.deleteReplacement();
    for (String id : SidecarFiles.ids(directory)) {
      String image = ImageFiles.sidecarImage(HexFormat.of().parseHex(id));
      long length = images.lengthOnDevice(image);
      SidecarFiles.delete(directory, id);
      count(length);
    }
    for (String name : directory.listAll()) {
      if (ImageFiles.isImage(name)) {
        try {
          count(images.giveUp(name));
        } catch (IOException | AlreadyClosedException e) {
          leftOut.add(name + ": " + e.getMessage());
        }
      }
    }
    images.sync();
    double seconds = (System.nanoTime() - start) / 1e9;
    return new DetachReport(count, bytes, false, seconds, List.copyOf(leftOut));
  }

  private void count(long length) {
    if (length > 0) {
      count++;
      bytes += length;
    }
  }
}
