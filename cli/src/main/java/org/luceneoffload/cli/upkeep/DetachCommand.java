/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.options.IndexAndDevice;
import org.luceneoffload.cli.output.Figures;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code offload detach}. */
@Command(
    name = "detach",
    header = "Remove the device lists of an index.",
    description = {
      "Removes the device lists of an index from the device. The host answers all queries then;",
      "repair and import bring the lists back."
    })
public final class DetachCommand extends OffloadCommand {
  @Mixin private IndexAndDevice options;

  @Override
  protected int run() throws Exception {
    DetachedReport report = UpkeepService.detach(options);
    print(report, () -> printText(report));
    return report.ok() ? ExitCodes.OK : ExitCodes.FAILURE;
  }

  private void printText(DetachedReport report) {
    if (report.images() == 0 && report.ok()) {
      out()
          .println(
              report.index()
                  + ": no posting images on "
                  + report.device()
                  + (report.storeRemoved() ? "; its store was empty and is removed" : ""));
      return;
    }
    out()
        .printf(
            "%s: %s, %s taken from %s%s%n",
            report.index(),
            Figures.count(report.images(), "posting image"),
            Figures.bytes(report.bytes()),
            report.device(),
            report.storeRemoved() ? "; its store was empty and is removed" : "");
    report.leftOut().forEach(reason -> out().println("  left: " + reason));
  }
}
