/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.model;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.luceneoffload.cli.output.Figures;
import org.luceneoffload.model.ModelReport;

/**
 * The modelled cost of a query on a device, and on a host that reads the same pages from it:
 * simulated, not measured. Programs run one after the other.
 *
 * @param profile name of the profile
 * @param programs plans that the query came to: one a segment, more if results came in parts
 * @param device the plans on the device
 * @param host the same work on the host
 * @param latencyRatio time of the host divided by that of the device; null if there was no plan
 * @param energyRatio the same of the energy over idle; null if the device's is 0
 */
public record ModelledCost(
    String profile, int programs, Side device, Side host, Double latencyRatio, Double energyRatio) {
  /**
   * One side.
   *
   * @param elapsedPs time in ps
   * @param partsPs what it is spent on; adds up to {@code elapsedPs}
   * @param busyPs use of resources, all units of a kind together
   * @param energyOverIdlePj energy over idle in pJ
   * @param activePj the same by component; adds up to it
   * @param idlePj what the components would draw in that time if they did nothing
   * @param work units of work by kind
   * @param pageLoads pages that the plans asked for
   * @param flashReads flash pages read
   * @param bytesRead bytes that came from the flash
   * @param bytesSent bytes of results that went to the host
   */
  record Side(
      long elapsedPs,
      Map<String, Long> partsPs,
      Map<String, Long> busyPs,
      long energyOverIdlePj,
      Map<String, Long> activePj,
      Map<String, Long> idlePj,
      Map<String, Long> work,
      long pageLoads,
      long flashReads,
      long bytesRead,
      long bytesSent) {

    private static Side of(List<ModelReport> reports) {
      Map<String, Long> active = sum(reports, ModelReport::activePj);
      return new Side(
          reports.stream().mapToLong(ModelReport::elapsedPs).sum(),
          sum(reports, ModelReport::partsPs),
          sum(reports, ModelReport::busyPs),
          active.values().stream().mapToLong(Long::longValue).sum(),
          active,
          sum(reports, ModelReport::idlePj),
          sum(reports, ModelReport::work),
          reports.stream().mapToLong(ModelReport::pageLoads).sum(),
          reports.stream().mapToLong(ModelReport::flashReads).sum(),
          reports.stream().mapToLong(ModelReport::bytesRead).sum(),
          reports.stream().mapToLong(ModelReport::bytesSent).sum());
    }

    private static Map<String, Long> sum(
        List<ModelReport> reports, Function<ModelReport, Map<String, Long>> part) {
      Map<String, Long> sums = new LinkedHashMap<>();
      for (ModelReport report : reports) {
        part.apply(report).forEach((name, value) -> sums.merge(name, value, Long::sum));
      }
      return sums;
    }
  }

  /** Sums plans up. */
  public static ModelledCost of(String profile, List<ModelMeter.ModelledProgram> programs) {
    Side device = Side.of(programs.stream().map(ModelMeter.ModelledProgram::onDevice).toList());
    Side host = Side.of(programs.stream().map(ModelMeter.ModelledProgram::onHost).toList());
    return new ModelledCost(
        profile,
        programs.size(),
        device,
        host,
        ratio(host.elapsedPs(), device.elapsedPs()),
        ratio(host.energyOverIdlePj(), device.energyOverIdlePj()));
  }

  private static Double ratio(long above, long below) {
    return below == 0 ? null : Figures.round((double) above / below);
  }
}
