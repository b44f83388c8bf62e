/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.maintain;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.TrackingDirectoryWrapper;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.codec.Sidecars;

/**
 * Makes an index one that stock Lucene reads without this library: its segments of {@link
 * OffloadCodec} are written once more beside the old ones, a commit names the new ones, and only
 * then do the old ones go, with all earlier commits. A crash leaves the old commit or the new one,
 * and files that the next run or the next index writer removes.
 */
final class StockRewrite {
  private final OffloadDirectory directory;
  private final List<String> leftOut;
  private SegmentInfos infos; // of the latest commit
  private boolean anyOurs;

  /**
   * Prepares.
   *
   * @param directory the index, whose write lock is held
   * @param leftOut told which old files could not be removed
   */
  StockRewrite(OffloadDirectory directory, List<String> leftOut) {
    this.directory = directory;
    this.leftOut = leftOut;
  }

  /**
   * Writes the latest commit anew; the files of the old one stay.
   *
   * @return how many segments were written; 0 if it has none of our codec
   * @throws IOException if it cannot be done; the index is then as it was
   */
  int commit() throws IOException {
    infos = SegmentInfos.readLatestCommit(directory);
    Set<String> inUse = new HashSet<>();
    for (String file : directory.listAll()) {
      if (isCommit(file)) {
        SegmentInfos commit = SegmentInfos.readCommit(directory, file);
        inUse.addAll(commit.files(true));
        anyOurs |= isAnyOurs(commit);
      }
    }
    deleteAllBut(inUse);
    return rewrite();
  }

  /** Deletes the files of earlier commits, if there are any of our codec. */
  void deleteOld() throws IOException {
    if (anyOurs) {
      deleteAllBut(infos.files(true));
    }
  }

  private static boolean isCommit(String file) {
    return file.startsWith(IndexFileNames.SEGMENTS);
  }

  private static boolean isAnyOurs(SegmentInfos commit) {
    return commit.asList().stream()
        .anyMatch(segment -> segment.info.getCodec() instanceof OffloadCodec);
  }

  private int rewrite() throws IOException {
    TrackingDirectoryWrapper out = new TrackingDirectoryWrapper(directory);
    try {
      int rewritten = 0;
      List<SegmentCommitInfo> segments = new ArrayList<>(infos.asList());
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        for (LeafReaderContext leaf : reader.leaves()) {
          SegmentReader segment = Sidecars.segment(leaf.reader());
          if (StockSegment.isOurs(segment)) {
            StockSegment copy = new StockSegment(segment, newName(), directory);
            segments.set(leaf.ord, copy.write(out));
            rewritten++;
          }
        }
      }
      if (rewritten > 0) {
        infos.clear();
        infos.addAll(segments);
        infos.changed();
        out.sync(out.getCreatedFiles());
        infos.commit(directory);
      }
      return rewritten;
    } catch (Throwable t) {
      IOUtils.deleteFilesIgnoringExceptions(directory, out.getCreatedFiles());
      throw t;
    }
  }

  /** Returns a name that no file of a segment begins with, nor ever did in a commit. */
  private String newName() throws IOException {
    String[] files = directory.listAll();
    while (true) {
      String name = "_" + Long.toString(infos.counter++, Character.MAX_RADIX);
      if (Arrays.stream(files)
          .noneMatch(file -> IndexFileNames.parseSegmentName(file).equals(name))) {
        return name;
      }
    }
  }

  /** Deletes the files of an index that are not to be kept, commits before what they name. */
  private void deleteAllBut(Collection<String> kept) throws IOException {
    List<String> files = new ArrayList<>();
    for (String file : directory.listAll()) {
      if (kept.contains(file)) {
        continue;
      }
      if (isCommit(file) || file.startsWith(IndexFileNames.PENDING_SEGMENTS)) {
        files.addFirst(file);
      } else if (IndexFileNames.CODEC_FILE_PATTERN.matcher(file).matches()) {
        files.add(file);
      }
    }
    for (String file : files) {
      try {
        directory.deleteFile(file);
      } catch (IOException | AlreadyClosedException e) {
        leftOut.add(file + ": " + e.getMessage());
      }
    }
  }
}
