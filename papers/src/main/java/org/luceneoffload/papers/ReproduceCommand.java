/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.luceneoffload.cli.command.ErrorReport;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.options.ProfileChanges;
import org.luceneoffload.cli.options.ProfileNames;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.Terminal;
import org.luceneoffload.cli.output.TextTable;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.drive.DriveSection;
import org.luceneoffload.papers.html.ReportFiles;
import org.luceneoffload.papers.pageindex.IndexStudy;
import org.luceneoffload.papers.search.SearchStudy;
import org.luceneoffload.papers.study.Header;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Papers;
import org.luceneoffload.papers.study.Report;
import org.luceneoffload.papers.study.Study;
import org.luceneoffload.papers.tables.TableStudy;
import org.luceneoffload.papers.tasks.TaskStudy;
import org.luceneoffload.papers.tasks.TaskText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
      names = "--beside",
      paramLabel = "P",
      description =
          "Also run on this profile, and show its figures beside (default: none; with --set, the"
              + " profile without the changes).")
  private String beside;

  @Mixin private ProfileChanges changes;

  @Option(
      names = "--sweep",
      paramLabel = "PATH=A,B,C",
      description =
          "With --paper: instead, show how each figure moves with this number of the profile.")
  private String sweep;

  @Option(
      names = "--elasticities",
      paramLabel = "PATH",
      arity = "0..1",
      fallbackValue = "",
      description =
          "With --paper: instead, show by how many percent each figure moves for one percent of"
              + " each number of the profile whose path starts with this (default: all). A run for"
              + " each; how long they will take is told first. s1 runs on a sample.")
  private String elasticities;

  @Option(
      names = "--text",
      paramLabel = "FILE",
      description =
          "Text that the join of s3 works on: a corpus (.jsonl) or lines (default: drawn records).")
  private Path text;

  @Option(
      names = "--drive",
      paramLabel = "FILE",
      description =
          "Also show a measured drive and the model's error, as calibrate-host --check --out wrote"
              + " them.")
  private Path drive;

  @Option(
      names = "--calibrate",
      description = "Instead, fit the paper's calibrated numbers again, and show what comes out.")
  private boolean calibrate;

  private Terminal terminal;

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
      List<String> parts = SearchStudy.parts();
      print(parts, () -> parts.forEach(out()::println));
      return ExitCodes.OK;
    }
    check();
    terminal = Terminal.standardError(err());
    List<Study> studies = studies(names());
    PaperReport measured = drive();
    if (out != null) {
      makeFolder();
    }
    try {
      return calibrate ? calibrate(studies.get(0)) : reproduce(studies, measured);
    } catch (IllegalArgumentException e) {
      throw Failure.of("the device model: " + e.getMessage(), e);
    } finally {
      terminal.clear();
      studies.forEach(Study::close);
    }
  }

  private void check() throws Failure {
    boolean others = beside != null || !changes.isEmpty() || sweep != null || elasticities != null;
    if (calibrate && (out != null || drive != null)) {
      throw Failure.usage("--calibrate makes no report for --out and --drive");
    } else if (calibrate && others) {
      throw Failure.usage("--calibrate fits the numbers of the profile as it is");
    } else if (!only.isEmpty() && paper != null && !paper.equals(Papers.SEARCH)) {
      throw Failure.usage("--only names experiments of " + Papers.SEARCH);
    } else if ((sweep != null || elasticities != null) && names().size() > 1) {
      throw Failure.usage("--sweep and --elasticities need --paper");
    } else if (sweep != null && elasticities != null) {
      throw Failure.usage("--sweep and --elasticities are two reports");
    } else if (beside != null && (sweep != null || elasticities != null)) {
      throw Failure.usage("--beside is no part of --sweep and --elasticities");
    } else if (text != null && (calibrate || !names().contains(Papers.TASKS))) {
      throw Failure.usage("--text is what " + Papers.TASKS + " works on, which is not run");
    }
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

  private List<String> names() throws Failure {
    if (paper == null) {
      return only.isEmpty() && !calibrate ? Papers.names() : List.of(Papers.SEARCH);
    }
    if (!Papers.names().contains(paper)) {
      throw Failure.usage("--paper is one of " + String.join(", ", Papers.names()));
    }
    return List.of(paper);
  }

  private List<Study> studies(List<String> names) throws Failure {
    List<Study> studies = new ArrayList<>();
    for (String name : names) {
      Study study =
          switch (name) {
            case Papers.SEARCH -> search();
            case Papers.TABLES -> new TableStudy();
            case Papers.TASKS -> new TaskStudy(text());
            default -> new IndexStudy();
          };
      studies.add(elasticities == null ? study : study.sample());
    }
    return studies;
  }

  private Study search() throws Failure {
    try {
      return new SearchStudy(only);
    } catch (IllegalArgumentException e) {
      throw Failure.usage("--only: " + e.getMessage(), e);
    }
  }

  /** Reads the text before minutes of work are done for other papers. */
  private TaskText text() throws Failure {
    try {
      return text == null ? TaskText.drawn() : TaskText.read(text);
    } catch (IOException e) {
      throw Failure.of("the text of s3 cannot be read: " + ErrorReport.sentence(e), e);
    }
  }

  /** Reads what was measured of a drive; null if nothing is to be shown. */
  private PaperReport drive() throws Failure {
    try {
      return drive == null ? null : DriveSection.read(drive);
    } catch (IOException e) {
      throw Failure.of("--drive " + drive + ": " + ErrorReport.sentence(e), e);
    }
  }

  /** Returns the profile that a paper runs on, as it is without changes. */
  private DeviceProfile unchanged(Study study) throws Failure {
    return ProfileNames.load(profile == null ? Papers.profileOf(study.paper()) : profile);
  }

  /** Returns the profile that is shown beside, or null. */
  private DeviceProfile beside(Study study) throws Failure {
    return beside != null
        ? ProfileNames.load(beside)
        : changes.isEmpty() || sweep != null || elasticities != null ? null : unchanged(study);
  }

  private int calibrate(Study study) throws Exception {
    List<Fitted> numbers = new ArrayList<>();
    DeviceProfile device = unchanged(study);
    study
        .fit(device, terminal::show)
        .forEach((path, value) -> numbers.add(new Fitted(path, value, study.inUse(device, path))));
    terminal.clear();
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

  private int reproduce(List<Study> studies, PaperReport measured) throws Exception {
    List<PaperReport> papers = new ArrayList<>();
    List<PaperReport> besides = new ArrayList<>();
    List<DeviceProfile> profiles = new ArrayList<>();
    List<Header.Seeds> seeds = new ArrayList<>();
    for (Study study : studies) {
      DeviceProfile device = changes.apply(unchanged(study));
      DeviceProfile other = beside(study);
      if (lacks(study, device) || (other != null && lacks(study, other))) {
        continue;
      }
      papers.add(report(study, device));
      profiles.add(device);
      if (other != null) {
        besides.add(study.run(other, terminal));
        profiles.add(other);
      }
      if (!study.seeds().isEmpty()) {
        seeds.add(new Header.Seeds(study.paper(), study.seeds()));
      }
    }
    terminal.clear();
    if (papers.isEmpty()) {
      throw Failure.of("no paper can be reproduced on this profile");
    }
    Report report =
        new Report(Header.of(arguments(papers), profiles, seeds), papers, besides, measured);
    Path file = out == null ? null : write(report);
    print(report, () -> ReportText.print(report, file, out()));
    return ExitCodes.OK;
  }

  /** Tells that a profile lacks what a paper needs, which is a failure if it alone is wanted. */
  private boolean lacks(Study study, DeviceProfile device) throws Failure {
    String missing = study.missing(device);
    if (missing != null && paper != null) {
      throw Failure.of(missing);
    } else if (missing != null) {
      err().println("left out: " + missing);
    }
    return missing != null;
  }

  private PaperReport report(Study study, DeviceProfile device) throws IOException {
    if (sweep != null) {
      return ParameterSweep.parse(sweep).run(study, device, terminal);
    }
    return elasticities == null
        ? study.run(device, terminal)
        : Elasticities.run(study, device, elasticities, terminal);
  }

  /** Returns the arguments that give the same report. */
  private String arguments(List<PaperReport> papers) {
    List<String> arguments = new ArrayList<>(List.of("reproduce"));
    option(
        arguments, "--paper", paper == null && papers.size() == 1 ? papers.get(0).paper() : paper);
    option(arguments, "--only", only.isEmpty() ? null : only);
    option(arguments, "--profile", profile);
    option(arguments, "--beside", beside);
    changes.texts().forEach(change -> option(arguments, "--set", change));
    option(arguments, "--sweep", sweep);
    if (elasticities != null && elasticities.isEmpty()) {
      arguments.add("--elasticities");
    } else {
      option(arguments, "--elasticities", elasticities);
    }
    option(arguments, "--text", text);
    option(arguments, "--drive", drive);
    return String.join(" ", arguments);
  }

  private static void option(List<String> arguments, String name, Object value) {
    if (value != null) {
      String word = value.toString();
      arguments.add(name);
      arguments.add(word.matches("[\\w./=,:*-]+") ? word : "'" + word.replace("'", "'\\''") + "'");
    }
  }

  /** Writes the report; returns the file for people. */
  private Path write(Report report) throws Failure {
    try {
      return ReportFiles.write(report, out).get(0);
    } catch (IOException e) {
      throw Failure.of(
          "the report could not be written to " + out + ": " + ErrorReport.sentence(e), e);
    }
  }
}
