/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.maintain;

import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FieldsConsumer;
import org.apache.lucene.codecs.FieldsProducer;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.codecs.PostingsFormat;
import org.apache.lucene.codecs.lucene104.Lucene104PostingsFormat;
import org.apache.lucene.codecs.perfield.PerFieldPostingsFormat;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.Fields;
import org.apache.lucene.index.FilterLeafReader;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SegmentReader;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.Terms;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.TrackingDirectoryWrapper;
import org.apache.lucene.util.InfoStream;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.codec.Offload104PostingsFormat;
import org.luceneoffload.codec.OffloadTerms;
import org.luceneoffload.store.image.ImageFiles;

/**
 * A segment of {@link OffloadCodec}, written once more under another name and by the codec below.
 * Postings with device lists are written anew by stock Lucene's format; every other file is copied,
 * so that doc IDs, deletes, updates and the segment's ID stay.
 */
final class StockSegment {
  private static final String OURS = new Offload104PostingsFormat().getName();
  private static final String FORMAT = PerFieldPostingsFormat.PER_FIELD_FORMAT_KEY;
  private static final String SUFFIX = PerFieldPostingsFormat.PER_FIELD_SUFFIX_KEY;

  private final SegmentReader reader;
  private final SegmentCommitInfo old;
  private final Codec codec;
  private final Codec target;
  private final Directory directory;
  private final SegmentInfo segment;
  private final FieldInfos fields;
  private final Set<String> ours = new TreeSet<>(); // names of fields
  private final Set<String> ourSuffixes = new TreeSet<>(); // of files
  private final String suffix;

  /**
   * Prepares.
   *
   * @param reader of the segment as it is
   * @param name of the new segment
   * @param directory the segment's directory, and the new one's
   * @throws IOException if the codec below cannot read what is to be written
   */
  StockSegment(SegmentReader reader, String name, Directory directory) throws IOException {
    this.reader = reader;
    this.old = reader.getSegmentInfo();
    this.codec = old.info.getCodec();
    this.target = targetOf(codec);
    this.directory = directory;
    SegmentInfo info = old.info;
    this.segment =
        new SegmentInfo(
            directory,
            info.getVersion(),
            info.getMinVersion(),
            name,
            info.maxDoc(),
            info.getUseCompoundFile(),
            info.getHasBlocks(),
            target,
            info.getDiagnostics(),
            info.getId(),
            info.getAttributes(),
            info.getIndexSort());
    try (Directory packed = openPacked()) {
      fields = codec.fieldInfosFormat().read(source(packed), info, "", IOContext.READONCE);
    }
    int free = 0;
    for (FieldInfo field : fields) {
      String format = field.getAttribute(FORMAT);
      if (OURS.equals(format)) {
        ours.add(field.name);
        ourSuffixes.add("_" + OURS + "_" + field.getAttribute(SUFFIX));
      } else if (Stock.NAME.equals(format)) {
        free = Math.max(free, 1 + Integer.parseInt(field.getAttribute(SUFFIX)));
      }
    }
    suffix = Integer.toString(free);
  }

  /** Stock Lucene's format of postings; the one that ours takes the place of. */
  private static final class Stock {
    static final PostingsFormat FORMAT = new Lucene104PostingsFormat();
    static final String NAME = FORMAT.getName();
  }

  private static Codec targetOf(Codec codec) throws IOException {
    Codec below = ((OffloadCodec) codec).delegate();
    if (!(below.postingsFormat() instanceof PerFieldPostingsFormat)) {
      throw new IOException(
          "codec " + below.getName() + " does not choose postings formats by field");
    }
    if (!Codec.availableCodecs().contains(below.getName())) {
      throw new IOException(
          "Lucene finds no codec "
              + below.getName()
              + ": name it in META-INF/services/org.apache.lucene.codecs.Codec");
    }
    return below;
  }

  /**
   * Returns whether a segment can only be read with our codec.
   *
   * @throws IOException if it has our postings format, but under a codec of the application's
   */
  static boolean isOurs(SegmentReader reader) throws IOException {
    Codec codec = reader.getSegmentInfo().info.getCodec();
    if (codec instanceof OffloadCodec) {
      return true;
    }
    for (FieldInfo field : reader.getFieldInfos()) {
      if (OURS.equals(field.getAttribute(FORMAT))
          || reader.terms(field.name) instanceof OffloadTerms) {
        throw new IOException(
            "segment "
                + reader.getSegmentName()
                + " is of codec "
                + codec.getName()
                + ", which is no OffloadCodec but uses its postings format");
      }
    }
    return false;
  }

  /**
   * Writes the segment; nothing is synced.
   *
   * @param out where all files are created; a wrapper of the directory
   */
  SegmentCommitInfo write(Directory out) throws IOException {
    TrackingDirectoryWrapper core = new TrackingDirectoryWrapper(out);
    try (Directory packed = openPacked()) {
      Directory source = source(packed);
      for (String file :
          packed != null ? packed.listAll() : old.info.files().toArray(new String[0])) {
        if (isCopied(file)) {
          core.copyFrom(source, file, renamed(file), IOContext.DEFAULT);
        }
      }
    }
    if (!ours.isEmpty()) {
      writePostings(core);
    }
    writeFields(fields, core, "");
    segment.setFiles(core.getCreatedFiles());
    if (segment.getUseCompoundFile()) {
      pack(core.getCreatedFiles(), out);
    }
    target.segmentInfoFormat().write(out, segment, IOContext.DEFAULT);
    return writeGenerations(out);
  }

  private Directory openPacked() throws IOException {
    return old.info.getUseCompoundFile()
        ? codec.compoundFormat().getCompoundReader(directory, old.info)
        : null;
  }

  private Directory source(Directory packed) {
    return packed != null ? packed : directory;
  }

  private String renamed(String file) {
    return segment.name + IndexFileNames.stripSegmentName(file);
  }

  private boolean isCopied(String file) {
    String extension = IndexFileNames.getExtension(file);
    return !"si".equals(extension)
        && !"fnm".equals(extension)
        && !ImageFiles.isDerived(file)
        && !ourSuffixes.contains(
            IndexFileNames.stripExtension(IndexFileNames.stripSegmentName(file)));
  }

  /** Writes the postings through the stock part of our format, which is verified before. */
  private void writePostings(Directory out) throws IOException {
    FieldsProducer all = reader.getPostingsReader().getMergeInstance();
    all.checkIntegrity();
    NormsProducer norms = reader.getNormsReader();
    if (norms != null) {
      norms = norms.getMergeInstance();
      norms.checkIntegrity();
    }
    SegmentWriteState state =
        new SegmentWriteState(
            InfoStream.NO_OUTPUT,
            out,
            segment,
            fields,
            null,
            IOContext.DEFAULT,
            Stock.NAME + "_" + suffix);
    try (FieldsConsumer consumer = Stock.FORMAT.fieldsConsumer(state)) {
      consumer.write(new OurFields(all), norms);
    }
  }

  /** The fields with device lists. */
  private final class OurFields extends FilterLeafReader.FilterFields {
    OurFields(Fields in) {
      super(in);
    }

    @Override
    public Iterator<String> iterator() {
      return ours.iterator();
    }

    @Override
    public Terms terms(String field) throws IOException {
      return ours.contains(field) ? in.terms(field) : null;
    }

    @Override
    public int size() {
      return ours.size();
    }
  }

  private void writeFields(FieldInfos infos, Directory out, String generation) throws IOException {
    for (FieldInfo field : infos) {
      if (OURS.equals(field.getAttribute(FORMAT))) {
        field.putAttribute(FORMAT, Stock.NAME);
        field.putAttribute(SUFFIX, suffix);
      }
    }
    target.fieldInfosFormat().write(out, segment, generation, infos, IOContext.DEFAULT);
  }

  private void pack(Set<String> files, Directory out) throws IOException {
    TrackingDirectoryWrapper packed = new TrackingDirectoryWrapper(out);
    target.compoundFormat().write(packed, segment, IOContext.DEFAULT);
    for (String file : files) {
      out.deleteFile(file);
    }
    segment.setFiles(packed.getCreatedFiles());
  }

  /** Deletes and updates, which lie beside the segment, packed or not. */
  private SegmentCommitInfo writeGenerations(Directory out) throws IOException {
    Set<String> files = new TreeSet<>(old.files());
    files.removeAll(old.info.files());
    files.removeAll(old.getFieldInfosFiles());
    files.removeIf(ImageFiles::isDerived);
    for (String file : files) {
      out.copyFrom(directory, file, renamed(file), IOContext.DEFAULT);
    }
    SegmentCommitInfo commit =
        new SegmentCommitInfo(
            segment,
            old.getDelCount(),
            old.getSoftDelCount(),
            old.getDelGen(),
            old.getFieldInfosGen(),
            old.getDocValuesGen(),
            old.getId());
    Map<Integer, Set<String>> updates = new HashMap<>();
    old.getDocValuesUpdatesFiles()
        .forEach(
            (field, written) -> {
              Set<String> kept = new TreeSet<>(written);
              kept.removeIf(ImageFiles::isDerived);
              updates.put(field, kept);
            });
    commit.setDocValuesUpdatesFiles(updates);
    if (old.hasFieldUpdates()) {
      String generation = Long.toString(old.getFieldInfosGen(), Character.MAX_RADIX);
      TrackingDirectoryWrapper written = new TrackingDirectoryWrapper(out);
      FieldInfos updated =
          codec.fieldInfosFormat().read(directory, old.info, generation, IOContext.READONCE);
      writeFields(updated, written, generation);
      commit.setFieldInfosFiles(written.getCreatedFiles());
    }
    return commit;
  }
}
