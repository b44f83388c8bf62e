/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.CompoundDirectory;
import org.apache.lucene.codecs.CompoundFormat;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.store.image.ImageInput;
import org.luceneoffload.wire.OffloadException;

/**
 * Compound files that leave images outside: a device can use an image only where it lies in whole
 * pages. The other files go into the stock compound file; an image {@code X.odp} becomes a file
 * {@code Xc.odp} of the segment, and {@code X.odv} {@code X_c_0.odv}, in the volume without being
 * copied.
 */
public final class OffloadCompoundFormat extends CompoundFormat {
  private final CompoundFormat delegate;

  /** A format that packs everything but images with {@code delegate}. */
  public OffloadCompoundFormat(CompoundFormat delegate) {
    this.delegate = delegate;
  }

  /** Returns what to do about a codec that packs images with the other files of a segment. */
  static String notUsedBy(Codec codec) {
    return "codec "
        + codec.getName()
        + " copies posting images into compound files, where no device can use them: build it with"
        + " OffloadCodec, or return new OffloadCompoundFormat(...) from its compoundFormat(); import"
        + " makes lists for the segments that are packed";
  }

  @Override
  public CompoundDirectory getCompoundReader(Directory dir, SegmentInfo si) throws IOException {
    return delegate.getCompoundReader(dir, si);
  }

  @Override
  public void write(Directory dir, SegmentInfo si, IOContext context) throws IOException {
    Set<String> images = new TreeSet<>();
    Set<String> packed = new HashSet<>();
    for (String file : si.files()) {
      (ImageFiles.isImage(file) ? images : packed).add(file);
    }
    if (images.isEmpty()) {
      delegate.write(dir, si, context);
      return;
    }
    SegmentInfo rest =
        new SegmentInfo(
            si.dir,
            si.getVersion(),
            si.getMinVersion(),
            si.name,
            si.maxDoc(),
            si.getUseCompoundFile(),
            si.getHasBlocks(),
            si.getCodec(),
            si.getDiagnostics(),
            si.getId(),
            si.getAttributes(),
            si.getIndexSort());
    rest.setFiles(packed);
    delegate.write(dir, rest, context);
    for (String image : images) {
      carryOver(dir, image, ImageFiles.compoundName(image), context);
    }
  }

  private static void carryOver(Directory dir, String image, String target, IOContext context)
      throws IOException {
    ImageDirectory directory = ImageDirectory.find(dir);
    boolean ours = directory != null && directory.images() != null && isOnDevice(dir, image);
    if (ours && directory.whyNoImages() == null) {
      // Through the directory that was given, which keeps book of what is created.
      try (IndexOutput out = dir.createOutput(target, context)) {
        directory.images().writeLink(image, out);
      }
      if (isOnDevice(dir, target)) {
        return;
      }
      // A cache on the way holds the link back, but what it refers to is deleted soon.
      dir.deleteFile(target);
    }
    try {
      dir.copyFrom(dir, image, target, context);
    } catch (OffloadException e) {
      if (!ours || directory.options().strict()) {
        throw e;
      }
      // The image cannot be read; the segment does without.
      try (IndexOutput out = dir.createOutput(target, context)) {
        directory.images().writeGivenUp(image, out);
      }
    }
  }

  private static boolean isOnDevice(Directory dir, String name) throws IOException {
    try (IndexInput in = dir.openInput(name, IOContext.READONCE)) {
      return FilterIndexInput.unwrap(in) instanceof ImageInput;
    }
  }
}
