/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.luceneoffload.cli.bench.machine.Processor;
import org.luceneoffload.cli.command.ErrorReport;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.options.ProfileNames;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.model.Profiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code offload calibrate-host}. */
@Command(
    name = "calibrate-host",
    header = "Measure this machine's drive and processor, and make a profile of them.",
    description =
        "Reads a file past the system's cache, 4 to 128 KiB, 1 to 256 reads at once, and runs"
            + " queries over a generated index, in memory; finds in both the numbers of a profile."
            + " Takes about two minutes on a quiet machine.")
public final class CalibrateHostCommand extends OffloadCommand {
  private static final String OTHER = "pcie5-csd";

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      required = true,
      description =
          "A folder on the drive. What is written there goes into a folder of its own, and is"
              + " removed at the end.")
  private Path folder;

  @Option(
      names = "--write",
      paramLabel = "FILE",
      description = "Write the profile to this file, whose name ends in .json.")
  private Path file;

  @Option(
      names = "--check",
      description =
          "Also predict other queries, in memory and cold, as bench --cold runs them, and show how"
              + " far the predictions are from what they take.")
  private boolean check;

  @Option(
      names = "--csd-target",
      paramLabel = "FILE",
      description =
          "The storage node's program, see device-sim/csd-target: the profile then has what a"
              + " session on a node on the loopback takes, and --check predicts queries there.")
  private Path program;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description =
          "Also write what was measured and predicted to this file, whose name ends in .json;"
              + " reproduce --drive FILE shows it.")
  private Path out;

  @Option(
      names = "--file-size",
      paramLabel = "MIB",
      defaultValue = "512",
      description = "Size of the file that is read, in MiB (default: ${DEFAULT-VALUE}).")
  private int fileMib;

  @Option(
      names = "--millis",
      paramLabel = "N",
      defaultValue = "200",
      description =
          "How long each kind of read is measured, three times (default: ${DEFAULT-VALUE}).")
  private int millis;

  @Override
  protected int run() throws Exception {
    checkName("--write", file);
    checkName("--out", out);
    if (fileMib < 1 || millis < 1) {
      throw Failure.usage("--file-size and --millis are at least 1");
    }
    long bytes = (long) fileMib << 20;
    DirectReader.check(folder, 2 * bytes);
    Terminal terminal = Terminal.standardError(err());
    Path own = Files.createTempDirectory(folder, "offload-calibration-");
    try {
      HostReport report = measure(own, bytes, terminal);
      terminal.clear();
      print(report, () -> report.print(out()));
    } finally {
      terminal.clear();
      remove(own);
    }
    return ExitCodes.OK;
  }

  private static void checkName(String option, Path file) {
    if (file != null && !file.toString().endsWith(".json")) {
      throw Failure.usage(option + " " + file + ": the file's name ends in .json");
    }
  }

  private HostReport measure(Path own, long bytes, Terminal terminal) throws IOException {
    String machine =
        Processor.name()
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " processors, "
            + Files.getFileStore(own).type()
            + ", "
            + LocalDate.now();
    HostCalibration calibration =
        new HostCalibration(ProfileNames.load(OTHER), HostCalibration.Size.DEFAULT, terminal::show);
    List<DriveReader.Point> points;
    try (DirectReader reader = DirectReader.open(own, bytes, millis)) {
      points = DriveFit.measure(reader, terminal::show);
    }
    Path index = Files.createDirectory(own.resolve("index"));
    HostLab lab = calibration.index(index);
    HostReport report;
    try (LoopbackNode node = program == null ? null : LoopbackNode.start(program, index)) {
      HostLab onNode = node == null ? null : new HostLab(index, node.device(), terminal::show);
      HostCalibration.Made made = calibration.make(points, lab, onNode, check, machine);
      write("--write", file, to -> Files.writeString(to, Profiles.write(made.profile())));
      report =
          new HostReport(
              machine,
              made.profile().name(),
              file == null ? null : file.toString(),
              HostCalibration.measured(made.profile()),
              HostCalibration.reads(points, made.profile()),
              made.rows(),
              HostCalibration.BOUND_PCT);
    }
    write("--out", out, report::write);
    return report;
  }

  private interface Writer {
    void write(Path to) throws IOException;
  }

  private static void write(String option, Path to, Writer writer) {
    try {
      if (to != null) {
        writer.write(to);
      }
    } catch (IOException e) {
      throw Failure.of(option + " " + to + ": " + ErrorReport.sentence(e), e);
    }
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
