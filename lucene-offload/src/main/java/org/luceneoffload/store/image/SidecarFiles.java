/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.store.image;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.StringHelper;
import org.luceneoffload.util.CauseLog;

/**
 * The files that lie beside segments: Lucene knows nothing of them, so they are deleted here when
 * their segment is gone. {@link ImageFiles} says how they are called.
 */
public final class SidecarFiles {
  private static final String SEGMENT_INFO = ".si";

  private SidecarFiles() {}

  /** Returns the IDs, in hexadecimal, of the segments that anything lies beside. */
  public static Set<String> ids(Directory directory) throws IOException {
    Set<String> ids = new TreeSet<>();
    for (String name : directory.listAll()) {
      String id = ImageFiles.sidecarId(name);
      if (id != null) {
        ids.add(id);
      }
    }
    return ids;
  }

  /**
   * Deletes all files beside a segment, and the images.
   *
   * @param directory routes images, or else only stubs are deleted
   */
  public static void delete(Directory directory, String segmentId) throws IOException {
    deleteLists(directory, segmentId);
    deleteColumns(directory, HexFormat.of().parseHex(segmentId));
  }

  /** Deletes the lists beside a segment alone; see {@link #delete}. */
  public static void deleteLists(Directory directory, String segmentId) throws IOException {
    // The stub first: what is without it is not there.
    deleteIfThere(directory, ImageFiles.sidecarImage(segmentId));
    deleteIfThere(directory, ImageFiles.sidecarHash(segmentId));
  }

  /** Deletes the columns beside a segment alone; see {@link #delete}. */
  public static void deleteColumns(Directory directory, byte[] segmentId) throws IOException {
    deleteIfThere(directory, ImageFiles.sidecarColumnImage(segmentId));
    deleteIfThere(directory, ImageFiles.sidecarColumns(segmentId));
  }

  private static void deleteIfThere(Directory directory, String name) throws IOException {
    try {
      directory.deleteFile(name);
    } catch (NoSuchFileException | FileNotFoundException e) {
      // Not there.
    }
  }

  /**
   * Deletes what lies beside segments that no commit has, and what a crash left of an import. Of
   * columns, one file without the other stays: it tells a repair that there were some. To be called
   * while nothing is imported.
   *
   * @param directory routes images
   * @return how many segments' files were deleted
   */
  public static int deleteOrphans(Directory directory) throws IOException {
    List<String> names = List.of(directory.listAll());
    for (String replacement : ImageFiles.REPLACEMENTS) {
      if (names.contains(replacement)) {
        deleteIfThere(directory, replacement);
      }
    }
    Set<String> ids = ids(directory);
    Set<String> committed = ids.isEmpty() ? null : committedIds(directory, names);
    if (committed == null) {
      return 0; // better to keep too much
    }
    int deleted = 0;
    for (String id : ids) {
      boolean image = names.contains(ImageFiles.sidecarImage(id));
      boolean hash = names.contains(ImageFiles.sidecarHash(id));
      if (!committed.contains(id)) {
        delete(directory, id);
        deleted++;
      } else if (image != hash) {
        deleteLists(directory, id);
        deleted++;
      }
    }
    return deleted;
  }

  /** Returns the IDs of the segments of all commits; null if one cannot be read. */
  private static Set<String> committedIds(Directory directory, List<String> names) {
    Set<String> ids = new HashSet<>();
    try {
      for (String name : names) {
        if (name.startsWith(IndexFileNames.SEGMENTS + "_")) {
          for (SegmentCommitInfo segment : SegmentInfos.readCommit(directory, name)) {
            ids.add(HexFormat.of().formatHex(segment.info.getId()));
          }
        }
      }
      return ids;
    } catch (IndexNotFoundException e) {
      return ids;
    } catch (IOException | IllegalArgumentException e) {
      // Damaged, or written by a codec that is not on the class path.
      CauseLog.warn(
          "commits not readable",
          directory.toString(),
          "device lists of segments that are gone may remain: a commit cannot be read: "
              + e.getMessage());
      return null;
    }
  }

  /**
   * Returns the ID of the segment of which a file that is about to be deleted is the last one can
   * read.
   *
   * @return in hexadecimal; null if the file is another, or nothing lies beside the segment
   */
  public static String ofDeleted(Directory directory, String name) {
    if (!name.endsWith(SEGMENT_INFO)
        || !IndexFileNames.CODEC_FILE_PATTERN.matcher(name).matches()) {
      return null;
    }
    try (IndexInput in = directory.openInput(name, IOContext.READONCE)) {
      CodecUtil.readBEInt(in); // magic
      in.readString(); // codec
      CodecUtil.readBEInt(in); // version
      byte[] id = new byte[StringHelper.ID_LENGTH];
      in.readBytes(id, 0, id.length);
      String hex = HexFormat.of().formatHex(id);
      return isThere(directory, ImageFiles.sidecarHash(hex))
              || isThere(directory, ImageFiles.sidecarColumns(id))
          ? hex
          : null;
    } catch (IOException | RuntimeException e) {
      return null;
    }
  }

  private static boolean isThere(Directory directory, String name) throws IOException {
    try {
      directory.fileLength(name);
      return true;
    } catch (NoSuchFileException | FileNotFoundException e) {
      return false;
    }
  }
}
