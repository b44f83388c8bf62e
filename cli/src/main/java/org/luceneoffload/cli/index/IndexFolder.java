/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.index;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.IndexWriter;

/** Tells the files of an index from others that lie in the same folder. */
final class IndexFolder {
  /** Extensions of Lucene's segment files, and of those of the offload codec. */
  private static final Set<String> EXTENSIONS =
      Set.of(
          "cfe", "cfs", "doc", "dvd", "dvm", "dvs", "fdm", "fdt", "fdx", "fnm", "kdd", "kdi", "kdm",
          "liv", "nvd", "nvm", "odc", "odh", "odm", "odp", "odv", "pay", "pos", "psm", "si", "tim",
          "tip", "tmd", "tmp", "tvd", "tvm", "tvx", "vec", "vem", "vemf", "vemq", "veq", "vex");

  /** Segment lists, and what the offload codec and its devices keep beside segments. */
  private static final Pattern OTHERS =
      Pattern.compile(
          "(pending_)?segments_[0-9a-z]+|offload\\.vol(\\.idx)?|offload-.*\\.od[hmpv]|"
              + Pattern.quote(IndexWriter.WRITE_LOCK_NAME));

  private IndexFolder() {}

  /**
   * Returns a file that an index being made in the folder could not live with, or null. In a folder
   * without an index that is every file but what a run that was killed leaves behind; in a folder
   * with one, every file that Lucene would take for its own and delete.
   *
   * @param hasIndex whether the folder holds an index
   */
  static Path foreignFile(Path folder, boolean hasIndex) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        boolean wouldBeDeleted =
            IndexFileNames.CODEC_FILE_PATTERN.matcher(file.getFileName().toString()).matches();
        if ((wouldBeDeleted || !hasIndex) && !isOfIndex(file)) {
          return file;
        }
      }
    }
    return null;
  }

  /**
   * Returns whether a file is one of an index, by its name and, for segment files, its first bytes.
   */
  static boolean isOfIndex(Path file) throws IOException {
    String name = file.getFileName().toString();
    if (OTHERS.matcher(name).matches()) {
      return Files.isRegularFile(file);
    }
    return IndexFileNames.CODEC_FILE_PATTERN.matcher(name).matches()
        && EXTENSIONS.contains(IndexFileNames.getExtension(name))
        && Files.isRegularFile(file)
        && beginsAsLuceneDoes(file);
  }

  /**
   * Returns whether a file begins as Lucene's do. An empty one counts: a run may be killed before
   * it writes a file's first bytes.
   */
  private static boolean beginsAsLuceneDoes(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] head = in.readNBytes(Integer.BYTES);
      return head.length == 0
          || head.length == Integer.BYTES
              && ByteBuffer.wrap(head).getInt() == CodecUtil.CODEC_MAGIC;
    }
  }
}
