/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.model;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ModelTraceRecordLayout;

/**
 * When the parts of a modelled device or host were in use: simulated, and short enough to be drawn.
 * All units of a kind are one lane, and stretches that a drawing could not tell apart are one bar.
 *
 * @param elapsedNs the whole time
 * @param lanes the request, then from the link inwards
 */
public record TimeLine(long elapsedNs, List<Lane> lanes) {
  /** Bars of a lane, about: a pause shorter than that part of the time is not shown. */
  private static final int BARS = 300;

  /**
   * A kind of resource.
   *
   * @param name its name
   * @param bars when it was in use, in order
   */
  public record Lane(String name, List<Bar> bars) {}

  /**
   * A stretch of simulated time.
   *
   * @param fromNs its begin
   * @param toNs its end
   * @param what what was done, of the request; of resources all is one
   */
  public record Bar(long fromNs, long toNs, String what) {}

  /** Draws the programs of a query, one after the other, on the device. */
  public static TimeLine ofDevice(List<ModelMeter.ModelledProgram> programs) {
    return of(
        programs,
        ModelMeter.ModelledProgram::deviceTrace,
        program -> program.onDevice().elapsedPs() / 1000);
  }

  /** Draws the same work on the host. */
  public static TimeLine ofHost(List<ModelMeter.ModelledProgram> programs) {
    return of(
        programs,
        ModelMeter.ModelledProgram::hostTrace,
        program -> program.onHost().elapsedPs() / 1000);
  }

  /** Returns the LBAs of the pages that programs have read, on either side. */
  public static Set<Long> pagesRead(List<ModelMeter.ModelledProgram> programs) {
    Set<Long> pages = new HashSet<>();
    for (ModelMeter.ModelledProgram program : programs) {
      for (ByteBuffer trace : List.of(program.deviceTrace(), program.hostTrace())) {
        for (int at = 0; at < trace.limit(); at += ModelTraceRecordLayout.BYTES) {
          pages.add(Integer.toUnsignedLong(ModelTraceRecordLayout.page(trace, at)));
        }
      }
    }
    pages.remove(0L); // a record of no page
    return pages;
  }

  private static TimeLine of(
      List<ModelMeter.ModelledProgram> programs,
      Function<ModelMeter.ModelledProgram, ByteBuffer> trace,
      ToLongFunction<ModelMeter.ModelledProgram> elapsed) {
    Map<Integer, List<Bar>> byResource = new TreeMap<>();
    long start = 0;
    for (ModelMeter.ModelledProgram program : programs) {
      read(trace.apply(program), start, byResource);
      start += elapsed.applyAsLong(program);
    }
    List<Lane> lanes = new ArrayList<>();
    for (Map.Entry<Integer, List<Bar>> entry : byResource.entrySet()) {
      boolean request = entry.getKey() == OffloadWire.ModelResource.REQUEST;
      String name = TraceWriter.resource(entry.getKey());
      lanes.add(request ? 0 : lanes.size(), new Lane(name, merged(entry.getValue(), start / BARS)));
    }
    return new TimeLine(start, lanes);
  }

  private static void read(ByteBuffer trace, long start, Map<Integer, List<Bar>> byResource) {
    for (int at = 0; at < trace.limit(); at += ModelTraceRecordLayout.BYTES) {
      int resource = ModelTraceRecordLayout.resource(trace, at);
      boolean request = resource == OffloadWire.ModelResource.REQUEST;
      byResource
          .computeIfAbsent(resource, key -> new ArrayList<>())
          .add(
              new Bar(
                  start + ModelTraceRecordLayout.startNs(trace, at),
                  start + ModelTraceRecordLayout.endNs(trace, at),
                  request
                      ? TraceWriter.activity(ModelTraceRecordLayout.what(trace, at))
                      : "in use"));
    }
  }

  /** Makes bars one that do the same with no longer pause between them than {@code pause}. */
  private static List<Bar> merged(List<Bar> bars, long pause) {
    List<Bar> merged = new ArrayList<>();
    bars.sort(Comparator.comparingLong(Bar::fromNs));
    for (Bar bar : bars) {
      Bar last = merged.isEmpty() ? null : merged.getLast();
      if (last != null && last.what.equals(bar.what) && bar.fromNs <= last.toNs + pause) {
        merged.removeLast();
        merged.add(new Bar(last.fromNs, Math.max(last.toNs, bar.toNs), bar.what));
      } else {
        merged.add(bar);
      }
    }
    return merged;
  }
}
