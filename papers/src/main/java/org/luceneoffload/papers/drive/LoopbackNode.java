/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.luceneoffload.cli.command.ErrorReport;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.sim.SimOptions;

/** A storage node on the loopback, which serves the posting lists of an index for reading. */
final class LoopbackNode implements AutoCloseable {
  private static final Pattern STARTED = Pattern.compile("csd-target: \\S+ on \\S+ port (\\d+)");

  private final Process process;
  private final String device;

  private LoopbackNode(Process process, String device) {
    this.process = process;
    this.device = device;
  }

  /**
   * Starts one.
   *
   * @param program the daemon, csd-target
   * @param index folder of the index, with its store
   * @throws Failure saying why it does not start
   */
  static LoopbackNode start(Path program, Path index) {
    List<String> command =
        List.of(
            program.toString(),
            "--store",
            index.resolve(SimOptions.STORE_FILE_NAME).toString(),
            "--read-only",
            "--port",
            "0",
            "--log-level",
            "error",
            "--uuid",
            UUID.randomUUID().toString());
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      BufferedReader out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
      Matcher started = STARTED.matcher(String.valueOf(out.readLine()));
      if (started.find()) {
        String device = "csd:127.0.0.1:" + started.group(1) + ",readonly=true";
        return new LoopbackNode(process, device);
      }
      process.destroyForcibly();
      throw Failure.of("--csd-target " + program + ": no storage node started");
    } catch (IOException e) {
      throw Failure.of("--csd-target " + program + ": " + ErrorReport.sentence(e), e);
    }
  }

  /** Returns its name, as indexes are opened with it. */
  String device() {
    return device;
  }

  @Override
  public void close() {
    process.destroy();
  }
}
