/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.whatif;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.luceneoffload.cli.output.Progress;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ProfileException;
import org.luceneoffload.model.ProfileField;
import org.luceneoffload.model.ProfileFields;
import org.luceneoffload.model.Profiles;
import org.luceneoffload.papers.study.PaperReport;
import org.luceneoffload.papers.study.Plot;
import org.luceneoffload.papers.study.Plot.Axis;
import org.luceneoffload.papers.study.Plot.Mark;
import org.luceneoffload.papers.study.Plot.Series;
import org.luceneoffload.papers.study.Table;
import org.luceneoffload.papers.whatif.LoggedQueries.Cost;

/** What a query log takes on devices, and what a device needs to win. */
final class WhatIf {
  private static final double[] FACTORS = {0.25, 0.5, 1, 2, 4};
  private static final long[] CORES = {1, 2, 4, 8, 16};
  private static final String CLOCK = "device.core_hz";
  private static final String COUNT = "device.core_count";
  private static final String LINK = "device.link_bytes_per_s";
  private static final String CHANNELS = "device.flash_channels";
  private static final int MAX_MAPPED = 100;

  private final LoggedQueries log;
  private final Prices prices;
  private final Progress progress;
  private final List<Table> tables = new ArrayList<>();
  private final List<Plot> plots = new ArrayList<>();

  WhatIf(LoggedQueries log, Prices prices, Progress progress) {
    this.log = log;
    this.prices = prices;
    this.progress = progress;
  }

  /** Runs the log on each profile, and on variants of it. */
  PaperReport run(List<DeviceProfile> profiles) throws IOException {
    List<Cost> costs = new ArrayList<>();
    for (DeviceProfile profile : profiles) {
      progress.tell("queries on " + profile.name());
      costs.add(log.run(profile));
    }
    if (costs.get(0).device().isEmpty()) {
      throw new IllegalArgumentException("no query of the log leaves anything to the device");
    }
    classes(costs);
    costs(costs);
    for (DeviceProfile profile : profiles) {
      progress.tell("break-even of " + profile.name());
      coresAndClock(profile);
      linkAndChannels(profile);
    }
    return new PaperReport(
        "what-if",
        "A query log on modelled devices",
        String.join(" and ", profiles.stream().map(DeviceProfile::name).toList()),
        String.join("; ", profiles.stream().map(DeviceProfile::title).toList()),
        false,
        List.of(
            log.size()
                + " queries were asked, of which "
                + costs.get(0).left()
                + " leave nothing to the device and are left out. Each starts with an empty device"
                + " memory. The host reads the same pages from the same drive. Queries a second are"
                + " those at which the first resource is always in use.",
            prices.text()),
        List.of(),
        List.of(),
        List.of(),
        tables,
        plots);
  }

  private void classes(List<Cost> costs) {
    Table table =
        Table.of("Queries by class", "Means of queries one after the other.")
            .text("profile")
            .text("class")
            .number("queries", "")
            .number("device", "ms")
            .number("host", "ms")
            .number("gain", "x")
            .number("energy, device", "mJ")
            .number("energy, host", "mJ")
            .number("gain in energy", "x");
    for (Cost cost : costs) {
      cost.device()
          .forEach(
              (name, device) -> {
                SideCost host = cost.host().get(name);
                table.row(
                    cost.profile().name(),
                    name,
                    device.queries(),
                    device.ms(),
                    host.ms(),
                    host.ms() / device.ms(),
                    device.mj(),
                    host.mj(),
                    host.mj() / device.mj());
              });
    }
    tables.add(table);
    plots.add(byClass("Latency by class of queries", "ms", costs, SideCost::ms));
    plots.add(byClass("Energy by class of queries", "mJ", costs, SideCost::mj));
  }

  private static Plot byClass(
      String title, String unit, List<Cost> costs, ToDoubleFunction<SideCost> value) {
    List<String> names = List.copyOf(costs.get(0).device().keySet());
    Plot plot =
        Plot.of(title, "", new Axis("class", "", false), new Axis("mean", unit, true), names);
    for (Cost cost : costs) {
      String profile = cost.profile().name();
      plot.add(profile + ", device", Mark.BARS, values(names, cost.device(), value));
      plot.add(profile + ", host", Mark.BARS, values(names, cost.host(), value));
    }
    return plot;
  }

  private static List<Double> values(
      List<String> names, Map<String, SideCost> sides, ToDoubleFunction<SideCost> value) {
    return names.stream().map(name -> value.applyAsDouble(sides.get(name))).toList();
  }

  private void costs(List<Cost> costs) {
    Table table =
        Table.of("Throughput, and cost of a million queries", prices.text())
            .text("profile")
            .text("side")
            .number("queries", "1/s")
            .text("bottleneck")
            .number("server", "")
            .number("drive", "")
            .number("power", "")
            .number("all", "");
    for (Cost cost : costs) {
      DeviceProfile profile = cost.profile();
      for (boolean device : new boolean[] {true, false}) {
        SideCost side = (device ? cost.device() : cost.host()).get(Cost.ALL);
        double host = prices.ofHost(side, profile);
        double drive = prices.ofDrive(side, profile, device);
        double power = prices.ofPower(side);
        table.row(
            profile.name(),
            device ? "device" : "host",
            side.perS(profile),
            side.bottleneck(profile).replace('_', ' '),
            host,
            drive,
            power,
            host + drive + power);
      }
    }
    tables.add(table);
  }

  /** Returns how many times as many queries a second the device does. */
  private static double gain(Cost cost, DeviceProfile profile) {
    return cost.device().get(Cost.ALL).perS(profile) / cost.host().get(Cost.ALL).perS(profile);
  }

  /** Cores only divide the work: one run does for all numbers of them. */
  private void coresAndClock(DeviceProfile profile) throws IOException {
    List<Long> clocks = multiples(profile, CLOCK);
    List<List<Double>> gains = new ArrayList<>();
    for (long cores : CORES) {
      gains.add(new ArrayList<>());
    }
    for (long clock : clocks) {
      Cost cost = log.sample(MAX_MAPPED).run(with(profile, Map.of(CLOCK, clock)));
      for (int i = 0; i < CORES.length; i++) {
        gains.get(i).add(gain(cost, with(cost.profile(), Map.of(COUNT, CORES[i]))));
      }
    }
    List<String> names = new ArrayList<>();
    for (long cores : CORES) {
      names.add(cores + (cores == 1 ? " core" : " cores"));
    }
    map("Break-even of cores and clock, " + profile.name(), CLOCK, clocks, names, gains);
  }

  private void linkAndChannels(DeviceProfile profile) throws IOException {
    List<Long> links = multiples(profile, LINK);
    List<List<Double>> gains = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (long channels : multiples(profile, CHANNELS)) {
      List<Double> row = new ArrayList<>();
      for (long link : links) {
        DeviceProfile varied = with(profile, Map.of(LINK, link, CHANNELS, channels));
        row.add(gain(log.sample(MAX_MAPPED).run(varied), varied));
      }
      gains.add(row);
      names.add(channels + (channels == 1 ? " channel" : " channels"));
    }
    map("Break-even of link and channels, " + profile.name(), LINK, links, names, gains);
  }

  private void map(
      String title, String path, List<Long> xs, List<String> names, List<List<Double>> gains) {
    String unit = ProfileFields.of(path).unit();
    Table table =
        Table.of(
                title,
                "Queries a second of the device over those of its host, by the bottleneck of each;"
                    + " below 1 the host wins. Of at most "
                    + MAX_MAPPED
                    + " queries.")
            .number(path, unit);
    names.forEach(name -> table.number(name, "x"));
    for (int i = 0; i < xs.size(); i++) {
      List<Object> row = new ArrayList<>(List.of(xs.get(i)));
      for (List<Double> gain : gains) {
        row.add(gain.get(i));
      }
      table.row(row.toArray());
    }
    tables.add(table);
    List<Double> x = xs.stream().map(Long::doubleValue).toList();
    Plot plot =
        Plot.of(title, "", new Axis(path, unit, true), new Axis("device over host", "x", true));
    for (int i = 0; i < names.size(); i++) {
      plot.add(new Series(names.get(i), Mark.LINE, false, x, gains.get(i)));
    }
    plot.add(new Series("break-even", Mark.LINE, false, x, Collections.nCopies(x.size(), 1.0)));
    plots.add(plot);
  }

  /** Returns multiples of a number of the profile, within its range. */
  private static List<Long> multiples(DeviceProfile profile, String path) {
    ProfileField field = ProfileFields.of(path);
    List<Long> values = new ArrayList<>();
    for (double factor : FACTORS) {
      long value = Math.round(factor * profile.get(path));
      values.add(Math.max(field.min(), Math.min(field.max(), value)));
    }
    return values.stream().distinct().toList();
  }

  private static DeviceProfile with(DeviceProfile profile, Map<String, Long> values) {
    try {
      return Profiles.change(profile, values, "varied");
    } catch (ProfileException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
