/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.Terms;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.FileTypeHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOUtils;
import org.luceneoffload.codec.term.TermHash;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageFiles;

/**
 * Device lists that lie beside a segment without being part of it: those of an imported segment,
 * whose files stay as stock Lucene wrote them.
 *
 * <p>Two files, named by the segment's ID in hexadecimal, in names that Lucene does not take for
 * its own:
 *
 * <ul>
 *   <li>{@code offload-ID.odp}: a posting image as {@link Offload104PostingsFormat} describes it,
 *       on the device, with its stub in the application's directory; lists in the order of field
 *       names and terms, whatever postings formats the fields have
 *   <li>{@code offload-ID.odh}: a term hash as described there, in the application's directory. Its
 *       Stamp says which image it goes with. A field that is not in its FieldList has no device
 *       lists.
 * </ul>
 *
 * <p>Segment suffix in both headers is {@value #SUFFIX}. The hash is durable before the stub is
 * there, and the image before the stub is durable, so a stub without the others is an import that a
 * crash cut short, and the segment is imported anew.
 *
 * <p>Columns of the doc values may lie there, too, as {@code offload-ID.odv} and {@code
 * offload-ID.odm}; lists and columns do without each other.
 *
 * <p>A segment's ID goes where its core goes: lists, docs and norms of two segments with one ID are
 * the same, whatever was deleted from either.
 */
public final class Sidecar implements Closeable {
  /** Segment suffix in the headers. */
  public static final String SUFFIX = "import";

  private final SegmentImage image;
  private final TermHash hash; // null if the image cannot be used
  private final Map<Integer, OffloadTerms> terms = new ConcurrentHashMap<>();

  private Sidecar(SegmentImage image, TermHash hash) {
    this.image = image;
    this.hash = hash;
  }

  /**
   * Opens what lies beside a segment.
   *
   * @return null if the segment was not imported; else never null, but perhaps with an image that
   *     cannot be used
   * @throws AlreadyClosedException if the directory is closed, though its readers may be open
   */
  static Sidecar open(SegmentInfo segment, ImageDirectory directory) throws IOException {
    String imageName = ImageFiles.sidecarImage(segment.getId());
    try (IndexInput stub = segment.dir.openInput(imageName, IOContext.READONCE)) {
      assert stub != null;
    } catch (NoSuchFileException | FileNotFoundException e) {
      return null;
    }
    String hashName = ImageFiles.sidecarHash(segment.getId());
    TermHash hash = null;
    try {
      IndexInput in =
          segment.dir.openInput(
              hashName, IOContext.DEFAULT.withHints(FileTypeHint.INDEX, DataAccessHint.RANDOM));
      hash = TermHash.on(hashName, in, segment, SUFFIX, directory.stats());
    } catch (AlreadyClosedException e) {
      IOUtils.closeWhileSuppressingExceptions(e, hash);
      throw e;
    } catch (IOException e) {
      IOUtils.closeWhileHandlingException(hash);
      return unusable(imageName, directory, "the term hash of the import: " + e.getMessage());
    }
    try {
      SegmentImage image = SegmentImage.open(segment, imageName, SUFFIX, directory, hash.stamp());
      if (!image.usable()) {
        IOUtils.close(hash, image);
        return new Sidecar(image, null);
      }
      return new Sidecar(image, hash);
    } catch (Throwable t) {
      IOUtils.closeWhileSuppressingExceptions(t, hash);
      throw t;
    }
  }

  private static Sidecar unusable(String name, ImageDirectory directory, String reason) {
    SegmentImage image = SegmentImage.missing(name, directory.handle(), directory.options(), null);
    image.markBad(reason);
    return new Sidecar(image, null);
  }

  /** Returns the image; never null, but perhaps not usable. */
  SegmentImage image() {
    return image;
  }

  /**
   * Returns the terms of a field with their device lists.
   *
   * @param stock the field's terms, as the segment's own reader returns them
   * @return null if the field was not imported
   */
  OffloadTerms terms(FieldInfo field, Terms stock) {
    OffloadTerms known = terms.get(field.number);
    if (known != null) {
      return known;
    }
    TermHash.Field hashed = hash == null ? null : hash.field(field.number);
    if (hash != null && hashed == null) {
      return null;
    }
    return terms.computeIfAbsent(
        field.number,
        unused ->
            new OffloadTerms(
                stock, image, hash, hashed, true, hashed != null && hashed.hasPositions()));
  }

  /** Verifies the checksums of both files; damage of either gives the image up. */
  void checkIntegrity() throws IOException {
    if (hash != null) {
      hash.checkIntegrity();
      if (hash.unusableReason() != null) {
        image.markBad("the term hash of the import: " + hash.unusableReason());
      }
    }
    image.checkIntegrity();
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(hash, image);
  }

  @Override
  public String toString() {
    return "Sidecar(" + image + ")";
  }
}
