/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.maintain;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.util.IOSupplier;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.ImageWriter;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.SegmentLists;
import org.luceneoffload.codec.Sidecars;
import org.luceneoffload.codec.column.OwnColumns;
import org.luceneoffload.codec.column.SegmentColumns;
import org.luceneoffload.store.image.CoreFiles;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.SidecarFiles;
import org.luceneoffload.wire.OffloadException;

/** One run over the segments of an index: what import and repair share. */
abstract class Upkeep {
  /** Runs take turns: each deletes what looks as if an earlier one had left it. */
  static final Object ONE_AT_A_TIME = new Object();

  final OffloadDirectory directory;
  private final MaintenanceProgress progress;
  private final Map<String, Set<String>> leftOut = new LinkedHashMap<>(); // reasons by segment
  private int present;
  private int written;
  private String latestWritten; // the segment of which something was written last
  private long lists;
  private long postings;
  private long pages;
  private long bytes;
  private int hashes;
  private int columns;
  private long passed; // postings of the segments that are done
  private long passedHere; // of the segment at work
  private long total;

  Upkeep(OffloadDirectory directory, MaintenanceProgress progress) {
    this.directory = directory;
    this.progress = progress;
  }

  /** Fails unless lists can be written. */
  static void checkWritable(OffloadDirectory directory) throws IOException {
    String why = directory.whyNoImages();
    if (why != null) {
      throw new IOException("no device lists can be written for " + directory + ": " + why);
    }
  }

  final MaintenanceReport run() throws IOException {
    return run(null);
  }

  /**
   * Runs over a commit.
   *
   * @param kept a commit of the directory, perhaps seen through another one over it, that stays
   *     meanwhile; null: the latest
   */
  final MaintenanceReport run(IndexCommit kept) throws IOException {
    checkWritable(directory);
    long start = System.nanoTime();
    synchronized (ONE_AT_A_TIME) {
      SidecarFiles.deleteOrphans(directory);
      // A reader of its own: what it finds damaged does not disturb those that are in use.
      try (DirectoryReader reader =
          kept == null
              ? DirectoryReader.open(directory)
              : DirectoryReader.open(ours(directory, kept))) {
        List<LeafReaderContext> leaves = reader.leaves();
        for (LeafReaderContext leaf : leaves) {
          total += SegmentLists.of(segment(leaf), false).postings();
        }
        for (LeafReaderContext leaf : leaves) {
          passedHere = 0;
          SegmentReader segment = segment(leaf);
          SegmentLists state = SegmentLists.of(segment, verifies());
          int before = written;
          upkeep(segment, state, SegmentColumns.of(segment, verifies()));
          present += written == before && !leftOut.containsKey(segment.getSegmentName()) ? 1 : 0;
          passed += state.postings();
        }
        progress.at("", total, total);
        double seconds = (System.nanoTime() - start) / 1e9;
        return new MaintenanceReport(
            leaves.size(),
            present,
            written,
            lists,
            postings,
            pages,
            bytes,
            hashes,
            columns,
            seconds,
            leftOut.entrySet().stream()
                .map(e -> "segment " + e.getKey() + ": " + String.join("; ", e.getValue()))
                .toList());
      } finally {
        CoreFiles.changed();
      }
    }
  }

  /**
   * Returns a commit as this directory knows it: readers are to be opened without what is over it.
   */
  private static IndexCommit ours(OffloadDirectory directory, IndexCommit commit)
      throws IOException {
    for (IndexCommit candidate : DirectoryReader.listCommits(directory)) {
      if (candidate.getSegmentsFileName().equals(commit.getSegmentsFileName())) {
        return candidate;
      }
    }
    throw new IOException(directory + " has no commit " + commit.getSegmentsFileName());
  }

  private static SegmentReader segment(LeafReaderContext leaf) {
    return Sidecars.segment(leaf.reader());
  }

  /** Returns whether lists and columns are read to find damage. */
  abstract boolean verifies();

  /** Writes for a segment what it needs. */
  abstract void upkeep(SegmentReader reader, SegmentLists lists, SegmentColumns columns)
      throws IOException;

  /**
   * Writes lists beside a segment.
   *
   * @return whether it was done
   */
  final boolean writeBeside(SegmentReader reader, SortedSet<String> fields) {
    return write(
        reader,
        () -> {
          ImageWriter.Written done = writer(reader).writeSidecar(fields);
          deleteIfGone(reader);
          return done;
        });
  }

  /**
   * Writes columns beside a segment.
   *
   * @param instead lost columns that could not be made again in their places
   */
  final void writeColumnsBeside(
      SegmentReader reader, SegmentColumns segment, List<OwnColumns> instead) {
    write(
        reader,
        () -> {
          try {
            ImageWriter.Written done =
                segment.writeBeside(
                    ImageDirectory.find(directory), instead, () -> show(reader.getSegmentName()));
            deleteIfGone(reader);
            return done;
          } catch (IOException | AlreadyClosedException e) {
            throw new IOException("no columns: " + reason(e), e);
          }
        });
  }

  /** Deletes what lies beside a segment that an index writer has merged away meanwhile. */
  private void deleteIfGone(SegmentReader reader) throws IOException {
    SegmentInfo segment = reader.getSegmentInfo().info;
    if (isGone(segment)) {
      SidecarFiles.delete(directory, HexFormat.of().formatHex(segment.getId()));
      throw new IOException("an index writer has merged it away meanwhile");
    }
  }

  /** Writes the image of a segment in its place, or else lists beside the segment. */
  final void rewrite(
      SegmentReader reader,
      SegmentImage image,
      SortedSet<String> fields,
      SortedSet<String> fieldsBeside) {
    boolean[] elsewhere = new boolean[1];
    write(
        reader,
        () -> {
          ImageWriter.Written done = writer(reader).rewrite(image, fields);
          elsewhere[0] = done == null;
          return done;
        });
    if (elsewhere[0]) {
      writeBeside(reader, fieldsBeside);
    }
  }

  /** Writes the term hashes of a segment that it has lost. */
  final void rewriteHashes(SegmentReader reader, SegmentLists lists) {
    write(reader, () -> writer(reader).rewriteHashes(lists));
  }

  /**
   * Writes lost columns of a segment in their places.
   *
   * @return whether they are to lie beside the segment instead
   */
  final boolean remakeColumns(SegmentReader reader, OwnColumns lost) {
    boolean[] elsewhere = new boolean[1];
    write(
        reader,
        () -> {
          ImageWriter.Written done =
              lost.remake(ImageDirectory.find(directory), () -> show(reader.getSegmentName()));
          elsewhere[0] = done == null;
          return done;
        });
    return elsewhere[0];
  }

  /** Returns whether the step did not fail. */
  private boolean write(SegmentReader reader, IOSupplier<ImageWriter.Written> step) {
    String name = reader.getSegmentName();
    try {
      ImageWriter.Written done = step.get();
      if (done == null) {
        return true;
      }
      if (!reader.getSegmentName().equals(latestWritten)) {
        latestWritten = reader.getSegmentName();
        written++;
      }
      lists += done.lists();
      postings += done.postings();
      pages += done.pages();
      bytes += done.bytes();
      hashes += done.hashes();
      columns += done.columns();
      for (String field : done.leftOut()) {
        recordSkipped(name, "field \"" + field + "\" has too many terms");
      }
      return true;
    } catch (IOException | AlreadyClosedException e) {
      recordSkipped(name, reason(e));
      return false;
    }
  }

  final void recordSkipped(String segment, String reason) {
    leftOut.computeIfAbsent(segment, name -> new LinkedHashSet<>()).add(reason);
  }

  private ImageWriter writer(SegmentReader reader) {
    String name = reader.getSegmentName();
    return new ImageWriter(
        reader,
        ImageDirectory.find(directory),
        more -> {
          passedHere += more;
          show(name);
        });
  }

  private void show(String segment) {
    progress.at(segment, passed + passedHere, total);
  }

  private boolean isGone(SegmentInfo segment) throws IOException {
    try {
      directory.fileLength(segment.name + ".si");
      return false;
    } catch (NoSuchFileException | FileNotFoundException e) {
      return true;
    }
  }

  /** Returns the device's message if the device failed. */
  private static String reason(Exception e) {
    return e.getCause() instanceof OffloadException device ? device.getMessage() : e.getMessage();
  }
}
