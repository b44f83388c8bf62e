/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.whatif;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.DirectoryReader;
import org.luceneoffload.OffloadDirectory;
import org.luceneoffload.cli.command.ErrorReport;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.cli.command.Failure;
import org.luceneoffload.cli.command.OffloadCommand;
import org.luceneoffload.cli.options.IndexAndDevice;
import org.luceneoffload.cli.options.IndexOptions;
import org.luceneoffload.cli.options.ProfileChanges;
import org.luceneoffload.cli.options.ProfileNames;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.papers.ReportText;
import org.luceneoffload.papers.html.ReportFiles;
import org.luceneoffload.papers.study.Header;
import org.luceneoffload.papers.study.Report;
import org.luceneoffload.workload.TypedFields;
import org.luceneoffload.workload.request.LoggedRequest;
import org.luceneoffload.workload.request.RequestLog;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code offload what-if}. */
@Command(
    name = "what-if",
    header = "Ask what a query log would take on modelled devices.",
    description =
        "Runs a query log of your own over an index of your own on the simulator, and says what it"
            + " would take on modelled devices and their hosts: latency and energy by class of"
            + " queries, queries a second, cost of a million, and how many cores, what clock, link"
            + " and channels a device needs to win.")
public final class WhatIfCommand extends OffloadCommand {
  @Mixin private IndexAndDevice which;

  @Option(
      names = "--queries",
      paramLabel = "FILE",
      required = true,
      description =
          "The log: a query a line in Lucene's classic syntax, or a JSON search request, with body,"
              + " name and count if wanted.")
  private Path queries;

  @Option(
      names = "--profile",
      paramLabel = "P",
      required = true,
      description = "A device profile, see offload profile; may be said twice.")
  private List<String> names;

  @Mixin private ProfileChanges changes;
  @Mixin private Prices prices;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description =
          "Also write report.html, report.json and CSV files to this folder, which is made if"
              + " missing.")
  private Path out;

  @Option(
      names = "--mqsim",
      paramLabel = "FILE",
      description = "Also write the host's reads on the first profile as a trace of MQSim.")
  private Path mqsim;

  @Option(
      names = "--blktrace",
      paramLabel = "FILE",
      description = "Also write them as blkparse prints them, for FEMU and others.")
  private Path blktrace;

  @Override
  protected int run() throws Exception {
    if (prices.fault() != null) {
      throw Failure.usage(prices.fault());
    } else if (names.size() > 2) {
      throw Failure.usage("--profile may be said twice, not " + names.size() + " times");
    }
    List<DeviceProfile> profiles = profiles();
    try {
      if (out != null) {
        ReportFiles.prepare(out);
      }
    } catch (IOException e) {
      throw Failure.of("--out " + out + ": " + ErrorReport.sentence(e), e);
    }
    Report report = report(profiles);
    Path file = out == null ? null : ReportFiles.write(report, out).get(0);
    print(report, () -> ReportText.print(report, file, out()));
    return ExitCodes.OK;
  }

  /** Returns the profiles with the changes, and before that, of one, the profile without them. */
  private List<DeviceProfile> profiles() {
    List<DeviceProfile> profiles = new ArrayList<>();
    for (String name : names) {
      DeviceProfile profile = ProfileNames.load(name);
      if (names.size() == 1 && !changes.isEmpty()) {
        profiles.add(profile);
      }
      profiles.add(changes.apply(profile));
    }
    return profiles;
  }

  private Report report(List<DeviceProfile> profiles) throws IOException {
    try (OffloadDirectory directory = IndexOptions.open(which.index(), which.device(), false);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      List<LoggedRequest> lines = new RequestLog(TypedFields.of(reader)).read(queries);
      LoggedQueries log = LoggedQueries.of(directory, reader, lines);
      if (log.size() < lines.size()) {
        err().println(lines.size() - log.size() + " lines of the log could not be translated");
      }
      WhatIf whatIf = new WhatIf(log, prices, (step, done, total) -> err().println(step));
      write(log, profiles.get(0), mqsim, BlockTrace.Format.MQSIM);
      write(log, profiles.get(0), blktrace, BlockTrace.Format.BLKTRACE);
      return new Report(
          Header.of(String.join(" ", arguments()), profiles, List.of()),
          List.of(whatIf.run(profiles)),
          List.of(),
          null);
    } catch (IllegalArgumentException e) {
      throw Failure.of(e.getMessage(), e);
    }
  }

  private static void write(
      LoggedQueries log, DeviceProfile profile, Path file, BlockTrace.Format format) {
    if (file != null) {
      try (Writer writer = Files.newBufferedWriter(file)) {
        log.write(new BlockTrace(writer, format), profile);
      } catch (IOException e) {
        throw Failure.of(file + " cannot be written: " + ErrorReport.sentence(e), e);
      }
    }
  }
}
