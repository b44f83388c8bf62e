/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.luceneoffload.cli.CliRun;
import org.luceneoffload.cli.command.ExitCodes;
import org.luceneoffload.papers.study.PaperReport;

/** What is measured of a drive, as a file and as a section of the report. */
class TestDriveSection {
  @TempDir private Path dir;

  private static final HostReport MADE_UP =
      new HostReport(
          "a processor, 2 processors, ext4, 2026-01-02",
          "measured",
          null,
          Map.of("host.read_wait_ns", 7000L, "device.work.page_open.core_millicycles", 1L),
          List.of(
              new HostReport.Read(4096, 1, 50, 55, 10), new HostReport.Read(4096, 4, 100, 90, -10)),
          List.of(
              new HostReport.Row("cold", "AND top 10", 8, 12, 800, 900, 12.5),
              new HostReport.Row("on a storage node", "AND top 10", 8, 12, 100, 70, -30)),
          20);

  private Path written() throws IOException {
    Path file = dir.resolve("drive.json");
    MADE_UP.write(file);
    return file;
  }

  @Test
  void whatIsWrittenIsReadAgain() throws IOException {
    Path file = written();
    assertEquals(MADE_UP, HostReport.read(file));
    PaperReport section = DriveSection.read(file);
    assertTrue(section.profileTitle().endsWith("ext4, 2026-01-02"), section.profileTitle());
    assertEquals(1, section.calibrated().size());
    assertEquals("ns", section.calibrated().get(0).unit());
    assertEquals(2, section.tables().get(0).rows().size());
    assertEquals(
        Arrays.asList("on a storage node", "AND top 10", 12.0, 100.0, 70.0, -30.0, "MISS"),
        section.tables().get(0).rows().get(1));
    assertTrue(section.notes().get(0).contains("1 of 2 rows miss"), section.notes()::toString);
  }

  @Test
  void theReportShowsTheErrorOfTheModel() throws IOException {
    assumeTrue(CliRun.devices().contains("sim"), "no native library here");
    Path out = dir.resolve("out");
    Object[] reproduce = {
      "reproduce", "--only", "difference-skew", "--drive", written(), "--out", out
    };
    CliRun text = CliRun.of(reproduce).ok();
    assertTrue(text.out().contains("on a storage node"), text.out());
    String page = Files.readString(out.resolve("report.html"));
    assertTrue(page.contains("<td class=\"miss\">MISS</td>"), "a row that is missed");
    assertTrue(page.contains("made by calibrate-host on a processor"), "machine and date");
    assertTrue(page.contains("--drive " + dir), "the command");
    String csv = Files.readString(out.resolve("tables.csv"));
    assertTrue(csv.contains("error,%,-30\n"), csv);
    JsonNode json = CliRun.of("reproduce", "--json", "--only", "difference-skew").ok().json();
    assertFalse(json.has("drive"), "without the option");
  }

  @Test
  void aFileThatIsNoneIsNamedBeforeAnythingRuns() throws IOException {
    for (String wrong : List.of("", "{}", "[1]", "{\"machine\": 1}")) {
      Path file = Files.writeString(dir.resolve("wrong.json"), wrong);
      CliRun run = CliRun.of("reproduce", "--drive", file);
      run.fails(ExitCodes.FAILURE, "--drive " + file + ": not what calibrate-host");
      assertEquals(1, run.err().lines().count(), run.err());
    }
    CliRun.of("reproduce", "--drive", dir.resolve("none.json"))
        .fails(ExitCodes.FAILURE, "no such file");
    CliRun.of("reproduce", "--calibrate", "--drive", written())
        .fails(ExitCodes.USAGE, "--calibrate");
    CliRun.of("calibrate-host", "--folder", dir, "--out", "x").fails(ExitCodes.USAGE, ".json");
  }
}
