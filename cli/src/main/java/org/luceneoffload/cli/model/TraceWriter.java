/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.model;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelNames;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ModelTraceRecordLayout;

/**
 * Writes the timeline of a query in the Chrome trace-event format, which Perfetto and {@code
 * chrome://tracing} open: a process for the device and one for the host, in each a track for the
 * request and for every unit of a resource. Times are simulated, in microseconds.
 */
public final class TraceWriter {
  private static final int DEVICE_PROCESS = 1;
  private static final int HOST_PROCESS = 2;
  private static final int UNITS_A_RESOURCE = 1 << 16;
  private static final int NANOSECOND_DIGITS = 3; // of a microsecond

  /** By {@code model_activity}. */
  private static final List<String> ACTIVITIES =
      List.of(
          "",
          "command",
          "wait",
          "transfer",
          "sense",
          "program",
          "erase",
          "correct",
          "compute",
          "allocate",
          "load",
          "send",
          "rank",
          "read",
          "queue");

  private final DeviceProfile profile;
  private final JsonGenerator json;

  /** Returns the name of a value of {@code model_activity}. */
  static String activity(int what) {
    return ACTIVITIES.get(what);
  }

  private TraceWriter(DeviceProfile profile, JsonGenerator json) {
    this.profile = profile;
    this.json = json;
  }

  /**
   * Writes a file.
   *
   * @param programs the query's plans, one after the other
   * @return records that were not kept, because there were more than the device was told to keep
   */
  public static long write(
      Path file, DeviceProfile profile, String query, List<ModelMeter.ModelledProgram> programs)
      throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.setPrettyPrinter(new MinimalPrettyPrinter("\n"));
      return new TraceWriter(profile, json).write(query, programs);
    }
  }

  private long write(String query, List<ModelMeter.ModelledProgram> programs) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("traceEvents");
    name("process_name", DEVICE_PROCESS, 0, profile.name() + ", programs on the device");
    name("process_name", HOST_PROCESS, 0, profile.name() + ", programs on the host");
    SortedSet<Integer> deviceTracks = new TreeSet<>();
    SortedSet<Integer> hostTracks = new TreeSet<>();
    long deviceStart = 0;
    long hostStart = 0;
    long lost = 0;
    for (ModelMeter.ModelledProgram program : programs) {
      records(program.deviceTrace(), DEVICE_PROCESS, deviceStart, deviceTracks);
      records(program.hostTrace(), HOST_PROCESS, hostStart, hostTracks);
      deviceStart += program.onDevice().elapsedPs() / 1000;
      hostStart += program.onHost().elapsedPs() / 1000;
      lost += program.lost();
    }
    tracks(DEVICE_PROCESS, deviceTracks);
    tracks(HOST_PROCESS, hostTracks);
    json.writeEndArray();
    json.writeStringField("displayTimeUnit", "ns");
    json.writeObjectFieldStart("otherData");
    json.writeStringField("clock", "simulated");
    json.writeStringField("profile", profile.name());
    json.writeStringField("query", query);
    json.writeNumberField("lost_records", lost);
    json.writeEndObject();
    json.writeEndObject();
    return lost;
  }

  private void records(ByteBuffer trace, int process, long startNs, SortedSet<Integer> tracks)
      throws IOException {
    for (int at = 0; at < trace.limit(); at += ModelTraceRecordLayout.BYTES) {
      int track = track(trace, at);
      tracks.add(track);
      long start = ModelTraceRecordLayout.startNs(trace, at);
      long end = ModelTraceRecordLayout.endNs(trace, at);
      json.writeStartObject();
      json.writeStringField("name", activity(ModelTraceRecordLayout.what(trace, at)));
      json.writeStringField("cat", resource(track / UNITS_A_RESOURCE));
      json.writeStringField("ph", "X");
      json.writeNumberField("ts", micros(startNs + start));
      json.writeNumberField("dur", micros(end - start));
      json.writeNumberField("pid", process);
      json.writeNumberField("tid", track);
      json.writeObjectFieldStart("args");
      long lba = Integer.toUnsignedLong(ModelTraceRecordLayout.page(trace, at));
      long amount = Integer.toUnsignedLong(ModelTraceRecordLayout.amount(trace, at));
      if (lba != 0) {
        json.writeNumberField("lba", lba);
      }
      if (amount != 0) {
        json.writeNumberField("amount", amount);
      }
      json.writeEndObject();
      json.writeEndObject();
    }
  }

  private static int track(ByteBuffer trace, int at) {
    int resource = ModelTraceRecordLayout.resource(trace, at);
    return resource * UNITS_A_RESOURCE + ModelTraceRecordLayout.unit(trace, at);
  }

  /**
   * Gives the tracks their names, and puts them into an order: the request, then from the link
   * inwards.
   */
  private void tracks(int process, SortedSet<Integer> tracks) throws IOException {
    for (int track : tracks) {
      int resource = track / UNITS_A_RESOURCE;
      name("thread_name", process, track, unit(resource, track % UNITS_A_RESOURCE));
      json.writeStartObject();
      json.writeStringField("name", "thread_sort_index");
      json.writeStringField("ph", "M");
      json.writeNumberField("pid", process);
      json.writeNumberField("tid", track);
      json.writeObjectFieldStart("args");
      json.writeNumberField(
          "sort_index", resource == OffloadWire.ModelResource.REQUEST ? -1 : track);
      json.writeEndObject();
      json.writeEndObject();
    }
  }

  private void name(String what, int process, int track, String name) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", what);
    json.writeStringField("ph", "M");
    json.writeNumberField("pid", process);
    json.writeNumberField("tid", track);
    json.writeObjectFieldStart("args");
    json.writeStringField("name", name);
    json.writeEndObject();
    json.writeEndObject();
  }

  private String unit(int resource, int unit) {
    return switch (resource) {
      case OffloadWire.ModelResource.LINK -> unit == 0 ? "link to device" : "link to host";
      case OffloadWire.ModelResource.DRAM_BUS, OffloadWire.ModelResource.HOST_DRAM ->
          resource(resource);
      case OffloadWire.ModelResource.PLANE -> plane(unit);
      default -> resource(resource) + " " + unit;
    };
  }

  /** Returns where a plane is; parts of which there is only one are not named. */
  private String plane(int unit) {
    String[] levels = {"channel", "way", "die", "plane"};
    String[] fields = {null, "flash_ways", "flash_dies", "flash_planes"};
    StringBuilder text = new StringBuilder();
    long rest = unit;
    for (int i = levels.length - 1; i >= 0; i--) {
      long count = fields[i] == null ? Long.MAX_VALUE : profile.get("device." + fields[i]);
      if (count > 1) {
        text.insert(0, levels[i] + " " + rest % count + (text.isEmpty() ? "" : ", "));
      }
      rest /= count;
    }
    return "flash " + text;
  }

  private static BigDecimal micros(long ns) {
    return BigDecimal.valueOf(ns, NANOSECOND_DIGITS);
  }

  /** Returns the name of a value of {@code model_resource}. */
  static String resource(int resource) {
    return ModelNames.RESOURCES.get(resource).replace('_', ' ');
  }
}
