/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.drive;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelNames;
import org.luceneoffload.model.ProfileField;
import org.luceneoffload.model.ProfileFields;
import org.luceneoffload.model.ProfileValue;

/**
 * Makes a profile of what was measured. Costs of work are times: the clock of its cores is a
 * gigahertz, so that a cycle is a nanosecond. Programs of the device run on the same processor, as
 * those of the simulator and of a storage node do. What was not measured is taken from another
 * profile, and says so.
 */
final class MeasuredProfile {
  /** Kinds of work that the queries do. */
  static final List<String> MEASURED_WORK =
      List.of(
          "page_open",
          "block_open",
          "block_skip",
          "posting_decode",
          "posting_search",
          "posting_score",
          "bitmap_word",
          "result_take",
          "dram_line");

  /** Place of what a session on a device takes beside its work. */
  static final String SESSION = "device.session_open_ns";

  /** Place of the clock of a device's cores. */
  static final String CORES = "device.core_hz";

  /** Place of the bandwidth that all reads share. */
  static final String LINK = "device.link_bytes_per_s";

  private static final long CLOCK = 1_000_000_000;
  private static final double LINES_OF_A_PAGE = 64;

  /** What a query takes beside its work, in ns, for the proportion of costs that is expected. */
  private static final double EXPECTED_QUERY_NS = 20_000;

  private final DeviceProfile other;
  private final String when;
  private final Map<String, ProfileValue> values;

  private MeasuredProfile(DeviceProfile other, String when) {
    this.other = other;
    this.when = when;
    values = new LinkedHashMap<>();
    other
        .values()
        .forEach(
            (path, value) ->
                values.put(
                    path,
                    new ProfileValue(
                        value.value(),
                        value.unit(),
                        "not measured, as " + other.name() + ": " + value.source(),
                        false)));
  }

  /**
   * Makes the profile.
   *
   * @param other gives what was not measured
   * @param when where and when it was measured, for the sources
   * @param drive numbers of the drive
   * @param memoryBytesPerS bandwidth of the host's memory
   * @param costs ns of a unit of work by {@link #MEASURED_WORK}, and behind them of a query
   * @param coldQueryNs what a cold query takes beside its reads and its work
   */
  static DeviceProfile of(
      DeviceProfile other,
      String when,
      DriveFit.Drive drive,
      double memoryBytesPerS,
      double[] costs,
      double coldQueryNs) {
    MeasuredProfile profile = new MeasuredProfile(other, when);
    profile.geometry();
    drive
        .numbers()
        .forEach(
            (path, value) ->
                profile.set(path, value, "reads of 4 to 128 KiB, 1 to 256 at once, at random"));
    for (String path : List.of("host.core_hz", CORES)) {
      profile.define(path, CLOCK, "work is measured as time: a cycle is a nanosecond");
    }
    for (String path : List.of("host.power.host_core.at_hz", "device.power.core.at_hz")) {
      profile.define(path, CLOCK, "the clock of this profile");
    }
    int processors = Runtime.getRuntime().availableProcessors();
    profile.define("host.core_count", processors, "processors of this machine");
    profile.set("host.dram_bytes_per_s", Math.round(memoryBytesPerS), "copies of 64 MiB");
    profile.set(
        "host.query_ns",
        Math.round(coldQueryNs),
        "cold queries, what their reads and work leave, least squares");
    profile.work(costs);
    return new DeviceProfile(
        "measured",
        "This machine's drive and processor, " + when,
        "Measured by calibrate-host; what was not is that of " + other.name() + ".",
        profile.values);
  }

  /** Returns a profile with what a session somewhere takes beside its work. */
  static DeviceProfile withSession(DeviceProfile profile, double ns, String where, String when) {
    return profile.with(
        SESSION,
        Math.round(ns),
        "measured on " + when + ": queries " + where + ", what their work leaves, least squares");
  }

  /** Sets the drive's shape: what it can do at once is in its channels, and no stage is hidden. */
  private void geometry() {
    Map<String, Long> numbers = new LinkedHashMap<>();
    numbers.put("device.flash_page_bytes", (long) DriveFit.FLASH_PAGE_BYTES);
    for (String one : List.of("dies", "planes", "page_types")) {
      numbers.put("device.flash_" + one, 1L);
    }
    for (String none :
        List.of("flash_command_ns", "firmware_read_ns", "ecc_step_ns", "flash_policy")) {
      numbers.put("device." + none, 0L);
    }
    numbers.put("device.link_command_ns", 0L);
    numbers.put("device.link_completion_ns", 0L);
    numbers.put("device.firmware_count", 64L);
    numbers.put("device.dram_bytes_per_s", 1_000_000_000_000L);
    for (int kind = 1; kind < 4; kind++) {
      numbers.put("device.flash_read_ns.page" + kind, 0L);
      numbers.put("device.flash_program_ns.page" + kind, 0L);
    }
    numbers.forEach(
        (path, value) -> define(path, value, "in tR, in the wait of a read or in its bandwidth"));
  }

  private void work(double[] costs) {
    double measured = 0;
    double expected = 0;
    for (int i = 0; i < MEASURED_WORK.size(); i++) {
      measured += costs[i];
      expected += expected(MEASURED_WORK.get(i));
    }
    for (String side : List.of("host", "device")) {
      for (String work : ModelNames.WORK) {
        String path = side + ".work." + work;
        int at = MEASURED_WORK.indexOf(work);
        if (at >= 0) {
          long picos = Math.round(costs[at] * 1000);
          set(
              path + ".core_millicycles",
              picos,
              "queries in memory, least squares over their work");
        } else {
          long picos = Math.round(expected(work) * measured / expected * 1000);
          String source = "not timed: " + other.name() + "'s of its host, times what timed work is";
          define(path + ".core_millicycles", picos, source);
        }
        define(path + ".access_ps", 0, "in the cycles");
        define(path + ".access_bytes", 0, "in the cycles");
      }
    }
  }

  private double expected(String work) {
    return expected(other, work);
  }

  private static double expected(DeviceProfile profile, String work) {
    return profile.get("host.work." + work + ".core_millicycles")
            / 1000.0
            * CLOCK
            / profile.get("host.core_hz")
        + profile.get("host.work." + work + ".access_ps") / 1000.0;
  }

  private void set(String path, long value, String how) {
    put(path, value, "measured on " + when + ": " + how, true);
  }

  private void define(String path, long value, String how) {
    put(path, value, how, false);
  }

  private void put(String path, long value, String source, boolean measured) {
    ProfileField field = ProfileFields.of(path);
    long within = Math.max(field.min(), Math.min(value, field.max()));
    values.put(path, new ProfileValue(within, field.unit(), source, measured));
  }

  /** Returns the costs of work, and of a query, that another profile lets one expect, in ns. */
  static double[] expectations(DeviceProfile profile) {
    double[] costs = new double[MEASURED_WORK.size() + 1];
    for (int i = 0; i < MEASURED_WORK.size(); i++) {
      costs[i] = Math.max(0.01, expected(profile, MEASURED_WORK.get(i)));
    }
    costs[MEASURED_WORK.size()] = EXPECTED_QUERY_NS;
    return costs;
  }

  /**
   * Returns programs to fit costs to: queries in memory, which load nothing and check no page.
   *
   * @param micros what each took
   * @param slow how many times slower the cores were, on which all but the query itself ran
   */
  static List<CostFit.Program> programs(List<HostLab.Work> works, double[] micros, int slow) {
    List<CostFit.Program> programs = new ArrayList<>();
    for (int i = 0; i < micros.length; i++) {
      double[] units = measuredWork(works.get(i));
      for (int kind = 0; kind < MEASURED_WORK.size(); kind++) {
        units[kind] *= slow;
      }
      programs.add(new CostFit.Program(units, micros[i] * 1000));
    }
    return programs;
  }

  /** Returns the work of a query in memory, by the kinds of the model: no page is checked. */
  static double[] inMemory(HostLab.Work work) {
    double[] units = work.units().clone();
    int lines = ModelNames.WORK.indexOf("dram_line");
    units[lines] = Math.max(0, units[lines] - work.pages() * LINES_OF_A_PAGE);
    return units;
  }

  private static double[] measuredWork(HostLab.Work work) {
    double[] all = inMemory(work);
    double[] units = new double[MEASURED_WORK.size() + 1];
    for (int i = 0; i < MEASURED_WORK.size(); i++) {
      units[i] = all[ModelNames.WORK.indexOf(MEASURED_WORK.get(i))];
    }
    units[MEASURED_WORK.size()] = 1;
    return units;
  }
}
