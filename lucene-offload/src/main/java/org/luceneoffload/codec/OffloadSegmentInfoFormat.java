/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.Set;
import org.apache.lucene.codecs.SegmentInfoFormat;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.luceneoffload.store.image.ImageFiles;

/**
 * Segment infos in which a derived file that is missing is not listed: a term hash, the stub of an
 * image, or what says which columns there are. Lucene asks for the files that a segment lists, to
 * check, copy, sync or delete them, and takes a segment without one of them for damaged; but a
 * segment is complete without these. What is written is what {@code delegate} writes.
 */
public final class OffloadSegmentInfoFormat extends SegmentInfoFormat {
  private final SegmentInfoFormat delegate;

  /** A format that reads and writes with {@code delegate}. */
  public OffloadSegmentInfoFormat(SegmentInfoFormat delegate) {
    this.delegate = delegate;
  }

  @Override
  public SegmentInfo read(Directory directory, String name, byte[] id, IOContext context)
      throws IOException {
    SegmentInfo info = delegate.read(directory, name, id, context);
    Set<String> files = new HashSet<>(info.files());
    boolean missing = false;
    for (String file : info.files()) {
      if (ImageFiles.isDerived(file) && isMissing(directory, file)) {
        files.remove(file);
        missing = true;
      }
    }
    if (missing) {
      info.setFiles(files);
    }
    return info;
  }

  /** Returns the files that a segment lists, those included that are missing. */
  public static Set<String> listedFiles(SegmentInfo info) throws IOException {
    return info.getCodec().segmentInfoFormat() instanceof OffloadSegmentInfoFormat ours
        ? ours.delegate.read(info.dir, info.name, info.getId(), IOContext.READONCE).files()
        : info.files();
  }

  private static boolean isMissing(Directory directory, String file) {
    try {
      directory.fileLength(file);
      return false;
    } catch (NoSuchFileException | FileNotFoundException e) {
      return true;
    } catch (IOException e) {
      return false; // there, and in trouble: whoever reads it is told
    }
  }

  @Override
  public void write(Directory directory, SegmentInfo info, IOContext context) throws IOException {
    delegate.write(directory, info, context);
  }
}
