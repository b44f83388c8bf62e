/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.index;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.options.DeviceNames;
import org.luceneoffload.cli.options.IndexOnNode;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.options.Limits;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.workload.InputException;
import org.luceneoffload.workload.TypedFields;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code offload index}. */
@Command(
    name = "index",
    header = "Make or extend an index from JSON Lines or tables.",
    description =
        "Indexes JSON Lines of {id, title, body}, or tables that name their columns first (.csv,"
            + " .tsv); plain, .gz or .zst; or Parquet (.parquet). Every line or row is a document"
            + " of its own, whatever its id.")
public final class IndexCommand extends OffloadCommand {
  @Mixin private IndexOptions target;

  @Option(
      names = "--corpus",
      paramLabel = "FILE",
      arity = "1..*",
      required = true,
      description = "Files to index, in this order.")
  private List<Path> corpus;

  @Option(
      names = "--field",
      paramLabel = "NAME:TYPE",
      description =
          "A field of values: long, double, date, keyword or geo; may be said several times."
              + " Without, guessed from the first lines; none: no such field.")
  private List<String> fields = List.of();

  @Option(
      names = "--index-sort",
      paramLabel = "FIELD[:desc]",
      description =
          "Order of the documents in each segment: by a typed field, the least value first or, with"
              + " :desc, the greatest. Without a value: last. --append keeps the order that is"
              + " there.")
  private String indexSort;

  @Option(
      names = "--reorder",
      description =
          "Give documents that share words near IDs, in every segment, once all are there: shorter"
              + " lists and quicker queries, for more time to index.")
  private boolean reorder;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Indexing threads (default: processors); 1 keeps the order of the input.")
  private int threads = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--force-merge",
      paramLabel = "N",
      description = "Merge into at most N segments at the end.")
  private Integer forceMerge;

  @Option(names = "--overwrite", description = "Replace an existing index.")
  private boolean overwrite;

  @Option(names = "--append", description = "Add to an existing index.")
  private boolean append;

  private void checkFields() {
    for (String field : fields) {
      try {
        if (!field.equals("none") || fields.size() > 1) {
          TypedFields.parse(List.of(field));
        }
      } catch (InputException e) {
        throw Failure.usage("--field: " + e.getMessage(), e);
      }
    }
  }

  @Override
  protected int run() throws Exception {
    checkFields();
    Limits.checkThreads(threads);
    if (forceMerge != null && forceMerge < 1) {
      throw Failure.usage("--force-merge must be at least 1, not " + forceMerge);
    } else if (overwrite && append) {
      throw Failure.usage("--overwrite and --append exclude each other");
    } else if (reorder && indexSort != null) {
      throw Failure.usage("--reorder and --index-sort exclude each other");
    }
    IndexReport report =
        IndexBuilder.build(
            new IndexBuilder.Request(
                target.index(),
                target.device(),
                target.options(),
                corpus,
                fields,
                indexSort,
                reorder,
                threads,
                forceMerge == null ? 0 : forceMerge,
                overwrite
                    ? IndexBuilder.Existing.REPLACE
                    : append ? IndexBuilder.Existing.EXTEND : IndexBuilder.Existing.REFUSE),
            Terminal.standardError(err()));
    print(report, () -> out().println(text(report)));
    warnings(report).forEach(warning -> err().println("offload: warning: " + warning));
    return ExitCodes.OK;
  }

  /** Returns what may be wrong with an index that was made, a sentence each. */
  static List<String> warnings(IndexReport report) {
    List<String> warnings = new ArrayList<>();
    long lost = report.imagesUnwritten() + report.imagesDropped();
    if (lost > 0) {
      warnings.add(
          Figures.count(lost, "posting image")
              + " could not be written to "
              + place(report)
              + "; unless a merge has replaced their segments, the host answers for these until"
              + " 'offload repair' and 'offload import' make their lists");
    }
    if (report.documents() == 0) {
      warnings.add("the corpus has no document");
    }
    for (String field : report.untypedFields()) {
      warnings.add(
          "field "
              + field
              + " is left out: no one type fits its values (--field NAME:TYPE says one)");
    }
    for (String field : report.unmetFields()) {
      warnings.add("no document has a value of field " + field);
    }
    return warnings;
  }

  /** Returns two lines for people. */
  public static String text(IndexReport report) {
    String images =
        DeviceNames.isHost(report.device())
            ? "no device"
            : Figures.count(report.imagesWritten(), "posting image")
                + ", "
                + Figures.bytes(report.imageBytes())
                + " on "
                + place(report)
                + (report.imagesDropped() > 0
                    ? "; " + report.imagesDropped() + " given up, see the log"
                    : "")
                + (report.imagesUnwritten() > 0
                    ? "; " + report.imagesUnwritten() + " not written, see the log"
                    : "");
    return String.format(
            Locale.ROOT,
            "%s in %.1f s (%,.0f docs/s, %.1f MB/s, %s)%n%s: %s in %s; %s",
            Figures.count(report.documents(), "document"),
            report.seconds(),
            report.docsPerS(),
            report.mbPerS(),
            Figures.count(report.threads(), "thread"),
            IndexOnNode.withoutOptions(report.index()),
            Figures.count(report.totalDocuments(), "document"),
            Figures.count(report.segments(), "segment"),
            images)
        + fields(report)
        + (report.indexSort() == null
            ? ""
            : String.format(Locale.ROOT, "%nsorted by %s in each segment", report.indexSort()))
        + (report.reordered()
            ? String.format(Locale.ROOT, "%ndocuments that share words have near IDs")
            : "");
  }

  /** Returns where the lists are; the name of an index on a node has its device in it. */
  private static String place(IndexReport report) {
    return IndexOnNode.isOne(report.index()) ? "its node" : report.device();
  }

  private static String fields(IndexReport report) {
    if (report.fields().isEmpty()) {
      return "";
    }
    String leftOut =
        report.valuesLeftOut() == 0
            ? ""
            : "; " + Figures.count(report.valuesLeftOut(), "value") + " of other types left out";
    return String.format(
        Locale.ROOT,
        "%nfields %s%s",
        report.fields(),
        report.fieldsGuessed()
            ? " (guessed from the first lines: --field says otherwise" + leftOut + ")"
            : "");
  }
}
