/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.whatif;

import java.util.LinkedHashMap;
import java.util.Map;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelReport;

/** What queries take on one side, the device or its host. */
final class SideCost {
  private static final double PS_A_S = 1e12;
  private static final double PJ_A_J = 1e12;

  private final Map<String, Double> busyS = new LinkedHashMap<>();
  private long queries;
  private double seconds;
  private double joules;

  /** Adds queries that were asked so often. */
  void queries(long count) {
    queries += count;
  }

  /** Adds a plan of such queries. */
  void add(ModelReport report, long count) {
    seconds += count * report.elapsedPs() / PS_A_S;
    joules += count * report.activePj().values().stream().mapToLong(Long::longValue).sum() / PJ_A_J;
    report.busyPs().forEach((name, ps) -> busyS.merge(name, count * ps / PS_A_S, Double::sum));
  }

  long queries() {
    return queries;
  }

  /** Returns the mean time of a query alone, in ms. */
  double ms() {
    return 1e3 * seconds / queries;
  }

  /** Returns the mean energy of a query over idle, in mJ. */
  double mj() {
    return 1e3 * joules / queries;
  }

  /** Returns the seconds that a query uses a resource, all units together. */
  double busy(String resource) {
    return busyS.getOrDefault(resource, 0.0) / queries;
  }

  /** Returns the resource that limits how many queries can be done at once. */
  String bottleneck(DeviceProfile profile) {
    String most = "core";
    for (String name : busyS.keySet()) {
      if (busy(name) / units(profile, name) > busy(most) / units(profile, most)) {
        most = name;
      }
    }
    return most;
  }

  /** Returns the queries a second if the bottleneck is always in use. */
  double perS(DeviceProfile profile) {
    String most = bottleneck(profile);
    return units(profile, most) / busy(most);
  }

  /** Returns the seconds that a query uses the bottleneck of the drive. */
  double driveSeconds(DeviceProfile profile) {
    return busyS.keySet().stream()
        .filter(name -> !name.startsWith("host_"))
        .mapToDouble(name -> busy(name) / units(profile, name))
        .max()
        .orElse(0);
  }

  /** Returns how many units of a resource there are. */
  static double units(DeviceProfile profile, String resource) {
    return switch (resource) {
      case "firmware" -> profile.get("device.firmware_count");
      case "core" -> profile.get("device.core_count");
      case "channel", "ecc" -> profile.get("device.flash_channels");
      case "plane" ->
          profile.get("device.flash_channels")
              * profile.get("device.flash_ways")
              * profile.get("device.flash_dies")
              * profile.get("device.flash_planes");
      case "host_core" -> profile.get("host.core_count");
      case "request" -> Double.POSITIVE_INFINITY;
      default -> 1;
    };
  }
}
