/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme.tcp;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** csd-target as a process of its own on the loopback, over a store of its own. */
public final class CsdTarget implements AutoCloseable {
  /** The daemon that the build of device-sim leaves; {@code -Doffload.csd.target} names another. */
  private static final Path BINARY =
      Path.of(
          System.getProperty(
              "offload.csd.target", "../device-sim/target/cmake/csd-target/csd-target"));

  private static final Pattern STARTED = Pattern.compile("csd-target: (\\S+) on \\S+ port (\\d+)");

  private final Path home;
  private final List<String> options;
  private Process process;
  private int port;
  private String subsystem;

  /**
   * Starts it.
   *
   * @param home where its store is, or will be
   * @param options further ones of its command line
   */
  public CsdTarget(Path home, String... options) throws IOException {
    this.home = home;
    this.options = List.of(options);
    start();
  }

  /**
   * Starts it again after {@link #kill}, on the same port, which some connection may have meanwhile
   * as its own end.
   */
  public void start() throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!tryStart()) {
      if (port == 0 || System.nanoTime() - end >= 0) {
        throw new IOException("csd-target did not start, see csd.log in " + home);
      }
      try {
        TimeUnit.MILLISECONDS.sleep(100);
      } catch (InterruptedException e) {
        throw (IOException) new InterruptedIOException().initCause(e);
      }
    }
  }

  private boolean tryStart() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(BINARY.toAbsolutePath().normalize().toString());
    command.addAll(List.of("--store", home.resolve("csd.vol").toString()));
    command.addAll(List.of("--port", Integer.toString(port), "--log-level", "error"));
    command.addAll(options);
    process = new ProcessBuilder(command).redirectError(home.resolve("csd.log").toFile()).start();
    BufferedReader out =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    String line = out.readLine();
    if (line == null) {
      return false;
    }
    Matcher started = STARTED.matcher(line);
    if (!started.find()) {
      throw new IOException("csd-target says: " + line);
    }
    subsystem = started.group(1);
    port = Integer.parseInt(started.group(2));
    return true;
  }

  /** Returns whether the daemon has something, as its {@code --version} says. */
  public static boolean says(String feature) {
    try {
      Process process = new ProcessBuilder(BINARY.toString(), "--version").start();
      byte[] said = process.getInputStream().readAllBytes();
      return new String(said, StandardCharsets.US_ASCII).contains(feature);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What follows {@code csd:} in a device's name. */
  public String node() {
    return "127.0.0.1:" + port;
  }

  /** Its TCP port. */
  public int port() {
    return port;
  }

  /** Name of its subsystem. */
  public String subsystem() {
    return subsystem;
  }

  /** Its process. */
  public ProcessHandle process() {
    return process.toHandle();
  }

  /** Kills it. */
  public void kill() {
    process.destroyForcibly();
    boolean interrupted = false;
    while (process.isAlive()) {
      try {
        process.waitFor();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    kill();
  }
}
