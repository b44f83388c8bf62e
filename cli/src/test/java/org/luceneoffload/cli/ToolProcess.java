/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The tool in a process of its own. */
public final class ToolProcess implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 300;

  private final Process process;
  private final Path out;
  private final Path err;

  private ToolProcess(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  /**
   * Starts a command.
   *
   * @param folder where the process's output is kept
   */
  public static ToolProcess start(Path folder, Object... args) throws IOException {
    return startCommand(folder, command(args));
  }

  /** Starts a command line that {@link #command} made. */
  public static ToolProcess startCommand(Path folder, List<String> command) throws IOException {
    Path out = Files.createTempFile(folder, "tool", ".out");
    Path err = Files.createTempFile(folder, "tool", ".err");
    return new ToolProcess(
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start(),
        out,
        err);
  }

  /** The words of a command line that runs the tool with this JVM and class path. */
  public static List<String> command(Object... args) {
    return commandWithHeap("1g", args);
  }

  /** The same with a heap of a size that {@code -Xmx} takes. */
  public static List<String> commandWithHeap(String heap, Object... args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-Xmx" + heap);
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(OffloadCli.class.getName());
    Stream.of(args).map(String::valueOf).forEach(command::add);
    return command;
  }

  /** Waits until something has happened; fails if the process ends before. */
  public void awaitRunning(BooleanSupplier happened) throws IOException, InterruptedException {
    while (!happened.getAsBoolean()) {
      assertTrue(process.isAlive(), "ended: " + out() + err());
      Thread.sleep(10);
    }
  }

  /** Sends SIGINT, as Ctrl-C does. */
  public void interrupt() throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();
  }

  /** Waits for the end; returns the exit code. */
  public int await() throws InterruptedException {
    assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS), "does not end");
    return process.exitValue();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public String out() throws IOException {
    return Files.readString(out, StandardCharsets.UTF_8);
  }

  public String err() throws IOException {
    return Files.readString(err, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
