/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.luceneoffload.cli.bench.BenchCommand;
import org.luceneoffload.cli.command.ErrorReport;
import org.luceneoffload.cli.command.Interruption;
import org.luceneoffload.cli.demo.DemoCommand;
import org.luceneoffload.cli.device.DeviceCommand;
import org.luceneoffload.cli.device.ProfileCommand;
import org.luceneoffload.cli.index.IndexCommand;
import org.luceneoffload.cli.reproduce.ReproduceCommand;
import org.luceneoffload.cli.search.ExplainCommand;
import org.luceneoffload.cli.search.SearchCommand;
import org.luceneoffload.cli.upkeep.CheckCommand;
import org.luceneoffload.cli.upkeep.DetachCommand;
import org.luceneoffload.cli.upkeep.ImportCommand;
import org.luceneoffload.cli.upkeep.RepairCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code offload} tool. */
@Command(
    name = "offload",
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Lucene queries answered next to the posting lists.",
      "Exit codes: 0 done, 1 failure, 2 wrong usage, 3 device and host differ.%n"
    },
    subcommands = {
      DemoCommand.class,
      IndexCommand.class,
      SearchCommand.class,
      ExplainCommand.class,
      BenchCommand.class,
      CheckCommand.class,
      ImportCommand.class,
      RepairCommand.class,
      DetachCommand.class,
      DeviceCommand.class,
      ProfileCommand.class,
      ReproduceCommand.class
    })
public final class OffloadCli implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean help;

  private OffloadCli() {}

  /** The command line, to be executed with arguments; prints where it is told to. */
  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    ErrorReport errors = new ErrorReport();
    CommandLine line = new CommandLine(new OffloadCli());
    // A query may start with a minus. QueryOptions refuses what starts with two.
    for (String command : List.of("search", "explain")) {
      line.getSubcommands().get(command).setUnmatchedOptionsArePositionalParams(true);
    }
    return line.setOut(out)
        .setErr(err)
        .setExpandAtFiles(false) // "@" may stand in a query
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(errors)
        .setParameterExceptionHandler(errors);
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(spec.commandLine(), "no command given");
  }

  /**
   * Runs a command in this process.
   *
   * @param out takes its output
   * @param err takes progress, log messages, and what is wrong
   * @param args command, options, arguments
   * @return the exit code
   */
  public static int execute(PrintWriter out, PrintWriter err, String... args) {
    return commandLine(out, err).execute(args);
  }

  /**
   * Runs a command and exits with its code.
   *
   * @param args command, options, arguments
   */
  public static void main(String[] args) {
    PrintWriter out = writer(FileDescriptor.out, false);
    PrintWriter err = writer(FileDescriptor.err, true);
    int code = execute(out, err, args);
    out.flush();
    err.flush();
    Interruption.commandEnded();
    System.exit(code);
  }

  private static PrintWriter writer(FileDescriptor file, boolean flushLines) {
    return new PrintWriter(new FileOutputStream(file), flushLines, StandardCharsets.UTF_8);
  }
}
