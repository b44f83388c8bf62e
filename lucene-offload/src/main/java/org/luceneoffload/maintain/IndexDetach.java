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
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.store.guard.DeviceRegistry;
import org.luceneoffload.store.image.CoreFiles;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.store.image.ImageStore;
import org.luceneoffload.store.image.SidecarFiles;

/**
 * Takes the device lists and columns of an index from the device; the host then answers all
 * queries. {@link IndexRepair} and {@link IndexImport} bring them back. Segments keep their codec,
 * so that Lucene goes on reading those of {@code OffloadCodec} with this library; {@link
 * Codec#STOCK} makes them segments of the codec below.
 *
 * <p>Readers may be open meanwhile: they go on with their lists, whose space is free once they are
 * closed. No index writer may be open.
 */
public final class IndexDetach {
  private final OffloadDirectory directory;
  private final ImageStore images;
  private final List<String> leftOut = new ArrayList<>();
  private int count;
  private int columns;
  private long bytes;

  /** The codec of an index that was detached. */
  public enum Codec {
    /** The one that it had. */
    KEEP,

    /**
     * The one that {@code OffloadCodec} built on, which is stock Lucene's unless the application
     * named another. Doc IDs, deletes, scores and all other files stay. Earlier commits of the
     * index are deleted. The disk needs room for a second copy of the segments.
     */
    STOCK
  }

  private IndexDetach(OffloadDirectory directory) {
    this.directory = directory;
    this.images = ImageDirectory.find(directory).images();
  }

  /**
   * Detaches an index and removes the device's store file if nothing else is in it and no process
   * uses it.
   *
   * @param index directory of the index
   * @param device name of the device
   * @return what was removed
   * @throws org.apache.lucene.store.LockObtainFailedException if an index writer is open
   * @throws IOException if the device cannot be written
   */
  public static Report run(Path index, String device) throws IOException {
    return run(index, device, Codec.KEEP);
  }

  /**
   * Detaches an index, as {@link #run(Path, String)} does, and chooses its codec.
   *
   * @param index directory of the index
   * @param device name of the device
   * @param codec what becomes of the segments
   * @return what was removed
   * @throws org.apache.lucene.store.LockObtainFailedException if an index writer is open
   * @throws IOException if the device cannot be written, or the codec cannot be changed; the index
   *     is then as it was, or has all of its segments under the new codec
   */
  public static Report run(Path index, String device, Codec codec) throws IOException {
    OffloadOptions strict = OffloadOptions.DEFAULT.withStrict(true);
    try (OffloadDirectory directory = OffloadDirectory.open(index, device, strict)) {
      Report report = run(directory, codec);
      boolean removed = DeviceRegistry.removeEmptyStore(ImageDirectory.find(directory).handle());
      return new Report(
          report.images(),
          report.columnImages(),
          report.bytes(),
          report.segmentsRewritten(),
          removed,
          report.seconds(),
          report.leftOut());
    }
  }

  /**
   * Detaches an index; the device's store stays, empty or not.
   *
   * @param directory the index, opened with a device that can be written
   * @return what was removed
   * @throws org.apache.lucene.store.LockObtainFailedException if an index writer is open
   * @throws IOException if the device cannot be written
   */
  public static Report run(OffloadDirectory directory) throws IOException {
    return run(directory, Codec.KEEP);
  }

  /**
   * Detaches an index and chooses its codec; the device's store stays, empty or not.
   *
   * @param directory the index, opened with a device that can be written
   * @param codec what becomes of the segments
   * @return what was removed
   * @throws org.apache.lucene.store.LockObtainFailedException if an index writer is open
   * @throws IOException if the device cannot be written, or the codec cannot be changed; the index
   *     is then as it was, or has all of its segments under the new codec
   */
  public static Report run(OffloadDirectory directory, Codec codec) throws IOException {
    String why = directory.whyNoImages();
    if (why != null) {
      throw new IOException("no device lists can be removed from " + directory + ": " + why);
    }
    synchronized (Upkeep.ONE_AT_A_TIME) {
      try (Lock lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
        lock.ensureValid();
        return new IndexDetach(directory).detach(codec);
      } finally {
        CoreFiles.changed();
      }
    }
  }

  /**
   * Deletes the lists and columns that lie beside the segments: imported, or repaired by {@link
   * IndexRepair#runBeside}. The index may be open for writing. Segments keep what they were written
   * with.
   *
   * @param directory the index, opened with a device that can be written
   * @return what was removed
   * @throws IOException if the device cannot be written
   */
  public static Report runBeside(OffloadDirectory directory) throws IOException {
    Upkeep.checkWritable(directory);
    synchronized (Upkeep.ONE_AT_A_TIME) {
      try {
        long start = System.nanoTime();
        IndexDetach detach = new IndexDetach(directory);
        detach.deleteBeside();
        detach.images.sync();
        return detach.report(0, start);
      } finally {
        CoreFiles.changed();
      }
    }
  }

  private Report detach(Codec codec) throws IOException {
    long start = System.nanoTime();
    StockRewrite stock = codec == Codec.STOCK ? new StockRewrite(directory, leftOut) : null;
    int rewritten = stock != null ? stock.commit() : 0;
    deleteBeside();
    for (String name : directory.listAll()) {
      if (ImageFiles.isImage(name)) {
        try {
          count(images.giveUp(name), ImageFiles.isColumnImage(name));
        } catch (IOException | AlreadyClosedException e) {
          leftOut.add(name + ": " + e.getMessage());
        }
      }
    }
    if (stock != null) {
      stock.deleteOld();
    }
    images.sync();
    return report(rewritten, start);
  }

  private void deleteBeside() throws IOException {
    images.deleteReplacement();
    for (String id : SidecarFiles.ids(directory)) {
      byte[] segment = HexFormat.of().parseHex(id);
      long lists = images.lengthOnDevice(ImageFiles.sidecarImage(segment));
      long columnBytes = images.lengthOnDevice(ImageFiles.sidecarColumnImage(segment));
      SidecarFiles.delete(directory, id);
      count(lists, false);
      count(columnBytes, true);
    }
  }

  private Report report(int rewritten, long start) {
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Report(count, columns, bytes, rewritten, false, seconds, List.copyOf(leftOut));
  }

  private void count(long length, boolean isOfColumns) {
    if (length > 0) {
      count++;
      columns += isOfColumns ? 1 : 0;
      bytes += length;
    }
  }

  /**
   * The outcome of a detachment.
   *
   * @param images images taken from the device
   * @param columnImages of them, those of columns
   * @param bytes their bytes, free from now on or when the last reader of an image closes
   * @param segmentsRewritten segments that have another codec now, by {@link
   *     IndexDetach.Codec#STOCK}
   * @param storeRemoved whether the device's store file, empty now, was removed
   * @param seconds wall-clock time
   * @param leftOut what could not be removed, and why
   */
  public record Report(
      int images,
      int columnImages,
      long bytes,
      int segmentsRewritten,
      boolean storeRemoved,
      double seconds,
      List<String> leftOut) {}
}
