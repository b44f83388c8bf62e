/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.upkeep;

import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.options.IndexAndDevice;
import org.luceneoffload.cli.output.Terminal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code offload import}. */
@Command(
    name = "import",
    header = "Give an existing index device lists and columns.",
    description =
        "Gives an existing index device lists, and columns of its doc values, segment "
            + "by segment, beside its own files, which stay as they are. What a segment has "
            + "is skipped, so an interrupted import goes on. Columns of a field that was "
            + "updated since are written anew.",
    footer = {
      "",
      "If a segment is left out, because the store is full for example, the exit code is 1."
    })
public final class ImportCommand extends OffloadCommand {
  @Mixin private IndexAndDevice options;

  @Override
  protected int run() throws Exception {
    UpkeepReport report = UpkeepService.importLists(options, Terminal.standardError(err()));
    print(report, () -> UpkeepPrinter.print(report, out()));
    return report.ok() ? ExitCodes.OK : ExitCodes.FAILURE;
  }
}
