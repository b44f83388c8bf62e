/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.index;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.search.Sort;
import org.apache.lucene.store.Directory;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.command.ErrorReport;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.command.Interruption;
import org.luceneoffload.cli.options.DeviceNames;
import org.luceneoffload.cli.options.IndexOnNode;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.config.OffloadOptions;
import org.luceneoffload.report.OffloadStats;
import org.luceneoffload.report.OffloadStats.Counter;
import org.luceneoffload.store.image.ImageDirectory;
import org.luceneoffload.workload.CorpusReader;
import org.luceneoffload.workload.TypedFields;

/** Makes or extends an index from corpus files. */
public final class IndexBuilder {
  private static final double RAM_BUFFER_MB = 128;
  private static final String NO_FIELDS = "none";

  /** The ways to treat an index that is there already. */
  public enum Existing {
    REFUSE,
    REPLACE,
    EXTEND
  }

  /**
   * The index to build.
   *
   * @param index directory of the index, made if missing
   * @param device name of the device
   * @param options how to use the device
   * @param corpus the files
   * @param fields typed fields, each as {@code NAME:TYPE}; {@code none} for none; empty: guess them
   * @param indexSort order of the documents in each segment, as {@code FIELD} or {@code
   *     FIELD:desc}; null: as they come or, of an index that is extended, as they are
   * @param reorder whether documents that share words get near doc IDs, in every segment
   * @param threads indexing threads, at least 1
   * @param forceMerge most segments at the end; 0 leaves them as they are
   * @param existing what to do with an index that is there already
   */
  public record Request(
      Path index,
      String device,
      OffloadOptions options,
      List<Path> corpus,
      List<String> fields,
      String indexSort,
      boolean reorder,
      int threads,
      int forceMerge,
      Existing existing) {}

  private final Request request;
  private final IndexProgress progress;
  private final CorpusReader reader;
  private volatile boolean stopped;
  private volatile IndexWriter writer;
  private TypedFields fields = TypedFields.NONE;
  private Sort order; // null: none

  private IndexBuilder(Request request, CorpusReader reader, IndexProgress progress) {
    this.request = request;
    this.reader = reader;
    this.progress = progress;
  }

  /**
   * Builds. A run that fails, or that a signal ends, leaves an earlier index as it was and, where
   * there was none, removes the files that it has made.
   *
   * @throws Failure naming the file, and the line if it is one of the corpus
   * @throws org.apache.lucene.store.LockObtainFailedException if another run writes the index
   */
  @SuppressWarnings("try") // the signal's handler is there, not spoken to
  public static IndexReport build(Request request, Terminal terminal)
      throws IOException, InterruptedException {
    DeviceNames.check(request.device());
    CorpusReader reader = new CorpusReader(request.corpus());
    IndexProgress progress = new IndexProgress(terminal, reader, reader.totalBytes());
    IndexBuilder builder = new IndexBuilder(request, reader, progress);
    checkTarget(request.index(), request.existing()); // before anything is touched
    try (Interruption interruption = Interruption.runs(builder::stop);
        IndexTarget target = IndexTarget.lock(request.index(), request.options())) {
      return builder.build(target);
    } finally {
      progress.end();
    }
  }

  private IndexReport build(IndexTarget target) throws IOException, InterruptedException {
    checkTarget(request.index(), request.existing()); // what another run did before the lock
    try {
      Directory directory = target.open(request.device(), request.options());
      needImages(target.directory());
      write(directory);
      progress.end();
      return report(target.directory());
    } catch (IOException | RuntimeException e) {
      Throwable first = ErrorReport.firstOf(e);
      if (!stopped && isNameless(first)) {
        throw Failure.of(request.index() + ": " + first.getMessage(), e);
      } else if (!stopped) {
        throw e;
      }
      throw Failure.of(
          target.hadIndex()
              ? "interrupted; " + request.index() + " is as it was before"
              : "interrupted; no index is made, and what this run had written is removed",
          e);
    }
  }

  /**
   * Returns whether an exception comes from the system and says of no file that it was: a full
   * disk.
   */
  private static boolean isNameless(Throwable e) {
    return e.getClass() == IOException.class && e.getMessage() != null;
  }

  /** Ends the run soon; from any thread. */
  private void stop() {
    stopped = true;
    IndexWriter open = writer;
    try {
      if (open != null) {
        open.rollback(); // waits for a commit, and ends everything else
      }
    } catch (IOException | RuntimeException e) {
      // The run's own thread fails, too, and cleans up.
    }
  }

  private static void checkTarget(Path index, Existing existing) throws IOException {
    if (IndexOnNode.isOne(index)) {
      if (existing == Existing.REFUSE && IndexOptions.isIndex(index)) {
        throw exists(index);
      }
      return;
    }
    if (Files.notExists(index)) {
      return;
    }
    if (!Files.isDirectory(index)) {
      throw Failure.of("cannot make an index there, it is a file: " + index);
    }
    boolean present = IndexOptions.isIndex(index);
    if (present && existing == Existing.REFUSE) {
      throw exists(index);
    }
    Path foreign = IndexFolder.foreignFile(index, present);
    if (foreign != null) {
      throw Failure.of(
          present
              ? foreign + " is no file of the index, but Lucene would delete it; move it away"
              : "cannot make an index in " + index + ": it holds other files, such as " + foreign);
    }
  }

  private static Failure exists(Path index) {
    return Failure.of(
        index + " holds an index already: --overwrite replaces it, --append adds to it");
  }

  /** Fails rather than to make an index that the device that was asked for cannot search. */
  private void needImages(OffloadDirectory directory) throws IOException {
    String device = request.device();
    String reason = directory.whyNoImages();
    if (reason == null || DeviceNames.isHost(device)) {
      return;
    }
    if (ImageDirectory.find(directory).handle() == null) {
      try { // strictly, to learn why
        IndexOptions.openDirectory(request.index(), device, OffloadOptions.DEFAULT.withStrict(true))
            .close();
      } catch (IOException e) {
        throw Failure.of(
            "device "
                + device
                + " cannot be opened: "
                + e.getMessage()
                + " (--device host needs no device)",
            e);
      }
    }
    throw Failure.of(
        "device " + device + " cannot be written: " + reason + " (--device host needs no device)");
  }

  private void write(Directory directory) throws IOException, InterruptedException {
    boolean extend = request.existing() == Existing.EXTEND;
    TypedFields before = extend ? TypedFields.of(directory) : TypedFields.NONE;
    fields = typedFields(before);
    order = IndexSort.parse(request.indexSort(), before.and(fields));
    if (extend) {
      order = IndexSort.kept(directory, request.index(), order);
    }
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setCodec(new OffloadCodec())
            .setRAMBufferSizeMB(RAM_BUFFER_MB)
            .setOpenMode(extend ? OpenMode.CREATE_OR_APPEND : OpenMode.CREATE)
            .setCommitOnClose(false);
    if (order != null) {
      config.setIndexSort(order);
    }
    if (request.reorder() && order != null) {
      throw Failure.usage("--reorder: the documents of " + request.index() + " have an order");
    }
    Reordering reordering = new Reordering();
    if (request.reorder()) {
      reordering.addTo(config);
    }
    try (IndexWriter opened = new IndexWriter(directory, config)) {
      writer = opened;
      if (stopped) {
        opened.rollback(); // the signal came before there was a writer
      }
      new Indexer(opened, progress, request.threads(), fields).run(reader);
      if (request.reorder()) {
        progress.show("ordering the documents ...");
        reordering.run(opened, request.forceMerge());
      } else if (request.forceMerge() > 0) {
        progress.show("merging into " + Figures.count(request.forceMerge(), "segment") + " ...");
        opened.forceMerge(request.forceMerge());
      } else {
        progress.show("writing the last segments ...");
      }
      noteFields(opened, before);
      opened.commit();
    }
  }

  /**
   * Returns the fields that the request names or, if it names none, those that the first lines
   * have.
   */
  private TypedFields typedFields(TypedFields before) throws IOException, InterruptedException {
    if (request.fields().equals(List.of(NO_FIELDS))) {
      return TypedFields.NONE;
    } else if (!request.fields().isEmpty()) {
      return TypedFields.parse(request.fields());
    } else if (!before.isEmpty()) {
      return before;
    }
    List<byte[]> lines = new ArrayList<>();
    new CorpusReader(request.corpus().subList(0, 1))
        .read(TypedFields.NONE, batch -> !lines.addAll(batch.lines()));
    return TypedFields.guess(lines);
  }

  /** Notes the types of the fields, which a search of the index has to know. */
  private void noteFields(IndexWriter opened, TypedFields before) {
    Map<String, String> data = new HashMap<>();
    Iterable<Map.Entry<String, String>> already = opened.getLiveCommitData();
    if (already != null) {
      already.forEach(entry -> data.put(entry.getKey(), entry.getValue()));
    }
    data.putAll(before.and(fields).toCommit());
    opened.setLiveCommitData(data.entrySet());
  }

  private IndexReport report(OffloadDirectory directory) throws IOException {
    OffloadStats stats = directory.stats();
    double seconds = progress.seconds();
    try (DirectoryReader opened = DirectoryReader.open(directory)) {
      return new IndexReport(
          request.index(),
          request.device(),
          fields.toString(),
          fields.isGuessed(),
          fields.leftOut(),
          fields.untyped(),
          fields.unmet(),
          IndexSort.text(order),
          request.reorder(),
          progress.documents(),
          progress.inputBytes(),
          Figures.round(seconds),
          Figures.round(progress.documents() / seconds),
          Figures.round(progress.inputBytes() / 1e6 / seconds),
          request.threads(),
          opened.numDocs(),
          opened.leaves().size(),
          stats.get(Counter.IMAGES_WRITTEN),
          stats.get(Counter.IMAGE_BYTES_WRITTEN),
          stats.get(Counter.IMAGES_DROPPED),
          stats.get(Counter.IMAGES_UNWRITTEN));
    }
  }
}
