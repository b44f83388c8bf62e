/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.options.IndexAndDevice;
import org.luceneoffload.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code offload repair}. */
@Command(
    name = "repair",
    header = "Recreate device lists and columns that are lost or damaged.",
    description =
        "Recreates device lists and columns that are missing, stale or damaged: because "
            + "the store was lost, the index was copied without it, or bits have flipped. "
            + "Reads everything on the device.",
    footer = {
      "",
      "If a segment still has no device lists, or not the columns that it had, the exit code is 1."
    })
public final class RepairCommand extends OffloadCommand {
  @Mixin private IndexAndDevice options;

  @Override
  protected int run() throws Exception {
    UpkeepReport report = UpkeepService.repair(options, Terminal.standardError(err()));
    print(report, () -> UpkeepPrinter.print(report, out()));
    return report.ok() ? ExitCodes.OK : ExitCodes.FAILURE;
  }
}
