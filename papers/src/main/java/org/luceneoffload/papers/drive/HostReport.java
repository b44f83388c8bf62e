/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.TextTable;

/**
 * What was measured, and how far the model is from it.
 *
 * @param machine where and when
 * @param profile name of the profile
 * @param file where it was written; null: nowhere
 * @param measured its measured numbers, by their places
 * @param reads the drive, measured and played by the model
 * @param queries by their shape, measured and predicted; empty without --check
 * @param boundPct the error that is aimed at
 */
record HostReport(
    String machine,
    String profile,
    String file,
    Map<String, Long> measured,
    List<Read> reads,
    List<Row> queries,
    double boundPct) {
  /**
   * A point of the drive.
   *
   * @param bytes of a read
   * @param depth reads at once
   * @param measuredUs time of a read
   * @param modelledUs the same, played
   * @param errorPct deviation of the second
   */
  record Read(int bytes, int depth, double measuredUs, double modelledUs, double errorPct) {}

  /**
   * Queries of a shape.
   *
   * @param where they ran
   * @param shape and what was asked
   * @param queries how many
   * @param pages that one loads, the mean
   * @param measuredUs geometric mean
   * @param predictedUs predicted
   * @param errorPct deviation of the prediction
   */
  record Row(
      String where,
      String shape,
      int queries,
      double pages,
      double measuredUs,
      double predictedUs,
      double errorPct) {
    /** Returns whether the prediction is farther off than is aimed at. */
    boolean missed(double boundPct) {
      return Math.abs(errorPct) > boundPct;
    }
  }

  /** Returns the deviation of a prediction, in per cent. */
  static double error(double predicted, double measured) {
    return 100 * (predicted / measured - 1);
  }

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .build();

  /** Checks that nothing but the file is missing. */
  HostReport {
    for (Object needed : new Object[] {machine, profile, measured, reads, queries}) {
      Objects.requireNonNull(needed);
    }
  }

  /**
   * Reads a report that {@link #write} wrote.
   *
   * @throws IOException saying so if it is none
   */
  static HostReport read(Path from) throws IOException {
    String json = Files.readString(from);
    try {
      return MAPPER.readValue(json, HostReport.class);
    } catch (JsonProcessingException e) {
      throw new IOException("not what calibrate-host --out writes", e);
    }
  }

  /** Writes the report to a file. */
  void write(Path to) throws IOException {
    Files.writeString(to, MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(this) + "\n");
  }

  /** Returns the measured numbers without the device's costs of work, which are the host's. */
  Map<String, Long> shown() {
    Map<String, Long> shown = new LinkedHashMap<>(measured);
    shown.keySet().removeIf(path -> path.startsWith("device.work."));
    return shown;
  }

  /** Returns how many rows miss the bound. */
  long missed() {
    return queries.stream().filter(row -> row.missed(boundPct)).count();
  }

  /** Prints the report. */
  void print(PrintWriter out) {
    out.println("measured on " + machine);
    if (!reads.isEmpty()) {
      TextTable table =
          new TextTable("  ", ">KiB", ">at once", ">measured us", ">modelled us", ">error");
      reads.forEach(
          r ->
              table.add(
                  "" + r.bytes / 1024,
                  "" + r.depth,
                  number(r.measuredUs),
                  number(r.modelledUs),
                  percent(r.errorPct)));
      table.print(out);
    }
    TextTable numbers = new TextTable("  ", "number", ">measured");
    shown().forEach((path, value) -> numbers.add(path, Figures.count(value)));
    numbers.print(out);
    if (!queries.isEmpty()) {
      TextTable table =
          new TextTable(
              "  ", "queries", "", ">pages", ">measured us", ">predicted us", ">error", "");
      queries.forEach(
          r ->
              table.add(
                  r.where,
                  r.shape,
                  number(r.pages),
                  number(r.measuredUs),
                  number(r.predictedUs),
                  percent(r.errorPct),
                  r.missed(boundPct) ? "MISS" : "pass"));
      table.print(out);
      out.println(
          missed() == 0
              ? "every row is predicted within " + Math.round(boundPct) + " %"
              : missed()
                  + " of "
                  + queries.size()
                  + " rows are not predicted within "
                  + Math.round(boundPct)
                  + " %");
    }
    if (file != null) {
      out.println("profile " + profile + " written to " + file);
    }
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 100 ? "%.1f" : "%.0f", value);
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%+.1f %%", value);
  }
}
