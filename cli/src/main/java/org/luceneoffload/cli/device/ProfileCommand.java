/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.device;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.luceneoffload.cli.command.ErrorReport;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.options.ProfileChanges;
import org.luceneoffload.cli.options.ProfileNames;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.TextTable;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ProfileValue;
import org.luceneoffload.model.Profiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code offload profile}. */
@Command(
    name = "profile",
    header = "List the device profiles, or show one.",
    description =
        "Lists the device profiles, or checks one and shows its numbers and their sources; with"
            + " --write, writes it to a file instead, which --profile takes.")
public final class ProfileCommand extends OffloadCommand {
  /**
   * A line of the list.
   *
   * @param name what {@code --profile} takes
   * @param title what it stands for
   * @param numbers numbers in it
   * @param calibrated how many of them were fitted
   */
  record Line(String name, String title, int numbers, long calibrated) {}

  /**
   * A profile, number by number.
   *
   * @param name what {@code --profile} takes
   * @param title what it stands for
   * @param about where its numbers come from
   * @param values by place
   */
  record Report(String name, String title, String about, Map<String, ProfileValue> values) {}

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "A profile's name, or a path that ends in .json.")
  private String name;

  @Option(
      names = "--write",
      paramLabel = "FILE",
      description = "Write the profile to this file, whose name ends in .json.")
  private Path file;

  @Mixin private ProfileChanges changes;

  @Override
  protected int run() throws Exception {
    if (name == null && (file != null || !changes.isEmpty())) {
      throw Failure.usage("--write and --set need the name of a profile");
    } else if (file != null && !file.toString().endsWith(".json")) {
      throw Failure.usage("--write " + file + ": the name of a profile's file ends in .json");
    }
    if (name == null) {
      List<Line> lines = new ArrayList<>();
      for (String known : Profiles.names()) {
        DeviceProfile profile = ProfileNames.load(known);
        lines.add(new Line(known, profile.title(), profile.values().size(), calibrated(profile)));
      }
      print(lines, () -> printList(lines));
    } else {
      DeviceProfile profile = changes.apply(ProfileNames.load(name));
      if (file != null) {
        write(profile);
        return ExitCodes.OK;
      }
      Report report =
          new Report(profile.name(), profile.title(), profile.about(), profile.values());
      print(report, () -> printProfile(report));
    }
    return ExitCodes.OK;
  }

  private void write(DeviceProfile profile) {
    try {
      Files.writeString(file, Profiles.write(profile));
    } catch (IOException e) {
      throw Failure.of("--write " + file + ": " + ErrorReport.sentence(e), e);
    }
  }

  private static long calibrated(DeviceProfile profile) {
    return profile.values().values().stream().filter(ProfileValue::calibrated).count();
  }

  private void printList(List<Line> lines) {
    TextTable table = new TextTable("", "profile", ">numbers", ">fitted", "what it stands for");
    lines.forEach(
        line ->
            table.add(
                line.name(),
                Figures.count(line.numbers()),
                Figures.count(line.calibrated()),
                line.title()));
    table.print(out());
  }

  private void printProfile(Report report) {
    out().println(report.name() + ": " + report.title());
    out().println(report.about());
    out().println();
    TextTable table = new TextTable("", "number", ">value", "unit", "", "source");
    report
        .values()
        .forEach(
            (path, value) ->
                table.add(
                    path,
                    Figures.count(value.value()),
                    value.unit(),
                    value.calibrated() ? "fitted" : "",
                    value.source()));
    table.print(out());
  }
}
