/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import java.util.Locale;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.options.IndexAndDevice;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.maintain.IndexDetach;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code offload detach}. */
@Command(
    name = "detach",
    header = "Remove the device lists and columns of an index.",
    description =
        "Removes the device lists and columns of an index from the device. The host "
            + "answers all queries then; repair and import bring them back.",
    footer = {
      "",
      "An index that OffloadCodec wrote still needs it afterwards, unless --codec says stock: its",
      "segments are then written once more, by the codec that OffloadCodec builds on. Documents,",
      "deletes and scores stay as they are; earlier commits are deleted. The disk needs room for a",
      "second copy of the segments meanwhile."
    })
public final class DetachCommand extends OffloadCommand {
  @Mixin private IndexAndDevice options;

  @Option(
      names = "--codec",
      paramLabel = "WHICH",
      defaultValue = "keep",
      description =
          "Codec of the index afterwards: keep (the one that it has), stock (Lucene opens "
              + "it without this library). Default: ${DEFAULT-VALUE}.")
  private IndexDetach.Codec codec;

  @Override
  protected int run() throws Exception {
    DetachedReport report = UpkeepService.detach(options, codec);
    print(report, () -> printText(report));
    return report.ok() ? ExitCodes.OK : ExitCodes.FAILURE;
  }

  private void printText(DetachedReport report) {
    if (codec == IndexDetach.Codec.STOCK) {
      out()
          .printf(
              Locale.ROOT,
              "%s: %s; stock Lucene opens the index%n",
              report.index(),
              report.segmentsRewritten() == 0
                  ? "no segments of OffloadCodec"
                  : Figures.count(report.segmentsRewritten(), "segment")
                      + " written anew by the codec below");
    }
    if (report.images() == 0 && report.ok()) {
      out()
          .println(
              report.index()
                  + ": no images on "
                  + report.device()
                  + (report.storeRemoved() ? "; its store was empty and is removed" : ""));
      return;
    }
    out()
        .printf(
            Locale.ROOT,
            "%s: %s%s, %s taken from %s%s%n",
            report.index(),
            Figures.count(report.images(), "image"),
            report.columnImages() > 0 ? " (" + report.columnImages() + " of columns)" : "",
            Figures.bytes(report.bytes()),
            report.device(),
            report.storeRemoved() ? "; its store was empty and is removed" : "");
    report.leftOut().forEach(reason -> out().println("  left: " + reason));
  }
}
