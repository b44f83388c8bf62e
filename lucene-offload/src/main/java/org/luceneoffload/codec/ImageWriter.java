/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.codec;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.function.LongConsumer;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.luceneoffload.codec.position.PositionListWriter;
import org.luceneoffload.codec.position.PositionedFields;
import org.luceneoffload.codec.term.OffloadTermState;
import org.luceneoffload.codec.term.TermHash;
import org.luceneoffload.codec.term.TermHashWriter;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.store.image.ImageFiles;
import org.luceneoffload.store.image.ImageStore;
import org.luceneoffload.store.image.SidecarFiles;

/**
 * Writes images and term hashes of segments that exist, from their stock postings and dictionary:
 * beside the segment, or in the place of those that it was written with. Nothing is seen of a file
 * before it is whole and durable. One at a time in a directory.
 */
public final class ImageWriter {
  /**
   * What was written.
   *
   * @param lists lists, those of one posting included
   * @param postings postings in them
   * @param pages posting or column pages
   * @param bytes bytes on the device
   * @param hashes term hashes written in the places of lost ones
   * @param columns columns
   * @param leftOut fields that have too many terms
   */
  public record Written(
      long lists,
      long postings,
      long pages,
      long bytes,
      int hashes,
      int columns,
      List<String> leftOut) {
    /** Returns what was written of columns alone. */
    public static Written columns(int columns, long pages, long bytes) {
      return new Written(0, 0, pages, bytes, 0, columns, List.of());
    }
  }

  private final SegmentReader reader;
  private final SegmentInfo segment;
  private final ImageDirectory directory;
  private final ImageStore images;
  private final LongConsumer listener;

  /**
   * A writer for a segment.
   *
   * @param directory the directory of the segment, with a device that can be written
   * @param listener told of postings as they are written
   */
  public ImageWriter(SegmentReader reader, ImageDirectory directory, LongConsumer listener) {
    this.reader = reader;
    this.segment = reader.getSegmentInfo().info;
    this.directory = directory;
    this.images = directory.images();
    this.listener = listener;
  }

  /**
   * Writes an image beside the segment, and its term hash; what lay there before is deleted.
   *
   * @param fields names of the fields
   * @throws IOException if it cannot be done; then no lists lie beside the segment
   */
  public Written writeSidecar(SortedSet<String> fields) throws IOException {
    byte[] id = segment.getId();
    String hashName = ImageFiles.sidecarHash(id);
    long stamp = ImageFiles.randomNumber();
    SidecarFiles.deleteLists(directory, HexFormat.of().formatHex(id));
    try {
      Written written;
      PositionedFields positioned =
          PositionedFields.of(
              reader.getFieldInfos(),
              name -> fields.contains(name) && directory.options().positions().test(name));
      IndexOutput out = images.createReplacement(expectedBytes());
      try (DeviceListWriter lists =
          DeviceListWriter.on(out, stamp, positions(stamp, positioned), id, Sidecar.SUFFIX)) {
        written = writeHashed(fields, positioned, hashName, stamp, lists);
      }
      directory.sync(Set.of(hashName));
      images.replace(ImageFiles.sidecarImage(id));
      return written;
    } catch (Throwable t) {
      images.deleteReplacement();
      SidecarFiles.deleteLists(directory, HexFormat.of().formatHex(id));
      throw t;
    }
  }

  /** Takes positions, if there are any to be written. */
  private PositionListWriter positions(long stamp, PositionedFields positioned) {
    return positioned.isEmpty()
        ? null
        : new PositionListWriter(stamp, directory, IOContext.DEFAULT, segment.name);
  }

  private Written writeHashed(
      SortedSet<String> fields,
      PositionedFields positioned,
      String hashName,
      long stamp,
      DeviceListWriter lists)
      throws IOException {
    PostingsCopier copier = new PostingsCopier(reader, lists, listener);
    List<String> leftOut = new ArrayList<>();
    IndexOutput out = directory.createOutput(hashName, IOContext.DEFAULT);
    try (TermHashWriter hash =
        TermHashWriter.on(
            out, stamp, segment.getId(), Sidecar.SUFFIX, TermHash.MAX_TERMS, 0, positioned)) {
      List<FieldInfo> written = new ArrayList<>();
      for (String name : fields) {
        Terms terms = reader.terms(name);
        if (terms == null) {
          continue;
        }
        FieldInfo field = reader.getFieldInfos().fieldInfo(name);
        copier.startField(field, positioned.contains(field));
        TermsEnum at = terms.iterator();
        boolean any = false;
        while (at.next() != null) {
          hash.add(field, at.term(), copier.copy(at));
          any = true;
        }
        if (any) {
          written.add(field);
        }
      }
      hash.finish();
      for (FieldInfo field : written) {
        if (!hash.holds(field)) {
          leftOut.add(field.name);
        }
      }
    }
    copier.report();
    return written(copier, lists, leftOut);
  }

  /**
   * Writes the image that the segment's own terms dictionary leads to, anew and in its place.
   *
   * @param image the image as it is now
   * @param fields names of the fields whose lists are in it
   * @return null if the lists would lie elsewhere than the dictionary says, as after a change of
   *     how pages are filled; nothing is changed then
   * @throws IOException if it cannot be done; nothing is changed then
   */
  public Written rewrite(SegmentImage image, SortedSet<String> fields) throws IOException {
    boolean done = false;
    try {
      Written written;
      PositionedFields positioned = writtenPositions(fields);
      String suffix = ImageFiles.segmentSuffix(image.fileName());
      IndexOutput out = images.createReplacement(expectedBytes());
      try (DeviceListWriter lists =
          DeviceListWriter.on(
              out, image.stamp(), positions(image.stamp(), positioned), segment.getId(), suffix)) {
        written = rewriteLists(fields, positioned, lists);
      }
      if (written != null) {
        images.replace(image.fileName());
        done = true;
      }
      return written;
    } finally {
      if (!done) {
        images.deleteReplacement();
      }
    }
  }

  /** Returns those of a segment's own fields whose lists were written with positions. */
  private PositionedFields writtenPositions(SortedSet<String> fields) throws IOException {
    Set<String> positioned = new HashSet<>();
    for (String name : fields) {
      if (((OffloadTerms) reader.terms(name)).isPositioned()) {
        positioned.add(name);
      }
    }
    return PositionedFields.of(reader.getFieldInfos(), positioned::contains);
  }

  private Written rewriteLists(
      SortedSet<String> fields, PositionedFields positioned, DeviceListWriter lists)
      throws IOException {
    PostingsCopier copier = new PostingsCopier(reader, lists, listener);
    for (String name : fields) {
      Terms terms = reader.terms(name);
      FieldInfo field = reader.getFieldInfos().fieldInfo(name);
      copier.startField(field, positioned.contains(field));
      TermsEnum at = terms.iterator();
      while (at.next() != null) {
        if (!copier.copy(at).isSameList((OffloadTermState) at.termState())) {
          return null;
        }
      }
    }
    copier.report();
    return written(copier, lists, List.of());
  }

  /**
   * Writes the term hashes that the segment has lost, from its terms dictionary and in their
   * places.
   *
   * @throws IOException if it cannot be done; hashes that are not written yet stay as they are
   */
  public Written rewriteHashes(SegmentLists lists) throws IOException {
    for (Map.Entry<TermHash, SortedSet<String>> lost : lists.lostHashes().entrySet()) {
      rewriteHash(lost.getKey(), lost.getValue());
    }
    return new Written(0, 0, 0, 0, lists.lostHashes().size(), 0, List.of());
  }

  private void rewriteHash(TermHash lost, SortedSet<String> fields) throws IOException {
    if (segment.getUseCompoundFile()) {
      throw new IOException(
          "term hash " + lost.name() + " is in the compound file; merging makes another one");
    }
    try {
      deleteHashReplacement();
      writeHash(fields, lost.suffix());
      directory.sync(Set.of(ImageFiles.HASH_REPLACEMENT));
      images.moveDurably(ImageFiles.HASH_REPLACEMENT, lost.name());
    } catch (Throwable t) {
      deleteHashReplacement();
      throw t;
    }
  }

  private void writeHash(SortedSet<String> fields, String suffix) throws IOException {
    IndexOutput out = directory.createOutput(ImageFiles.HASH_REPLACEMENT, IOContext.DEFAULT);
    long stamp = ((OffloadTerms) reader.terms(fields.first())).image().stamp();
    try (TermHashWriter hash =
        TermHashWriter.on(
            out,
            stamp,
            segment.getId(),
            suffix,
            TermHash.MAX_TERMS,
            segment.maxDoc(),
            writtenPositions(fields))) {
      for (String name : fields) {
        FieldInfo field = reader.getFieldInfos().fieldInfo(name);
        TermsEnum at = reader.terms(name).iterator();
        while (at.next() != null) {
          hash.add(field, at.term(), (OffloadTermState) at.termState());
        }
      }
      hash.finish();
    }
  }

  private void deleteHashReplacement() throws IOException {
    try {
      directory.deleteFile(ImageFiles.HASH_REPLACEMENT);
    } catch (NoSuchFileException | FileNotFoundException e) {
      // Not there.
    }
  }

  private static Written written(
      PostingsCopier copier, DeviceListWriter lists, List<String> leftOut) throws IOException {
    lists.finish();
    long pages = lists.pages() - 1;
    return new Written(
        copier.lists(), copier.postings(), pages, lists.bytes(), 0, 0, List.copyOf(leftOut));
  }

  /** Returns an estimate; none if a file of the segment is missing, as its stub may be. */
  private long expectedBytes() {
    try {
      return reader.getSegmentInfo().sizeInBytes() / 8;
    } catch (IOException e) {
      return 0;
    }
  }
}
