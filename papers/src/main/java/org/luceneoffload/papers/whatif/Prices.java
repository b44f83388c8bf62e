/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.whatif;

import org.luceneoffload.model.DeviceProfile;
import picocli.CommandLine.Option;

/** What machines and power are assumed to cost, in any currency. */
final class Prices {
  private static final double S_A_YEAR = 365.25 * 24 * 3600;
  private static final double J_A_KWH = 3.6e6;
  private static final double MILLION = 1e6;

  @Option(
      names = "--host-price",
      paramLabel = "PRICE",
      defaultValue = "6000",
      description = "Price of a server without its drives (assumed: ${DEFAULT-VALUE}).")
  private double host;

  @Option(
      names = "--drive-price",
      paramLabel = "PRICE",
      defaultValue = "400",
      description = "Price of a plain drive (assumed: ${DEFAULT-VALUE}).")
  private double drive;

  @Option(
      names = "--program-price",
      paramLabel = "PRICE",
      defaultValue = "200",
      description =
          "What a drive that runs programs costs more than a plain one (assumed:"
              + " ${DEFAULT-VALUE}).")
  private double programs;

  @Option(
      names = "--years",
      paramLabel = "YEARS",
      defaultValue = "4",
      description = "Years of use (assumed: ${DEFAULT-VALUE}).")
  private double years;

  @Option(
      names = "--use",
      paramLabel = "SHARE",
      defaultValue = "0.3",
      description = "Share of the time in which they work (assumed: ${DEFAULT-VALUE}).")
  private double use;

  @Option(
      names = "--power-price",
      paramLabel = "PRICE",
      defaultValue = "0.25",
      description = "Price of a kWh (assumed: ${DEFAULT-VALUE}).")
  private double power;

  /** Returns an error if a price is absurd, or null. */
  String fault() {
    return years > 0
            && use > 0
            && use <= 1
            && host >= 0
            && drive >= 0
            && programs >= 0
            && power >= 0
        ? null
        : "prices are 0 or more, --years above 0, --use above 0 and at most 1";
  }

  /** Returns the text that names the assumptions. */
  String text() {
    return "Assumed: a server for "
        + host
        + ", a drive for "
        + drive
        + ", "
        + programs
        + " more if it runs programs, "
        + years
        + " years at work for "
        + 100 * use
        + " % of the time, a kWh for "
        + power
        + ". A query pays for the share of the server's cores that it uses, for the time that it"
        + " uses the drive's bottleneck, and for its energy over idle.";
  }

  /** Returns what a million queries pay for the server's cores. */
  double ofHost(SideCost side, DeviceProfile profile) {
    double cores = SideCost.units(profile, "host_core");
    return MILLION * side.busy("host_core") / cores * host / (years * S_A_YEAR * use);
  }

  /** Returns what they pay for the drive. */
  double ofDrive(SideCost side, DeviceProfile profile, boolean runsPrograms) {
    double price = drive + (runsPrograms ? programs : 0);
    return MILLION * side.driveSeconds(profile) * price / (years * S_A_YEAR * use);
  }

  /** Returns what they pay for power. */
  double ofPower(SideCost side) {
    return MILLION * side.mj() / 1e3 / J_A_KWH * power;
  }
}
