/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ModelReportLayout;

/**
 * The timing model's report of a request on one side; all times are simulated.
 *
 * @param side {@code device} or {@code host}
 * @param arrivalPs when the request came
 * @param finishPs when the host had all of its answer
 * @param elapsedPs the time between
 * @param partsPs what the time was spent on, by {@link ModelNames#PARTS}; adds up to the elapsed
 * @param busyPs use of resources, all units together, by {@link ModelNames#RESOURCES}
 * @param idlePj energy of components that do nothing, by {@link ModelNames#COMPONENTS}
 * @param activePj what their use takes on top
 * @param work units of work, by {@link ModelNames#WORK}
 * @param pageLoads pages that the program asked for
 * @param flashReads flash pages read into a register
 * @param bytesRead bytes that came from the flash
 * @param bytesSent bytes of results that went to the host
 * @param resultsRanked results that the host ranked
 * @param polls polls that found nothing
 */
public record ModelReport(
    String side,
    long arrivalPs,
    long finishPs,
    long elapsedPs,
    Map<String, Long> partsPs,
    Map<String, Long> busyPs,
    Map<String, Long> idlePj,
    Map<String, Long> activePj,
    Map<String, Long> work,
    long pageLoads,
    long flashReads,
    long bytesRead,
    long bytesSent,
    long resultsRanked,
    long polls) {
  private static final double PS_A_MS = 1e9;
  private static final double PJ_A_MJ = 1e9;

  /**
   * Reads a {@code model_report} of the wire.
   *
   * @throws ProfileException if it is none, or of another version
   */
  public static ModelReport read(ByteBuffer buffer, int at) throws ProfileException {
    ByteBuffer b = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (b.limit() - at < ModelReportLayout.BYTES
        || ModelReportLayout.magic(b, at) != OffloadWire.MODEL_REPORT_MAGIC
        || ModelReportLayout.version(b, at) != OffloadWire.VERSION) {
      throw new ProfileException("no model report of version " + OffloadWire.VERSION);
    }
    return new ModelReport(
        ModelReportLayout.side(b, at) == OffloadWire.ModelSide.DEVICE ? "device" : "host",
        ModelReportLayout.arrivalPs(b, at),
        ModelReportLayout.finishPs(b, at),
        ModelReportLayout.elapsedPs(b, at),
        array(ModelNames.PARTS, i -> ModelReportLayout.partPs(b, at, i)),
        array(ModelNames.RESOURCES, i -> ModelReportLayout.busyPs(b, at, i)),
        array(ModelNames.COMPONENTS, i -> ModelReportLayout.idlePj(b, at, i)),
        array(ModelNames.COMPONENTS, i -> ModelReportLayout.activePj(b, at, i)),
        array(ModelNames.WORK, i -> ModelReportLayout.work(b, at, i)),
        ModelReportLayout.pageLoads(b, at),
        ModelReportLayout.flashReads(b, at),
        ModelReportLayout.bytesRead(b, at),
        ModelReportLayout.bytesSent(b, at),
        ModelReportLayout.resultsRanked(b, at),
        ModelReportLayout.linkPolls(b, at));
  }

  /** Reads a report that stands alone. */
  public static ModelReport read(byte[] bytes) throws ProfileException {
    return read(ByteBuffer.wrap(bytes), 0);
  }

  /**
   * Returns requests of one side that come one after the other, as one.
   *
   * @param reports at least one
   */
  public static ModelReport inSequence(List<ModelReport> reports) {
    long elapsed = sum(reports, ModelReport::elapsedPs);
    long arrival = reports.get(0).arrivalPs();
    return new ModelReport(
        reports.get(0).side(),
        arrival,
        arrival + elapsed,
        elapsed,
        sumOf(reports, ModelReport::partsPs),
        sumOf(reports, ModelReport::busyPs),
        sumOf(reports, ModelReport::idlePj),
        sumOf(reports, ModelReport::activePj),
        sumOf(reports, ModelReport::work),
        sum(reports, ModelReport::pageLoads),
        sum(reports, ModelReport::flashReads),
        sum(reports, ModelReport::bytesRead),
        sum(reports, ModelReport::bytesSent),
        sum(reports, ModelReport::resultsRanked),
        sum(reports, ModelReport::polls));
  }

  private static long sum(List<ModelReport> reports, ToLongFunction<ModelReport> number) {
    return reports.stream().mapToLong(number).sum();
  }

  private static Map<String, Long> sumOf(
      List<ModelReport> reports, Function<ModelReport, Map<String, Long>> numbers) {
    Map<String, Long> sums = new LinkedHashMap<>();
    for (ModelReport report : reports) {
      numbers.apply(report).forEach((name, value) -> sums.merge(name, value, Long::sum));
    }
    return Collections.unmodifiableMap(sums);
  }

  /** Returns the elapsed time in ms. */
  public double elapsedMs() {
    return elapsedPs / PS_A_MS;
  }

  /** Returns the time of some parts in ms. */
  public double partMs(String... parts) {
    long sum = 0;
    for (String part : parts) {
      sum += partsPs.get(part);
    }
    return sum / PS_A_MS;
  }

  /**
   * Returns the energy over idle in mJ, as a power meter at the wall gives it if idle power is
   * taken off.
   */
  public double activeMj() {
    return activePj.values().stream().mapToLong(Long::longValue).sum() / PJ_A_MJ;
  }

  /** Returns the number of accesses to posting lists in DRAM. */
  public long listAccesses() {
    return work.get("list_read") + work.get("probe_read");
  }

  private interface Element {
    long at(int index);
  }

  private static Map<String, Long> array(List<String> names, Element element) {
    Map<String, Long> map = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      map.put(names.get(i), element.at(i));
    }
    return Collections.unmodifiableMap(map);
  }
}
