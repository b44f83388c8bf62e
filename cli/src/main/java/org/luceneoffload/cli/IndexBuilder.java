/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.luceneoffload.OffloadCodec;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.OffloadStats;
import org.luceneoffload.OffloadStats.Counter;

/** Makes or extends an index from corpus files. */
final class IndexBuilder {
  private static final double RAM_BUFFER_MB = 128;

  /** Files that a run which was killed before its commit leaves: no reason to refuse. */
  private static final Pattern UNFINISHED =
      Pattern.compile("_.*|write\\.lock|pending_segments_.*|offload\\.vol|offload-.*\\.od[ph]");

  /** What to do with an index that is there already. */
  enum Existing {
    REFUSE,
    REPLACE,
    EXTEND
  }

  /**
   * What to build.
   *
   * @param index directory of the index, made if missing
   * @param device name of the device
   * @param strict whether trouble with the device ends the run
   * @param corpus the files
   * @param threads indexing threads, at least 1
   * @param forceMerge most segments at the end; 0 leaves them as they are
   * @param existing what to do with an index that is there already
   */
  record Request(
      Path index,
      String device,
      boolean strict,
      List<Path> corpus,
      int threads,
      int forceMerge,
      Existing existing) {}

  private IndexBuilder() {}

  /**
   * Builds. A run that fails leaves an earlier index as it was.
   *
   * @throws Failure naming the file, and the line if it is one of the corpus
   */
  static IndexReport build(Request request, Terminal terminal)
      throws IOException, InterruptedException {
    DeviceNames.check(request.device());
    CorpusReader reader = new CorpusReader(request.corpus());
    checkTarget(request.index(), request.existing());
    boolean made = Files.notExists(request.index());
    boolean fresh = made || !IndexOptions.isIndex(request.index());
    IndexProgress progress = new IndexProgress(terminal, reader, reader.totalBytes());
    boolean done = false;
    try (OffloadDirectory directory =
        IndexOptions.openDirectory(request.index(), request.device(), request.strict())) {
      needImages(directory, request.device());
      write(directory, request, reader, progress);
      progress.end();
      IndexReport report = report(directory, request, progress);
      done = true;
      return report;
    } finally {
      progress.end();
      if (fresh && !done) {
        removeMade(request.index(), made);
      }
    }
  }

  private static void checkTarget(Path index, Existing existing) throws IOException {
    if (Files.notExists(index)) {
      return;
    }
    if (!Files.isDirectory(index)) {
      throw Failure.of("cannot make an index there, it is a file: " + index);
    }
    if (IndexOptions.isIndex(index)) {
      if (existing == Existing.REFUSE) {
        throw Failure.of(
            index + " holds an index already: --overwrite replaces it, --append adds to it");
      }
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(index)) {
      for (Path file : files) {
        if (!UNFINISHED.matcher(file.getFileName().toString()).matches()) {
          throw Failure.of(
              "cannot make an index there, " + index + " holds other files, such as " + file);
        }
      }
    }
  }

  /** Fails rather than to make an index that the device that was asked for cannot search. */
  private static void needImages(OffloadDirectory directory, String device) {
    String reason = directory.whyNoImages();
    if (reason != null && !DeviceNames.isHost(device)) {
      throw Failure.of(
          "device "
              + device
              + " cannot be written: "
              + reason
              + " (another process may use the index; --device host needs no device)");
    }
  }

  private static void write(
      OffloadDirectory directory, Request request, CorpusReader reader, IndexProgress progress)
      throws IOException, InterruptedException {
    IndexWriterConfig config =
        new IndexWriterConfig(new StandardAnalyzer())
            .setCodec(new OffloadCodec())
            .setRAMBufferSizeMB(RAM_BUFFER_MB)
            .setOpenMode(
                request.existing() == Existing.EXTEND ? OpenMode.CREATE_OR_APPEND : OpenMode.CREATE)
            .setCommitOnClose(false);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      new Indexer(writer, progress, request.threads()).run(reader);
      if (request.forceMerge() > 0) {
        progress.show("merging into " + Figures.count(request.forceMerge(), "segment") + " ...");
        writer.forceMerge(request.forceMerge());
      } else {
        progress.show("writing the last segments ...");
      }
      writer.commit();
    }
  }

  private static IndexReport report(
      OffloadDirectory directory, Request request, IndexProgress progress) throws IOException {
    OffloadStats stats = directory.stats();
    double seconds = progress.seconds();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      return new IndexReport(
          request.index(),
          request.device(),
          progress.documents(),
          progress.inputBytes(),
          Figures.round(seconds),
          Figures.round(progress.documents() / seconds),
          Figures.round(progress.inputBytes() / 1e6 / seconds),
          request.threads(),
          reader.numDocs(),
          reader.leaves().size(),
          stats.get(Counter.IMAGES_WRITTEN),
          stats.get(Counter.IMAGE_BYTES_WRITTEN),
          stats.get(Counter.IMAGES_DROPPED));
    }
  }

  /** Removes what a failed run made. It was never an index. */
  private static void removeMade(Path index, boolean directoryToo) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(index)) {
      for (Path file : files) {
        Files.delete(file);
      }
      if (directoryToo) {
        Files.delete(index);
      }
    } catch (IOException e) {
      // The failure that led here is the one to be told.
    }
  }
}
