/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.model;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.cli.output.TextTable;

/** Modelled times and energies for people. */
public final class ModelPrinter {
  private static final double PS_A_US = 1e6;

  /** The last line of every report of modelled numbers. */
  public static final String FOOTNOTE =
      "Modelled times and energies are simulated, under the profile named, from an empty device"
          + " memory; energies are over idle.";

  private ModelPrinter() {}

  /**
   * Returns a line such as {@code modelled on smart-ssd-sas: device 1.2 ms, 2.4 mJ; host 8.1 ms,
   * 54.1 mJ (6.8x, 23x)}.
   */
  public static String line(ModelledCost cost) {
    if (cost.programs() == 0) {
      return "modelled on " + cost.profile() + ": nothing ran on the device";
    }
    return "modelled on "
        + cost.profile()
        + ": device "
        + side(cost.device())
        + "; host "
        + side(cost.host())
        + ratios(cost);
  }

  private static String side(ModelledCost.Side side) {
    return time(side.elapsedPs()) + ", " + energy(side.energyOverIdlePj());
  }

  private static String ratios(ModelledCost cost) {
    if (cost.latencyRatio() == null || cost.energyRatio() == null) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "; host / device %.2fx time, %.2fx energy",
        cost.latencyRatio(),
        cost.energyRatio());
  }

  /** Prints the breakdown of a query. */
  public static void print(ModelledCost cost, PrintWriter out) {
    out.println("  " + line(cost));
    if (cost.programs() == 0) {
      return;
    }
    TextTable table = new TextTable("    ", "", ">device", ">%", ">host", ">%");
    cost.device()
        .partsPs()
        .keySet()
        .forEach(
            part ->
                addShares(
                    table,
                    part,
                    cost.device().partsPs(),
                    cost.host().partsPs(),
                    ModelPrinter::time));
    cost.device()
        .activePj()
        .keySet()
        .forEach(
            component ->
                addShares(
                    table,
                    "energy, " + component,
                    cost.device().activePj(),
                    cost.host().activePj(),
                    ModelPrinter::energy));
    addCount(table, "pages loaded", cost.device().pageLoads(), cost.host().pageLoads());
    addCount(table, "flash pages read", cost.device().flashReads(), cost.host().flashReads());
    addCount(table, "bytes of results", cost.device().bytesSent(), cost.host().bytesSent());
    table.print(out);
  }

  private interface Unit {
    String show(long amount);
  }

  /* A row, unless both sides have nothing to show. */
  private static void addShares(
      TextTable table, String name, Map<String, Long> device, Map<String, Long> host, Unit unit) {
    long onDevice = device.get(name.substring(name.lastIndexOf(' ') + 1));
    long onHost = host.get(name.substring(name.lastIndexOf(' ') + 1));
    if (onDevice != 0 || onHost != 0) {
      table.add(
          name,
          unit.show(onDevice),
          share(onDevice, device),
          unit.show(onHost),
          share(onHost, host));
    }
  }

  private static void addCount(TextTable table, String name, long device, long host) {
    table.add(name, Figures.count(device), "", Figures.count(host), "");
  }

  private static String share(long amount, Map<String, Long> of) {
    long sum = of.values().stream().mapToLong(Long::longValue).sum();
    return sum == 0 ? "" : String.format(Locale.ROOT, "%.1f", 100.0 * amount / sum);
  }

  /** Returns a time, such as {@code 85 us} or {@code 12.3 ms}. */
  static String time(long ps) {
    return Figures.micros(ps / PS_A_US);
  }

  /** Returns an energy, such as {@code 1.2 uJ}, {@code 12.3 mJ} or {@code 1.2 J}. */
  static String energy(long pj) {
    if (pj < 1_000_000_000L) {
      return String.format(Locale.ROOT, "%.1f uJ", pj / 1e6);
    } else if (pj < 1_000_000_000_000L) {
      return String.format(Locale.ROOT, "%.1f mJ", pj / 1e9);
    }
    return String.format(Locale.ROOT, "%.1f J", pj / 1e12);
  }
}
