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
  /** SIGINT is number 2; bit n - 1 stands for signal n. */
  private static final long SIGINT_BIT = 1 << (2 - 1);

  private static final long PATIENCE_SECONDS = 900;

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
    command.add("-XX:TieredStopAtLevel=1"); // it lives too briefly for more
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(OffloadCli.class.getName());
    Stream.of(args).map(String::valueOf).forEach(command::add);
    return command;
  }

  /** Waits until something has happened; fails if the process ends before. */
  public void awaitRunning(BooleanSupplier happened) throws IOException, InterruptedException {
    // It may end between two looks, having done what is waited for: so the end is looked at first.
    boolean running = process.isAlive();
    while (!happened.getAsBoolean()) {
      assertTrue(running, "ended: " + out() + err());
      Thread.sleep(10);
      running = process.isAlive();
    }
  }

  /**
   * Sends SIGINT, as Ctrl-C does; or SIGTERM, if the process ignores SIGINT because this one does,
   * as what a shell runs in the background.
   */
  public void interrupt() throws IOException, InterruptedException {
    String signal = ignoresInterrupts() ? "-TERM" : "-INT";
    new ProcessBuilder("kill", signal, Long.toString(process.pid())).start().waitFor();
  }

  private boolean ignoresInterrupts() throws IOException {
    Path status = Path.of("/proc", Long.toString(process.pid()), "status");
    if (!Files.isReadable(status)) {
      return false;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("SigIgn:")) {
        return (Long.parseUnsignedLong(line.substring(7).trim(), 16) & SIGINT_BIT) != 0;
      }
    }
    return false;
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
