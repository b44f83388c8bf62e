/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.reproduce;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.device.ProfileCommand;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Table;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.cli.reproduce.html.ReportFiles;
import org.luceneoffload.cli.reproduce.lab.ModelLab;
import org.luceneoffload.cli.reproduce.study.Calibration;
import org.luceneoffload.cli.reproduce.study.Published;
import org.luceneoffload.cli.reproduce.study.ReproReport;
import org.luceneoffload.cli.reproduce.study.Reproduction;
import org.luceneoffload.model.DeviceProfile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code offload reproduce}. */
@Command(
    name = "reproduce",
    header = "Run the Smart SSD paper's experiments on the model.",
    description =
        "Runs the Smart SSD paper's experiments on the device model, and compares the figures.",
    footer = {
      "",
      "All times and energies are simulated; two runs write the same bytes. Figures that miss their"
          + " target are no failure of the command: the report names them."
    })
public final class ReproduceCommand extends OffloadCommand {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Folder of the report: report.html, report.json and CSV files.")
  private Path out;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Only experiments whose name starts with this; --only ? lists them.")
  private String only;

  @Option(
      names = "--profile",
      paramLabel = "P",
      defaultValue = "smart-ssd-sas",
      description = "Device profile, see offload profile (default: ${DEFAULT-VALUE}).")
  private String profile;

  @Option(
      names = "--calibrate",
      description = "Instead, fit the profile's calibrated numbers again, and show what comes out.")
  private boolean calibrate;

  /**
   * A fitted number.
   *
   * @param path where it stands in a profile
   * @param fitted what the fit gives
   * @param inProfile what the profile has
   */
  record Fitted(String path, long fitted, long inProfile) {}

  @Override
  protected int run() throws Exception {
    if (only.equals("?")) {
      List<String> parts = Reproduction.parts();
      print(parts, () -> parts.forEach(out()::println));
      return ExitCodes.OK;
    }
    if (calibrate == (out != null)) {
      throw Failure.usage(calibrate ? "--calibrate writes nothing to --out" : "--out is missing");
    }
    DeviceProfile device = ProfileCommand.load(profile);
    Terminal terminal = Terminal.standardError(err());
    return calibrate ? calibrate(device, terminal) : reproduce(device, terminal);
  }

  private int calibrate(DeviceProfile device, Terminal terminal) throws IOException {
    List<Fitted> numbers = new ArrayList<>();
    try {
      Calibration.fit(device, terminal::show)
          .forEach((path, value) -> numbers.add(new Fitted(path, value, device.get(path))));
    } finally {
      terminal.clear();
    }
    print(
        numbers,
        () -> {
          Table table = new Table("", "number", ">fitted", ">in the profile");
          numbers.forEach(
              n -> table.add(n.path(), Figures.count(n.fitted()), Figures.count(n.inProfile())));
          table.print(out());
        });
    return ExitCodes.OK;
  }

  private int reproduce(DeviceProfile device, Terminal terminal) throws IOException {
    ReproReport report;
    try (ModelLab lab = new ModelLab(device, false)) {
      report = reproduction(device, lab, terminal).run();
    } catch (IllegalArgumentException e) {
      throw Failure.of("the device model: " + e.getMessage(), e);
    } finally {
      terminal.clear();
    }
    List<Path> files;
    try {
      files = ReportFiles.write(report, out);
    } catch (IOException e) {
      throw Failure.of("the report could not be written to " + out + ": " + e.getMessage(), e);
    }
    print(report, () -> printText(report, files));
    return ExitCodes.OK;
  }

  private Reproduction reproduction(DeviceProfile device, ModelLab lab, Terminal terminal) {
    try {
      return new Reproduction(device, lab, only, text -> progress(terminal, text));
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--only: " + e.getMessage());
    }
  }

  /** A line that is rewritten on a terminal; elsewhere a line now and then. */
  private void progress(Terminal terminal, String text) {
    if (terminal.interactive()) {
      terminal.show(text);
    } else if (!text.matches("\\d+ of .*") || text.matches("(\\d*[05]|1) of .*")) {
      err().println(text);
      err().flush();
    }
  }

  private void printText(ReproReport report, List<Path> files) {
    Table table = new Table("", "", ">published", ">modelled", ">deviation", "", "set");
    for (ReproReport.Figure figure : report.figures()) {
      Published p = figure.published();
      table.add(
          (p.group().equals("real") ? "real data, " : "") + p.text(),
          number(p.value()) + " " + p.unit(),
          number(figure.modelled()) + " " + p.unit(),
          String.format(Locale.ROOT, "%+.1f %%", figure.deviationPct()),
          figure.verdict().equals("shown") ? "" : figure.verdict(),
          p.fitted() ? "fitted" : "predicted");
    }
    table.print(out());
    out().println();
    Table trends = new Table("", "", "", "");
    for (ReproReport.TrendLine trend : report.trends()) {
      trends.add(trend.text(), trend.verdict(), trend.fitted() ? "fitted" : "predicted");
    }
    trends.print(out());
    out().println();
    if (report.trends().stream().anyMatch(t -> t.verdict().equals("holds"))) {
      out().println("Not the paper's device: its figures are no targets here. Simulated times.");
    } else {
      out()
          .printf(
              "fitted: %d pass, %d miss; predicted: %d pass, %d miss. Simulated times, profile %s.%n",
              report.count(true, "pass"),
              report.count(true, "MISS"),
              report.count(false, "pass"),
              report.count(false, "MISS"),
              report.profile());
    }
    out().println("Report: " + files.get(0));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, Math.abs(value) >= 100 ? "%,.0f" : "%.2f", value);
  }
}
