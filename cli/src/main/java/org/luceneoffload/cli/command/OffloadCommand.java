/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.command;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Json;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The parts that all commands share: {@code --json}, {@code --verbose}, {@code --help}, and where
 * to print.
 */
public abstract class OffloadCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON document (fields: cli/README.md).")
  private boolean json;

  @Option(names = "--verbose", description = "Show log messages and stack traces.")
  private boolean verbose;

  @Mixin private HelpOption help;

  /** Returns whether to print JSON. */
  protected boolean json() {
    return json;
  }

  /** Returns whether to show logs and stack traces. */
  protected boolean verbose() {
    return verbose;
  }

  /** Returns where the report goes. */
  protected PrintWriter out() {
    return spec.commandLine().getOut();
  }

  /** Returns where everything else goes. */
  protected PrintWriter err() {
    return spec.commandLine().getErr();
  }

  /** Returns the arguments of the tool, as they were given. */
  protected List<String> arguments() {
    return spec.root().commandLine().getParseResult().originalArgs();
  }

  /** Returns the class that runs all commands, which has the main method. */
  protected final Class<?> tool() {
    return spec.root().userObject().getClass();
  }

  /** Prints the result as JSON, or else as {@code text} does. */
  protected void print(Object report, Runnable text) {
    if (json) {
      Json.print(report, out());
    } else {
      text.run();
      out().flush();
    }
  }

  /** Does the work; returns the exit code. */
  protected abstract int run() throws Exception;

  /** Prints why there is no report, as JSON. */
  protected void printProblem(Problem problem) {
    Json.print(problem, out());
  }

  /**
   * The object that {@code --json} shows in place of a command's report, or at its end.
   *
   * @param error what is wrong, in a sentence
   * @param exitCode exit code of the command
   */
  @JsonPropertyOrder({"error", "exit_code"})
  public record Problem(String error, int exitCode) {}

  @Override
  public final Integer call() throws Exception {
    LogLevel.set(verbose);
    try {
      return run();
    } catch (OutOfMemoryError e) {
      throw Failure.of(
          "out of memory, the heap is "
              + Figures.bytes(Runtime.getRuntime().maxMemory())
              + "; OFFLOAD_JAVA_OPTS=-Xmx8g in the environment makes it 8 GiB",
          e);
    } catch (StackOverflowError e) {
      throw Failure.of("nested too deeply", e);
    }
  }
}
