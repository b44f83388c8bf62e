/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.command;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code offload completion}. Of fish, picocli knows nothing. */
@Command(
    name = "completion",
    header = "Print a script of completions for bash, zsh or fish.",
    description = "Try: source <(offload completion), or: offload completion fish | source")
public final class CompletionCommand implements Callable<Integer> {
  /** Shells, of which the first two read the same script. */
  enum Shell {
    BASH,
    ZSH,
    FISH
  }

  @Spec private CommandSpec spec;

  @Mixin private HelpOption help;

  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      defaultValue = "bash",
      description = "bash, zsh or fish (default: ${DEFAULT-VALUE}).")
  private Shell shell;

  @Override
  public Integer call() {
    CommandLine tool = spec.root().commandLine();
    PrintWriter out = spec.commandLine().getOut();
    if (shell == Shell.FISH) {
      fish(tool, out);
    } else {
      out.print(AutoComplete.bash(spec.root().name(), tool));
    }
    out.flush();
    return ExitCodes.OK;
  }

  private static void fish(CommandLine tool, PrintWriter out) {
    String complete = "complete -c " + tool.getCommandName();
    options(complete + " -n __fish_use_subcommand", tool, out);
    tool.getSubcommands()
        .forEach(
            (name, command) -> {
              String[] header = command.getCommandSpec().usageMessage().header();
              out.println(
                  complete
                      + " -n __fish_use_subcommand -f -a "
                      + name
                      + described(header.length == 0 ? "" : header[0]));
              options(complete + " -n '__fish_seen_subcommand_from " + name + "'", command, out);
            });
  }

  private static void options(String complete, CommandLine command, PrintWriter out) {
    for (OptionSpec option : command.getCommandSpec().options()) {
      if (!option.hidden()) {
        StringBuilder line = new StringBuilder(complete);
        for (String name : option.names()) {
          line.append(name.startsWith("--") ? " -l " : " -s ").append(name.replaceAll("^-+", ""));
        }
        if (option.arity().max() > 0) {
          line.append(" -r");
        }
        if (option.completionCandidates() != null) {
          line.append(" -f -a ").append(quoted(String.join(" ", option.completionCandidates())));
        }
        List<String> words = List.of(option.description());
        out.println(line + described(words.isEmpty() ? "" : words.get(0)));
      }
    }
  }

  private static String described(String text) {
    int end = text.indexOf(". ");
    String first = end < 0 ? text : text.substring(0, end + 1);
    return first.isEmpty() ? "" : " -d " + quoted(first.replaceAll("\\$\\{[^}]*}", "..."));
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
