/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.luceneoffload.cli.command.ErrorReport;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.options.ProfileNames;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.cli.output.TextTable;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.html.ReportFiles;
import org.luceneoffload.papers.lab.ModelLab;
import org.luceneoffload.papers.pageindex.IndexStudy;
import org.luceneoffload.papers.study.Calibration;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.ReproReport;
import org.luceneoffload.papers.study.Reproduction;
import org.luceneoffload.papers.study.Study;
import org.luceneoffload.papers.tables.TableFit;
import org.luceneoffload.papers.tables.TableStudy;
import org.luceneoffload.papers.tasks.TaskStudy;
import org.luceneoffload.papers.tasks.TaskText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code offload reproduce}. */
@Command(
    name = "reproduce",
    header = "Run the experiments of papers on the model.",
    description =
        "Runs the experiments of papers on computational SSDs on the device model, and compares the"
            + " figures: s1, search on the Smart SSD (2016); s2, queries over tables on the Smart"
            + " SSD (2013); s3, pages that device and host share (Summarizer, 2017); s4, page"
            + " indexes in the SSD (FLIXR, 2022).",
    footer = {
      "",
      "All times and energies are simulated; two runs write the same bytes. Figures that miss their"
          + " target are no failure of the command: the report names them."
    })
public final class ReproduceCommand extends OffloadCommand {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Also write report.html, report.json and CSV files to this folder, which is made if"
              + " missing.")
  private Path out;

  @Option(
      names = "--paper",
      paramLabel = "NAME",
      description =
          "Only this paper: s1, s2, s3 or s4 (default: all; with --only or --calibrate, s1).")
  private String paper;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      defaultValue = "",
      description = "Only experiments of s1 whose name starts with this; --only ? lists them.")
  private String only;

  @Option(
      names = "--profile",
      paramLabel = "P",
      description =
          "Device profile, see offload profile (default: that of the paper's own device).")
  private String profile;

  @Option(
      names = "--text",
      paramLabel = "FILE",
      description =
          "Text that the join of s3 works on: a corpus (.jsonl) or lines (default: drawn records).")
  private Path text;

  @Option(
      names = "--calibrate",
      description = "Instead, fit the paper's calibrated numbers again, and show what comes out.")
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
    if (calibrate && out != null) {
      throw Failure.usage("--calibrate writes nothing to --out");
    }
    if (!only.isEmpty() && paper != null && !paper.equals(Papers.SEARCH)) {
      throw Failure.usage("--only names experiments of " + Papers.SEARCH);
    }
    Terminal terminal = Terminal.standardError(err());
    List<String> papers = papers();
    boolean reads = papers.contains(Papers.TASKS) && !calibrate;
    if (text != null && !reads) {
      throw Failure.usage("--text is what " + Papers.TASKS + " works on, which is not run");
    }
    TaskText records = reads ? text() : null;
    if (out != null) {
      makeFolder();
    }
    return calibrate ? calibrate(papers.get(0), terminal) : reproduce(papers, records, terminal);
  }

  /** Makes the folder of the report before minutes of work are done for it. */
  private void makeFolder() throws Failure {
    try {
      ReportFiles.prepare(out);
    } catch (IOException e) {
      throw Failure.of(
          "--out " + out + ": no report can be written there: " + ErrorReport.sentence(e), e);
    }
  }

  private List<String> papers() throws Failure {
    if (paper == null) {
      return only.isEmpty() && !calibrate ? Papers.names() : List.of(Papers.SEARCH);
    }
    if (!Papers.names().contains(paper)) {
      throw Failure.usage("--paper is one of " + String.join(", ", Papers.names()));
    }
    return List.of(paper);
  }

  private DeviceProfile device(String ofPaper) throws Exception {
    return ProfileNames.load(profile == null ? Papers.profileOf(ofPaper) : profile);
  }

  /** Reads the text before minutes of work are done for other papers. */
  private TaskText text() throws Failure {
    try {
      if (text != null) {
        return TaskText.read(text);
      }
      return TaskText.drawn();
    } catch (IOException e) {
      throw Failure.of("the text of s3 cannot be read: " + ErrorReport.sentence(e), e);
    }
  }

  private static Map<String, Long> fit(
      String ofPaper, DeviceProfile device, Consumer<String> progress) throws IOException {
    return switch (ofPaper) {
      case Papers.TABLES -> TableFit.fit(device, progress);
      case Papers.TASKS -> new TaskStudy(TaskText.drawn()).fit(device, progress);
      case Papers.PAGE_INDEX -> new IndexStudy().fit(device, progress);
      default -> Calibration.fit(device, progress);
    };
  }

  private int calibrate(String ofPaper, Terminal terminal) throws Exception {
    List<Fitted> numbers = new ArrayList<>();
    DeviceProfile device = device(ofPaper);
    Study study = ofPaper.equals(Papers.TASKS) ? new TaskStudy(TaskText.drawn()) : new IndexStudy();
    try {
      fit(ofPaper, device, terminal::show)
          .forEach(
              (path, value) -> numbers.add(new Fitted(path, value, study.inUse(device, path))));
    } finally {
      terminal.clear();
    }
    print(
        numbers,
        () -> {
          TextTable table = new TextTable("", "number", ">fitted", ">in the profile");
          numbers.forEach(
              n -> table.add(n.path(), Figures.count(n.fitted()), Figures.count(n.inProfile())));
          table.print(out());
        });
    return ExitCodes.OK;
  }

  private int reproduce(List<String> papers, TaskText records, Terminal terminal) throws Exception {
    ReproReport report = null;
    try {
      List<PaperReport> others = new ArrayList<>();
      for (String each : papers) {
        DeviceProfile device = device(each);
        switch (each) {
          case Papers.SEARCH -> report = searchPaper(device, terminal);
          case Papers.TABLES ->
              others.add(new TableStudy().run(device, text -> progress(terminal, text)));
          case Papers.TASKS -> {
            TaskStudy study = new TaskStudy(records);
            String missing = study.missing(device);
            if (paper == null && missing != null) {
              err().println("left out: " + missing);
            } else {
              others.add(study.run(device, line -> progress(terminal, line)));
            }
          }
          default -> others.add(new IndexStudy().run(device, text -> progress(terminal, text)));
        }
      }
      if (report == null) {
        report = ReproReport.ofPapers(others);
      } else if (!others.isEmpty()) {
        report = report.with(others);
      }
    } catch (IllegalArgumentException e) {
      throw Failure.of("the device model: " + e.getMessage(), e);
    } finally {
      terminal.clear();
    }
    Path file = out == null ? null : write(report);
    ReproReport written = report;
    print(written, () -> ReportText.print(written, file, out()));
    return ExitCodes.OK;
  }

  /** Writes the report; returns the file for people. */
  private Path write(ReproReport report) throws Failure {
    try {
      return ReportFiles.write(report, out).get(0);
    } catch (IOException e) {
      throw Failure.of(
          "the report could not be written to " + out + ": " + ErrorReport.sentence(e), e);
    }
  }

  private ReproReport searchPaper(DeviceProfile device, Terminal terminal) throws Exception {
    try (ModelLab lab = new ModelLab(device, false)) {
      return reproduction(device, lab, terminal).run();
    }
  }

  private Reproduction reproduction(DeviceProfile device, ModelLab lab, Terminal terminal) {
    try {
      return new Reproduction(device, lab, only, text -> progress(terminal, text));
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--only: " + e.getMessage());
    }
  }

  /** Prints a line that is rewritten on a terminal; elsewhere a line now and then. */
  private void progress(Terminal terminal, String text) {
    if (terminal.interactive()) {
      terminal.show(text);
    } else if (!text.matches("\\d+ of .*") || text.matches("(\\d*[05]|1) of .*")) {
      err().println(text);
      err().flush();
    }
  }
}
