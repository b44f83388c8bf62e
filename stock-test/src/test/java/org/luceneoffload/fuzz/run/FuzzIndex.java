/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.fuzz.run;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.MergePolicy;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.device.Devices;
import org.luceneoffload.fuzz.base.Coverage;
import org.luceneoffload.fuzz.generate.Recipe;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.store.image.ImageStore;
import org.luceneoffload.store.volume.Volume;

/** An index of a round: its directory, writer, latest reader, and what runs in the background. */
public final class FuzzIndex implements Closeable {
  /** Ways to open the directory. */
  public enum Opening {
    DEVICE,
    DEVICE_UNDER_CACHE,
    NO_DEVICE,
    PLAIN
  }

  private static final String FAILED = "device failed: ";

  /** A session's memory, or the page frames of all of them, are too few for a plan. */
  private static final Set<String> TOO_LARGE =
      Set.of(FAILED + "INSUFFICIENT_GRANT", FAILED + "NO_MEMORY");

  public final Recipe recipe;
  public final Path home;
  private Codec codec;
  private final Coverage coverage;
  private final List<OffloadStats> stats = new ArrayList<>();
  private final List<FutureTask<Void>> background = new ArrayList<>();
  private Directory directory;
  private IndexWriter writer;
  private DirectoryReader reader;
  private IndexWriter readersWriter;
  private long nextId;

  public FuzzIndex(Recipe recipe, Path home, Codec codec, Coverage coverage) {
    this.recipe = recipe;
    this.home = home;
    this.codec = codec;
    this.coverage = coverage;
  }

  /** The codec of writers that are opened from now on. */
  public void setCodec(Codec newCodec) {
    codec = newCodec;
  }

  public void open(Opening opening) throws IOException {
    openDirectory(opening);
    openWriter();
  }

  private void openWriter() throws IOException {
    writer =
        new IndexWriter(
            directory, recipe.writer().config(recipe.schema(), recipe.similarity(), codec));
  }

  private void openDirectory(Opening opening) throws IOException {
    directory =
        switch (opening) {
          case DEVICE -> OffloadDirectory.open(home, recipe.device());
          case DEVICE_UNDER_CACHE ->
              new NRTCachingDirectory(OffloadDirectory.open(home, recipe.device()), 1, 4);
          case NO_DEVICE -> OffloadDirectory.open(home, Devices.HOST);
          case PLAIN -> FSDirectory.open(home);
        };
    OffloadDirectory offload = OffloadDirectory.find(directory);
    if (offload != null && !stats.contains(offload.stats())) {
      stats.add(offload.stats());
    }
  }

  public IndexWriter writer() {
    return writer;
  }

  public Directory directory() {
    return directory;
  }

  /** The ID of the first of {@code count} new documents. */
  public long newIds(int count) {
    long first = nextId;
    nextId += count;
    return first;
  }

  /** The IDs given so far are below this. */
  public long ids() {
    return nextId;
  }

  /** The latest reader, perhaps older than what was written since; opened if there is none. */
  public DirectoryReader reader() throws IOException {
    if (reader == null) {
      refresh();
    }
    return reader;
  }

  public void refresh() throws IOException {
    if (reader != null && readersWriter == writer) {
      DirectoryReader newer = DirectoryReader.openIfChanged(reader);
      if (newer != null) {
        IOUtils.close(reader);
        reader = newer;
      }
      return;
    }
    DirectoryReader opened = DirectoryReader.open(writer);
    IOUtils.close(reader);
    reader = opened;
    readersWriter = writer;
  }

  /** Runs something beside what follows. */
  public void inBackground(IORunnable work) {
    FutureTask<Void> task =
        new FutureTask<>(
            () -> {
              work.run();
              return null;
            });
    background.add(task);
    Thread thread = new Thread(task, "fuzz background");
    thread.setDaemon(true);
    thread.start();
  }

  /** Something that may fail. */
  public interface IORunnable {
    void run() throws IOException;
  }

  /** Waits for what runs in the background. */
  public void settle() throws IOException {
    for (FutureTask<Void> task : background) {
      try {
        task.get();
      } catch (ExecutionException e) {
        if (!isAbortedMerge(e)) {
          throw new IOException("in the background: " + e.getCause(), e.getCause());
        }
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
    }
    background.clear();
  }

  /** Deleting all documents ends the merges under way, and says so to whoever waits for one. */
  private static boolean isAbortedMerge(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof MergePolicy.MergeAbortedException) {
        return true;
      }
    }
    return false;
  }

  /**
   * Throws away what was not committed; the writer is closed then and opened again, and the reader
   * stays.
   */
  public void rollback() throws IOException {
    settle();
    writer.rollback();
    openWriter();
  }

  /**
   * Closes and opens, perhaps under the nose of the reader.
   *
   * @param maintenance to be done while there is no writer; null: none
   */
  public void reopen(Opening opening, boolean keepReader, Maintenance maintenance)
      throws IOException {
    settle();
    if (!keepReader) {
      IOUtils.close(reader);
      reader = null;
    }
    writer.close();
    directory.close();
    openDirectory(opening);
    if (maintenance != null) {
      maintenance.run(directory);
    }
    openWriter();
  }

  /**
   * Fails if the device holds more images than the index has, and goes on doing so when it is
   * opened for writing anew: what was deleted without the device goes then. Not if a source on the
   * same device has used the volume: then nobody can tell whose images are left over, and they
   * stay.
   */
  private void checkVolume() throws IOException {
    try (OffloadDirectory offload = OffloadDirectory.open(home, recipe.device())) {
      ImageDirectory.find(offload).whyNoImages(); // opens the store for writing
      Volume volume = ImageDirectory.find(offload).handle().volume();
      Set<String> held = volume.list();
      List<String> images = Arrays.stream(offload.listAll()).filter(ImageFiles::isImage).toList();
      boolean shared = !Set.of(ImageStore.OWNER).containsAll(volume.users());
      if (held.size() > images.size() && !shared) {
        throw new IllegalStateException("the device holds " + held + ", the index " + images);
      }
    }
  }

  /**
   * Closes everything.
   *
   * @throws IllegalStateException if an image was found damaged or the device failed: nothing here
   *     damages either. That a plan needs more memory than there is is no failure.
   */
  @Override
  public void close() throws IOException {
    try {
      settle();
    } finally {
      IOUtils.close(reader, writer == null || !writer.isOpen() ? null : writer, directory);
    }
    if (!stats.isEmpty()) {
      checkVolume();
    }
    stats.forEach(coverage::add);
    for (OffloadStats one : stats) {
      boolean failed =
          one.reasons().keySet().stream()
              .anyMatch(reason -> reason.startsWith(FAILED) && !TOO_LARGE.contains(reason));
      if (failed || one.get(Counter.IMAGES_BAD) > 0) {
        throw new IllegalStateException("trouble with the device: " + one);
      }
    }
  }
}
