/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.CheckIndex.Status;
import org.apache.lucene.index.DirectoryReader;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.command.ErrorReport;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.codec.ImageCheck;
import org.luceneoffload.codec.column.ColumnCheck;

/** Checks an index: first Lucene's own files, then the device's lists and columns against them. */
final class CheckService {
  private CheckService() {}

  /**
   * Checks; where Lucene's files are damaged the device's lists have nothing to be held against.
   */
  static CheckReport run(IndexOptions index, Terminal terminal) throws IOException {
    try (OffloadDirectory directory = index.open()) {
      terminal.show("Lucene's CheckIndex ...");
      IndexLock lock = IndexLock.ofReader(directory);
      List<String> luceneProblems = checkLucene(directory, lock, terminal);
      ImageCheck.Result images =
          luceneProblems.isEmpty()
              ? checkImages(directory, terminal)
              : new ImageCheck.Result(0, 0, 0, 0, 0, List.of(), List.of());
      ColumnCheck.Result columns =
          luceneProblems.isEmpty()
              ? checkColumns(directory, terminal)
              : new ColumnCheck.Result(0, 0, 0, List.of(), List.of());
      List<String> problems = joined(images.problems(), columns.problems());
      return new CheckReport(
          index.index(),
          index.device(),
          luceneProblems.isEmpty() && problems.isEmpty(),
          lock.withoutLock(),
          luceneProblems.isEmpty(),
          luceneProblems,
          problems.isEmpty(),
          images.segments(),
          images.segmentsChecked(),
          images.lists(),
          images.postings(),
          images.pages(),
          columns.columns(),
          columns.values(),
          columns.pages(),
          images.withoutImage(),
          columns.unusable(),
          problems,
          columns.problems().size());
    } finally {
      terminal.clear();
    }
  }

  private static List<String> checkLucene(
      OffloadDirectory directory, IndexLock lock, Terminal terminal) throws IOException {
    List<String> problems = new ArrayList<>();
    try (CheckIndex check = new CheckIndex(directory, lock.lock());
        PrintStream progress = new CheckProgress(directory, terminal::show)) {
      check.setInfoStream(progress, false);
      Status status = check.checkIndex();
      for (Status.SegmentInfoStatus segment : status.segmentInfos) {
        if (segment.error != null) {
          String what =
              segment.error instanceof IOException e
                  ? ErrorReport.sentence(e)
                  : segment.error.getMessage();
          problems.add("segment " + segment.name + ": " + what);
        }
      }
      if (!status.clean && problems.isEmpty()) {
        problems.add(
            status.missingSegments
                ? "the segments file is missing or cannot be read"
                : status.numBadSegments + " segments are damaged");
      }
    }
    return problems;
  }

  private static List<String> joined(List<String> some, List<String> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  private static ColumnCheck.Result checkColumns(OffloadDirectory directory, Terminal terminal)
      throws IOException {
    terminal.show("columns ...");
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      return ColumnCheck.run(reader);
    }
  }

  private static ImageCheck.Result checkImages(OffloadDirectory directory, Terminal terminal)
      throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      return ImageCheck.run(
          reader,
          (compared, all) ->
              terminal.show(
                  String.format(
                      Locale.ROOT, "%,d of %,d postings compared", compared, Math.max(all, 1)),
                  (double) compared / Math.max(all, 1)));
    }
  }
}
