/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.luceneoffload.store.image.ImageFiles;

/**
 * Which doc values of a field a column beside a segment was made of. The segment's ID stands for
 * those that it was written with. An update of a field writes a generation of them, in files whose
 * names tell its number; but a writer that goes back to an earlier commit counts on from there, and
 * may give the same number to other values. So names, lengths and checksums of the files stand for
 * a generation.
 */
final class ColumnSource {
  /** The source that the segment was written with. */
  static final long SEGMENT = 0;

  private static final long NEVER_UPDATED = -1;

  private ColumnSource() {}

  /** Returns whether a field's doc values are still those that the segment was written with. */
  static boolean isSegment(FieldInfo field) {
    return field.getDocValuesGen() == NEVER_UPDATED;
  }

  /**
   * Returns the source of the doc values that a reader shows; equal for equal values only.
   *
   * @param field a field of {@code reader}
   * @throws IOException if the files of the generation cannot be read, or tell no checksum
   */
  static long of(SegmentReader reader, FieldInfo field) throws IOException {
    if (isSegment(field)) {
      return SEGMENT;
    }
    SegmentCommitInfo commit = reader.getSegmentInfo();
    Set<String> files = new TreeSet<>();
    Set<String> listed = commit.getDocValuesUpdatesFiles().get(field.number);
    if (listed != null) {
      files.addAll(listed);
      files.removeIf(ImageFiles::isDerived);
    }
    if (files.isEmpty()) {
      throw new FileNotFoundException(
          "generation " + field.getDocValuesGen() + " of field " + field.name + " has no files");
    }
    MessageDigest digest = sha256();
    digest.update(field.name.getBytes(StandardCharsets.UTF_8));
    digest.update(ByteBuffer.allocate(Long.BYTES).putLong(0, field.getDocValuesGen()));
    for (String name : files) {
      digest.update(name.getBytes(StandardCharsets.UTF_8));
      try (IndexInput file = commit.info.dir.openInput(name, IOContext.DEFAULT)) {
        digest.update(
            ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(0, file.length())
                .putLong(Long.BYTES, CodecUtil.retrieveChecksum(file)));
      }
    }
    long source = ByteBuffer.wrap(digest.digest()).getLong();
    return source == SEGMENT ? 1 : source;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e); // every Java has it
    }
  }
}
