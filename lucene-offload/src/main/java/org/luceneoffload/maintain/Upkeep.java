/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.maintain;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedSet;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.store.AlreadyClosedException;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.ImageWriter;
import org.luceneoffload.codec.SegmentImage;
import org.luceneoffload.codec.SegmentLists;
import org.luceneoffload.codec.Sidecars;
import org.luceneoffload.codec.column.ImportedColumns;
import org.luceneoffload.codec.column.SegmentColumns;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.SidecarFiles;
import org.luceneoffload.wire.OffloadException;

/** One run over the segments of an index: what import and repair share. */
abstract class Upkeep {
  /** Runs take turns: each deletes what looks as if an earlier one had left it. */
  static final Object ONE_AT_A_TIME = new Object();

  final OffloadDirectory directory;
  private final MaintenanceProgress progress;
  private final List<String> leftOut = new ArrayList<>();
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
    checkWritable(directory);
    long start = System.nanoTime();
    synchronized (ONE_AT_A_TIME) {
      SidecarFiles.deleteOrphans(directory);
      // A reader of its own: what it finds damaged does not disturb those that are in use.
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        List<LeafReaderContext> leaves = reader.leaves();
        for (LeafReaderContext leaf : leaves) {
          total += SegmentLists.of(segment(leaf), false).postings();
        }
        for (LeafReaderContext leaf : leaves) {
          passedHere = 0;
          SegmentReader segment = segment(leaf);
          SegmentLists state = SegmentLists.of(segment, verifies());
          upkeep(segment, state, SegmentColumns.of(segment, verifies()));
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
            List.copyOf(leftOut));
      } finally {
        Sidecars.changed();
      }
    }
  }

  private static SegmentReader segment(LeafReaderContext leaf) {
    return Sidecars.segment(leaf.reader());
  }

  /** Returns whether lists and columns are read to find damage. */
  abstract boolean verifies();

  /** Does what a segment needs. */
  abstract void upkeep(SegmentReader reader, SegmentLists lists, SegmentColumns lostColumns)
      throws IOException;

  /** Counts a segment that needed nothing. */
  final void countPresent() {
    present++;
  }

  /** Writes lists, and columns, beside a segment. */
  final void writeBeside(SegmentReader reader, SortedSet<String> fields) {
    SegmentInfo segment = reader.getSegmentInfo().info;
    write(
        reader,
        () -> {
          ImageWriter.Written done = writeBesideOnce(reader, fields);
          if (isGone(segment)) {
            SidecarFiles.delete(directory, HexFormat.of().formatHex(segment.getId()));
            throw new IOException("an index writer has merged it away meanwhile");
          }
          return done;
        });
  }

  /** Writes lists alone where columns find no room beside them. */
  private ImageWriter.Written writeBesideOnce(SegmentReader reader, SortedSet<String> fields)
      throws IOException {
    ImageDirectory images = ImageDirectory.find(directory);
    try {
      return writer(reader).writeSidecar(fields, () -> ImportedColumns.write(reader, images));
    } catch (IOException | AlreadyClosedException e) {
      passedHere = 0;
      ImageWriter.Written lists =
          writer(reader).writeSidecar(fields, () -> ImageWriter.Written.columns(0, 0, 0));
      recordSkipped(reader.getSegmentName(), "no columns: " + reason(e));
      return lists;
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

  /** Writes the column images of a segment that it has lost. */
  final void rewriteColumns(SegmentReader reader, SegmentColumns lost) {
    write(reader, () -> lost.rewrite(ImageDirectory.find(directory)));
  }

  /** Writes something of a segment. */
  @FunctionalInterface
  private interface Step {
    /** Returns null if nothing was written, and something else will be. */
    ImageWriter.Written write() throws IOException;
  }

  private void write(SegmentReader reader, Step step) {
    String name = reader.getSegmentName();
    try {
      ImageWriter.Written done = step.write();
      if (done == null) {
        return;
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
    } catch (IOException | AlreadyClosedException e) {
      recordSkipped(name, reason(e));
    }
  }

  final void recordSkipped(String segment, String reason) {
    leftOut.add("segment " + segment + ": " + reason);
  }

  private ImageWriter writer(SegmentReader reader) {
    String name = reader.getSegmentName();
    return new ImageWriter(
        reader,
        ImageDirectory.find(directory),
        more -> {
          passedHere += more;
          progress.at(name, passed + passedHere, total);
        });
  }

  private boolean isGone(SegmentInfo segment) throws IOException {
    try {
      directory.fileLength(segment.name + ".si");
      return false;
    } catch (@SuppressWarnings("unused") NoSuchFileException | FileNotFoundException e) {
      return true;
    }
  }

  /** Returns the device's message if the device failed. */
  private static String reason(Exception e) {
    return e.getCause() instanceof OffloadException device ? device.getMessage() : e.getMessage();
  }
}
