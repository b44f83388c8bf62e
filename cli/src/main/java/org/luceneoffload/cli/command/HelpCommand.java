/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.command;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code offload help}. The one of picocli takes any argument and says nothing. */
@Command(name = "help", header = "Show the help of a command.")
public final class HelpCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private HelpOption help;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "0..1",
      description = "The command; without one, all commands are listed.")
  private String command;

  @Override
  public Integer call() {
    CommandLine tool = spec.parent().commandLine();
    CommandLine shown = command == null ? tool : tool.getSubcommands().get(command);
    if (shown == null) {
      throw new ParameterException(spec.commandLine(), "no command '" + command + "'");
    }
    shown.usage(spec.commandLine().getOut());
    return ExitCodes.OK;
  }
}
