/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import org.luceneoffload.cli.bench.BenchCommand;
import org.luceneoffload.cli.command.CompletionCommand;
import org.luceneoffload.cli.command.ErrorReport;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.HelpCommand;
import org.luceneoffload.cli.command.HelpOption;
import org.luceneoffload.cli.command.Interruption;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.coverage.CoverageCommand;
import org.luceneoffload.cli.demo.DemoCommand;
import org.luceneoffload.cli.device.DeviceCommand;
import org.luceneoffload.cli.device.ProfileCommand;
import org.luceneoffload.cli.explore.ExploreCommand;
import org.luceneoffload.cli.index.IndexCommand;
import org.luceneoffload.cli.node.NodeCommand;
import org.luceneoffload.cli.search.ExplainCommand;
import org.luceneoffload.cli.search.SearchCommand;
import org.luceneoffload.cli.upkeep.CheckCommand;
import org.luceneoffload.cli.upkeep.DetachCommand;
import org.luceneoffload.cli.upkeep.ImportCommand;
import org.luceneoffload.cli.upkeep.RepairCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code offload} tool. Other modules add commands as services of {@link OffloadCommand}. */
@Command(
    name = "offload",
    synopsisSubcommandLabel = "COMMAND",
    versionProvider = VersionProvider.class,
    description = {
      "Lucene queries answered next to the posting lists.",
      "Exit codes: 0 done, 1 failure, 2 wrong usage, 3 device and host differ,",
      "130 and 143 ended by SIGINT or SIGTERM.%n"
    },
    footer = {"", "'offload help COMMAND' shows a command's options."},
    subcommands = {
      DemoCommand.class,
      IndexCommand.class,
      SearchCommand.class,
      ExplainCommand.class,
      ExploreCommand.class,
      CoverageCommand.class,
      BenchCommand.class,
      CheckCommand.class,
      ImportCommand.class,
      RepairCommand.class,
      DetachCommand.class,
      DeviceCommand.class,
      NodeCommand.class,
      ProfileCommand.class
    })
public final class OffloadCli implements Callable<Integer> {
  private static final List<String> SEARCHING = List.of("search", "explain");

  @Spec private CommandSpec spec;

  @Mixin private HelpOption help;

  @Option(names = "--version", versionHelp = true, description = "Show the versions.")
  private boolean version;

  private OffloadCli() {}

  /**
   * Returns the command line, to be executed with arguments; it prints to {@code out} and {@code
   * err}.
   */
  public static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    ErrorReport errors = new ErrorReport();
    CommandLine line = new CommandLine(new OffloadCli());
    ServiceLoader.load(OffloadCommand.class).forEach(line::addSubcommand);
    line.addSubcommand(new HelpCommand());
    line.addSubcommand(new CompletionCommand());
    // A query may start with a minus. QueryOptions refuses what starts with two.
    for (String command : SEARCHING) {
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
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return ExitCodes.USAGE;
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
    return commandLine(out, err).execute(queriesMarked(args));
  }

  /**
   * Puts a space before queries that could be taken for options: such as {@code -hello}, which is
   * not -h (-k5 is an option), and all that stand behind {@code --}.
   */
  private static String[] queriesMarked(String[] args) {
    if (args.length == 0 || !SEARCHING.contains(args[0])) {
      return args;
    }
    String[] marked = args.clone();
    boolean queriesOnly = false;
    for (int i = 1; i < args.length; i++) {
      boolean query = args[i].matches("(?s)-[hk][^=].*") && !args[i].matches("-k\\d+");
      marked[i] = queriesOnly || query ? " " + args[i] : args[i];
      queriesOnly |= args[i].equals("--");
    }
    return marked;
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
