/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.model;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.ModelProfileLayout;

/**
 * Every number of a profile. What each means stands at its offset in {@link ModelProfileLayout};
 * the ranges here are wide enough for any device that was ever built, and narrow enough to find a
 * wrong unit.
 */
public final class ProfileFields {
  private static final long K = 1_000;
  private static final long M = 1_000_000;
  private static final long G = 1_000_000_000;

  /** All fields, in the order in which profiles are shown. */
  public static final List<ProfileField> ALL;

  private static final Map<String, ProfileField> BY_PATH = new LinkedHashMap<>();

  /** Components that belong to the host; the others are the device's. */
  private static final int FIRST_HOST_COMPONENT = ModelNames.COMPONENTS.indexOf("host");

  private static final List<ProfileField> FIELDS = new ArrayList<>();

  static {
    deviceLink();
    deviceCores();
    deviceFlash();
    host();
    ALL = List.copyOf(FIELDS);
    ALL.forEach(field -> BY_PATH.put(field.path(), field));
  }

  private ProfileFields() {}

  private static void deviceLink() {
    u64("device.link_bytes_per_s", "B/s", M, 1000 * G, ModelProfileLayout.LINK_BYTES_PER_S);
    u32("device.link_command_ns", "ns", 0, 10 * M, ModelProfileLayout.LINK_COMMAND_NS);
    u32("device.link_completion_ns", "ns", 0, 10 * M, ModelProfileLayout.LINK_COMPLETION_NS);
    u32(
        "device.link_completion",
        "1 = polled, 2 = interrupt",
        1,
        2,
        ModelProfileLayout.LINK_COMPLETION);
    u32("device.link_poll_ns", "ns", 0, G, ModelProfileLayout.LINK_POLL_NS);
    u32("device.link_queue_depth", "commands", 1, 65_536, ModelProfileLayout.LINK_QUEUE_DEPTH);
    u32("device.send_chunk_bytes", "B", 512, 16 * M, ModelProfileLayout.SEND_CHUNK_BYTES);
    u32("device.send_chunk_ns", "ns", 0, 100 * M, ModelProfileLayout.SEND_CHUNK_NS);
    u32("device.session_open_ns", "ns", 0, G, ModelProfileLayout.SESSION_OPEN_NS);
  }

  private static void deviceCores() {
    u64("device.core_hz", "Hz", M, 10 * G, ModelProfileLayout.CORE_HZ);
    u32("device.core_count", "cores", 1, 64, ModelProfileLayout.CORE_COUNT);
    u32("device.core_switch_ns", "ns", 0, 10 * M, ModelProfileLayout.CORE_SWITCH_NS);
    u32("device.core_slice_ns", "ns", 0, G, ModelProfileLayout.CORE_SLICE_NS);
    u32("device.program_read_ahead", "pages", 0, 4096, ModelProfileLayout.PROGRAM_READ_AHEAD);
    option("device.thread_worker_ns", "ns", M, ModelProfileLayout.THREAD_WORKER_NS, Integer.BYTES);
    option("device.thread_master_ns", "ns", M, ModelProfileLayout.THREAD_MASTER_NS, Integer.BYTES);
    int copy = ModelProfileLayout.COPY_BYTES_PER_S;
    option("device.copy_bytes_per_s", "B/s", 1000 * G, copy, Long.BYTES);
    u64("device.dram_bytes", "B", M, 1000 * G, ModelProfileLayout.DRAM_BYTES);
    u64("device.dram_bytes_per_s", "B/s", 10 * M, 1000 * G, ModelProfileLayout.DRAM_BYTES_PER_S);
    work(
        "device",
        "core",
        ModelProfileLayout.CORE_MILLICYCLES,
        ModelProfileLayout.ACCESS_PS,
        ModelProfileLayout.ACCESS_BYTES);
  }

  private static void deviceFlash() {
    u32("device.firmware_count", "controllers", 1, 64, ModelProfileLayout.FIRMWARE_COUNT);
    u32("device.firmware_read_ns", "ns", 0, 10 * M, ModelProfileLayout.FIRMWARE_READ_NS);
    u32("device.firmware_write_ns", "ns", 0, 10 * M, ModelProfileLayout.FIRMWARE_WRITE_NS);
    u32(
        "device.flash_writes_in_flight",
        "commands",
        1,
        4096,
        ModelProfileLayout.FLASH_WRITES_IN_FLIGHT);
    u32("device.flash_channels", "channels", 1, 64, ModelProfileLayout.FLASH_CHANNELS);
    u32("device.flash_ways", "chips", 1, 64, ModelProfileLayout.FLASH_WAYS);
    u32("device.flash_dies", "dies", 1, 16, ModelProfileLayout.FLASH_DIES);
    u32("device.flash_planes", "planes", 1, 16, ModelProfileLayout.FLASH_PLANES);
    u32(
        "device.flash_independent_planes",
        "1 = yes, 0 = no",
        0,
        1,
        ModelProfileLayout.FLASH_INDEPENDENT_PLANES);
    u32(
        "device.flash_policy",
        "1 = chip alone, 2 = transfers first, 3 = both, 0 = neither",
        0,
        3,
        ModelProfileLayout.FLASH_POLICY);
    u32("device.flash_page_bytes", "B", 4096, 65_536, ModelProfileLayout.FLASH_PAGE_BYTES);
    u32("device.flash_block_pages", "pages", 16, 16_384, ModelProfileLayout.FLASH_BLOCK_PAGES);
    u32("device.flash_plane_blocks", "blocks", 8, 65_536, ModelProfileLayout.FLASH_PLANE_BLOCKS);
    u32("device.flash_spare_ppm", "ppm", 0, 900 * K, ModelProfileLayout.FLASH_SPARE_PPM);
    u32("device.flash_gc_blocks", "blocks", 1, 1000, ModelProfileLayout.FLASH_GC_BLOCKS);
    u32("device.flash_page_types", "kinds", 1, 4, ModelProfileLayout.FLASH_PAGE_TYPES);
    u32("device.flash_command_ns", "ns", 0, M, ModelProfileLayout.FLASH_COMMAND_NS);
    for (int i = 0; i < OffloadWire.MODEL_PAGE_TYPES; i++) {
      int at = i * Integer.BYTES;
      boolean first = i == 0;
      add(
          "device.flash_read_ns.page" + i,
          "ns",
          first ? K : 0,
          M,
          first,
          ModelProfileLayout.FLASH_READ_NS + at,
          Integer.BYTES);
      add(
          "device.flash_program_ns.page" + i,
          "ns",
          first ? 10 * K : 0,
          100 * M,
          first,
          ModelProfileLayout.FLASH_PROGRAM_NS + at,
          Integer.BYTES);
    }
    u32("device.flash_erase_ns", "ns", 10 * K, G, ModelProfileLayout.FLASH_ERASE_NS);
    u64("device.channel_bytes_per_s", "B/s", M, 100 * G, ModelProfileLayout.CHANNEL_BYTES_PER_S);
    u32("device.ecc_step_bytes", "B", 128, 65_536, ModelProfileLayout.ECC_STEP_BYTES);
    u32("device.ecc_step_ns", "ns", 0, M, ModelProfileLayout.ECC_STEP_NS);
    power("device", 0, FIRST_HOST_COMPONENT);
    clock("device.power.core.at_hz", ModelProfileLayout.CORE_POWER_HZ);
    u64("device.flash_read_pj", "pJ", 0, 1000 * G, ModelProfileLayout.FLASH_READ_PJ);
    u64("device.flash_program_pj", "pJ", 0, 1000 * G, ModelProfileLayout.FLASH_PROGRAM_PJ);
    u64("device.flash_erase_pj", "pJ", 0, 10_000 * G, ModelProfileLayout.FLASH_ERASE_PJ);
    u32("device.link_pj_per_byte", "pJ/B", 0, 100 * K, ModelProfileLayout.LINK_PJ_PER_BYTE);
    u32("device.dram_pj_per_byte", "pJ/B", 0, 100 * K, ModelProfileLayout.DRAM_PJ_PER_BYTE);
    u32("device.channel_pj_per_byte", "pJ/B", 0, 100 * K, ModelProfileLayout.CHANNEL_PJ_PER_BYTE);
  }

  private static void host() {
    u64("host.core_hz", "Hz", 100 * M, 10 * G, ModelProfileLayout.HOST_HZ);
    u32("host.core_count", "cores", 1, 1024, ModelProfileLayout.HOST_CORE_COUNT);
    u64(
        "host.dram_bytes_per_s",
        "B/s",
        100 * M,
        10_000 * G,
        ModelProfileLayout.HOST_DRAM_BYTES_PER_S);
    u32("host.read_cpu_ns", "ns", 0, 10 * M, ModelProfileLayout.HOST_READ_CPU_NS);
    u32("host.read_wait_ns", "ns", 0, 10 * M, ModelProfileLayout.HOST_READ_WAIT_NS);
    u32("host.read_ahead", "pages", 0, 4096, ModelProfileLayout.HOST_READ_AHEAD);
    u32("host.query_ns", "ns", 0, G, ModelProfileLayout.HOST_QUERY_NS);
    u32("host.rank_ps", "ps", 0, 100 * M, ModelProfileLayout.HOST_RANK_PS);
    work(
        "host",
        "core",
        ModelProfileLayout.HOST_MILLICYCLES,
        ModelProfileLayout.HOST_ACCESS_PS,
        ModelProfileLayout.HOST_ACCESS_BYTES);
    power("host", FIRST_HOST_COMPONENT, ModelNames.COMPONENTS.size());
    clock("host.power.host_core.at_hz", ModelProfileLayout.HOST_POWER_HZ);
    int read = ModelProfileLayout.HOST_READ_PJ_PER_BYTE;
    option("host.read_pj_per_byte", "pJ/B", M, read, Long.BYTES);
    u32("host.dram_pj_per_byte", "pJ/B", 0, 100 * K, ModelProfileLayout.HOST_DRAM_PJ_PER_BYTE);
  }

  private static void work(String half, String core, int cycles, int picos, int bytes) {
    for (int i = 0; i < ModelNames.WORK.size(); i++) {
      String path = half + ".work." + ModelNames.WORK.get(i);
      int at = i * Integer.BYTES;
      boolean required = i < ModelNames.WORK_OF_EVERY_PROFILE;
      String cost = path + "." + core + "_millicycles";
      int four = Integer.BYTES;
      add(cost, "cycles / 1000", 0, 100 * M, required, cycles + at, four);
      add(path + ".access_ps", "ps", 0, G, required, picos + at, four);
      add(path + ".access_bytes", "B", 0, 65_536, required, bytes + at, four);
    }
  }

  private static void power(String half, int from, int to) {
    for (int i = from; i < to; i++) {
      String path = half + ".power." + ModelNames.COMPONENTS.get(i);
      int at = i * Integer.BYTES;
      u32(path + ".idle_mw", "mW", 0, M, ModelProfileLayout.POWER_IDLE_MW + at);
      u32(path + ".active_mw", "mW", 0, M, ModelProfileLayout.POWER_ACTIVE_MW + at);
    }
  }

  /**
   * Adds the clock at which a core draws its active power; without it, it does so at every clock.
   */
  private static void clock(String path, int offset) {
    add(path, "Hz", 0, 100 * G, false, offset, Long.BYTES);
  }

  private static void u32(String path, String unit, long min, long max, int offset) {
    add(path, unit, min, max, true, offset, Integer.BYTES);
  }

  private static void u64(String path, String unit, long min, long max, int offset) {
    add(path, unit, min, max, true, offset, Long.BYTES);
  }

  /** Adds a number that may be left out. */
  private static void option(String path, String unit, long max, int offset, int bytes) {
    add(path, unit, 0, max, false, offset, bytes);
  }

  private static void add(
      String path, String unit, long min, long max, boolean required, int offset, int bytes) {
    FIELDS.add(new ProfileField(path, unit, min, max, required, offset, bytes));
  }

  /**
   * Returns the field at a path.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static ProfileField of(String path) {
    ProfileField field = BY_PATH.get(path);
    if (field == null) {
      throw new IllegalArgumentException("no field " + path);
    }
    return field;
  }

  /** Fills in what stands before the numbers. */
  static void header(ByteBuffer struct, String name) {
    ModelProfileLayout.magic(struct, 0, OffloadWire.MODEL_PROFILE_MAGIC);
    ModelProfileLayout.version(struct, 0, OffloadWire.VERSION);
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    struct.put(ModelProfileLayout.NAME, bytes, 0, Math.min(bytes.length, NAME_BYTES));
  }

  private static final int NAME_BYTES =
      ModelProfileLayout.LINK_BYTES_PER_S - ModelProfileLayout.NAME;
}
