/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec.column;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.lucene.codecs.DocValuesProducer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.luceneoffload.codec.ImageWriter;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageFiles;

/**
 * A column image and the file that says which columns it holds, of a segment that exists: written
 * to take the place of what is there now, if anything is. Both are whole and durable before the
 * first of them takes its place. A crash between the two leaves files of different stamps, which
 * are not used, and are repaired.
 *
 * @param image name of the image
 * @param metadata name of the other file
 * @param segmentId ID of the segment
 * @param suffix segment suffix in the headers of both
 */
record ColumnFiles(String image, String metadata, byte[] segmentId, String suffix) {
  /**
   * The values of a column to be written.
   *
   * @param source what {@link ColumnSource} says of them
   */
  record Values(FieldInfo field, DocValuesProducer from, long source) {}

  /**
   * Writes the files.
   *
   * @param directory the directory of the segment, with a device that can be written
   * @param fields those that are to have columns
   * @param listener told after each of them
   * @return null if none of them can have a column; nothing is changed then
   * @throws IOException if it cannot be done
   */
  ImageWriter.Written write(ImageDirectory directory, List<Values> fields, Runnable listener)
      throws IOException {
    boolean done = false;
    try {
      List<ColumnEntry> entries = new ArrayList<>();
      ImageWriter.Written written;
      try (Lazy out = new Lazy(directory)) {
        for (Values field : fields) {
          ColumnValues values = ColumnValues.of(field.field, field.from);
          ColumnEntry column = values.next() ? out.begun().add(field.field, values) : null;
          if (column != null) {
            entries.add(column.withSource(field.source));
          }
          listener.run();
        }
        if (entries.isEmpty()) {
          return null;
        }
        writeMetadata(directory, out.image.stamp(), entries);
        written = ImageWriter.Written.columns(entries.size(), out.image.pages(), out.image.bytes());
      }
      directory.images().replace(image);
      directory.images().moveDurably(ImageFiles.COLUMNS_REPLACEMENT, metadata);
      done = true;
      return written;
    } finally {
      if (!done) {
        directory.images().deleteReplacement();
        deleteMetadataReplacement(directory);
      }
    }
  }

  /** Writes that there are no columns. */
  void writeNone(ImageDirectory directory) throws IOException {
    try {
      writeMetadata(directory, ImageFiles.randomNumber(), List.of());
      directory.images().moveDurably(ImageFiles.COLUMNS_REPLACEMENT, metadata);
    } catch (Throwable t) {
      deleteMetadataReplacement(directory);
      throw t;
    }
  }

  private void writeMetadata(ImageDirectory directory, long stamp, List<ColumnEntry> entries)
      throws IOException {
    deleteMetadataReplacement(directory);
    String name = ImageFiles.COLUMNS_REPLACEMENT;
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      ColumnMetadata.write(out, segmentId, suffix, stamp, entries);
    }
    directory.sync(Set.of(name));
  }

  private static void deleteMetadataReplacement(ImageDirectory directory) throws IOException {
    try {
      directory.deleteFile(ImageFiles.COLUMNS_REPLACEMENT);
    } catch (NoSuchFileException | FileNotFoundException e) {
      // Not there.
    }
  }

  /** The image, begun with the first column: there may be none. */
  private final class Lazy implements AutoCloseable {
    private final ImageDirectory directory;
    private ColumnOutput image;

    Lazy(ImageDirectory directory) {
      this.directory = directory;
    }

    ColumnOutput begun() throws IOException {
      if (image == null) {
        image =
            ColumnOutput.on(
                directory.images().createReplacement(0),
                ImageFiles.randomNumber(),
                segmentId,
                suffix);
      }
      return image;
    }

    @Override
    public void close() throws IOException {
      if (image != null) {
        image.close();
      }
    }
  }
}
