/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.model;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.OffloadWire.ModelProfile;

/**
 * Every number of a profile. What each means stands in {@code wire/WIRE.md} under {@code
 * model_profile}; the ranges here are wide enough for any device that was ever built, and narrow
 * enough to find a wrong unit.
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
    u64("device.link_bytes_per_s", "B/s", M, 1000 * G, ModelProfile.LINK_BYTES_PER_S);
    u32("device.link_command_ns", "ns", 0, 10 * M, ModelProfile.LINK_COMMAND_NS);
    u32("device.link_completion_ns", "ns", 0, 10 * M, ModelProfile.LINK_COMPLETION_NS);
    u32("device.link_completion", "1 = polled, 2 = interrupt", 1, 2, ModelProfile.LINK_COMPLETION);
    u32("device.link_poll_ns", "ns", 0, G, ModelProfile.LINK_POLL_NS);
    u32("device.link_queue_depth", "commands", 1, 65_536, ModelProfile.LINK_QUEUE_DEPTH);
    u32("device.send_chunk_bytes", "B", 512, 16 * M, ModelProfile.SEND_CHUNK_BYTES);
    u32("device.send_chunk_ns", "ns", 0, 100 * M, ModelProfile.SEND_CHUNK_NS);
    u32("device.session_open_ns", "ns", 0, G, ModelProfile.SESSION_OPEN_NS);
  }

  private static void deviceCores() {
    u64("device.core_hz", "Hz", M, 10 * G, ModelProfile.CORE_HZ);
    u32("device.core_count", "cores", 1, 64, ModelProfile.CORE_COUNT);
    u32("device.core_switch_ns", "ns", 0, 10 * M, ModelProfile.CORE_SWITCH_NS);
    u32("device.core_slice_ns", "ns", 0, G, ModelProfile.CORE_SLICE_NS);
    u32("device.program_read_ahead", "pages", 0, 4096, ModelProfile.PROGRAM_READ_AHEAD);
    u64("device.dram_bytes", "B", M, 1000 * G, ModelProfile.DRAM_BYTES);
    u64("device.dram_bytes_per_s", "B/s", 10 * M, 1000 * G, ModelProfile.DRAM_BYTES_PER_S);
    work(
        "device",
        "core",
        ModelProfile.CORE_MILLICYCLES,
        ModelProfile.ACCESS_PS,
        ModelProfile.ACCESS_BYTES);
  }

  private static void deviceFlash() {
    u32("device.firmware_count", "controllers", 1, 64, ModelProfile.FIRMWARE_COUNT);
    u32("device.firmware_read_ns", "ns", 0, 10 * M, ModelProfile.FIRMWARE_READ_NS);
    u32("device.firmware_write_ns", "ns", 0, 10 * M, ModelProfile.FIRMWARE_WRITE_NS);
    u32("device.flash_writes_in_flight", "commands", 1, 4096, ModelProfile.FLASH_WRITES_IN_FLIGHT);
    u32("device.flash_channels", "channels", 1, 64, ModelProfile.FLASH_CHANNELS);
    u32("device.flash_ways", "chips", 1, 64, ModelProfile.FLASH_WAYS);
    u32("device.flash_dies", "dies", 1, 16, ModelProfile.FLASH_DIES);
    u32("device.flash_planes", "planes", 1, 16, ModelProfile.FLASH_PLANES);
    u32(
        "device.flash_independent_planes",
        "1 = yes, 0 = no",
        0,
        1,
        ModelProfile.FLASH_INDEPENDENT_PLANES);
    u32(
        "device.flash_policy",
        "1 = chip alone, 2 = transfers first, 3 = both, 0 = neither",
        0,
        3,
        ModelProfile.FLASH_POLICY);
    u32("device.flash_page_bytes", "B", 4096, 65_536, ModelProfile.FLASH_PAGE_BYTES);
    u32("device.flash_block_pages", "pages", 16, 16_384, ModelProfile.FLASH_BLOCK_PAGES);
    u32("device.flash_plane_blocks", "blocks", 8, 65_536, ModelProfile.FLASH_PLANE_BLOCKS);
    u32("device.flash_spare_ppm", "ppm", 0, 900 * K, ModelProfile.FLASH_SPARE_PPM);
    u32("device.flash_gc_blocks", "blocks", 1, 1000, ModelProfile.FLASH_GC_BLOCKS);
    u32("device.flash_page_types", "kinds", 1, 4, ModelProfile.FLASH_PAGE_TYPES);
    u32("device.flash_command_ns", "ns", 0, M, ModelProfile.FLASH_COMMAND_NS);
    for (int i = 0; i < OffloadWire.MODEL_PAGE_TYPES; i++) {
      int at = i * Integer.BYTES;
      boolean first = i == 0;
      add(
          "device.flash_read_ns.page" + i,
          "ns",
          first ? K : 0,
          M,
          first,
          ModelProfile.FLASH_READ_NS + at,
          Integer.BYTES);
      add(
          "device.flash_program_ns.page" + i,
          "ns",
          first ? 10 * K : 0,
          100 * M,
          first,
          ModelProfile.FLASH_PROGRAM_NS + at,
          Integer.BYTES);
    }
    u32("device.flash_erase_ns", "ns", 10 * K, G, ModelProfile.FLASH_ERASE_NS);
    u64("device.channel_bytes_per_s", "B/s", M, 100 * G, ModelProfile.CHANNEL_BYTES_PER_S);
    u32("device.ecc_step_bytes", "B", 128, 65_536, ModelProfile.ECC_STEP_BYTES);
    u32("device.ecc_step_ns", "ns", 0, M, ModelProfile.ECC_STEP_NS);
    power("device", 0, FIRST_HOST_COMPONENT);
    u64("device.flash_read_pj", "pJ", 0, 1000 * G, ModelProfile.FLASH_READ_PJ);
    u64("device.flash_program_pj", "pJ", 0, 1000 * G, ModelProfile.FLASH_PROGRAM_PJ);
    u64("device.flash_erase_pj", "pJ", 0, 10_000 * G, ModelProfile.FLASH_ERASE_PJ);
    u32("device.link_pj_per_byte", "pJ/B", 0, 100 * K, ModelProfile.LINK_PJ_PER_BYTE);
    u32("device.dram_pj_per_byte", "pJ/B", 0, 100 * K, ModelProfile.DRAM_PJ_PER_BYTE);
    u32("device.channel_pj_per_byte", "pJ/B", 0, 100 * K, ModelProfile.CHANNEL_PJ_PER_BYTE);
  }

  private static void host() {
    u64("host.core_hz", "Hz", 100 * M, 10 * G, ModelProfile.HOST_HZ);
    u32("host.core_count", "cores", 1, 1024, ModelProfile.HOST_CORE_COUNT);
    u64("host.dram_bytes_per_s", "B/s", 100 * M, 10_000 * G, ModelProfile.HOST_DRAM_BYTES_PER_S);
    u32("host.read_cpu_ns", "ns", 0, 10 * M, ModelProfile.HOST_READ_CPU_NS);
    u32("host.read_wait_ns", "ns", 0, 10 * M, ModelProfile.HOST_READ_WAIT_NS);
    u32("host.read_ahead", "pages", 0, 4096, ModelProfile.HOST_READ_AHEAD);
    u32("host.query_ns", "ns", 0, G, ModelProfile.HOST_QUERY_NS);
    u32("host.rank_ps", "ps", 0, 100 * M, ModelProfile.HOST_RANK_PS);
    work(
        "host",
        "core",
        ModelProfile.HOST_MILLICYCLES,
        ModelProfile.HOST_ACCESS_PS,
        ModelProfile.HOST_ACCESS_BYTES);
    power("host", FIRST_HOST_COMPONENT, ModelNames.COMPONENTS.size());
    u32("host.dram_pj_per_byte", "pJ/B", 0, 100 * K, ModelProfile.HOST_DRAM_PJ_PER_BYTE);
  }

  private static void work(String half, String core, int cycles, int picos, int bytes) {
    for (int i = 0; i < ModelNames.WORK.size(); i++) {
      String path = half + ".work." + ModelNames.WORK.get(i);
      int at = i * Integer.BYTES;
      u32(path + "." + core + "_millicycles", "cycles / 1000", 0, 100 * M, cycles + at);
      u32(path + ".access_ps", "ps", 0, G, picos + at);
      u32(path + ".access_bytes", "B", 0, 65_536, bytes + at);
    }
  }

  private static void power(String half, int from, int to) {
    for (int i = from; i < to; i++) {
      String path = half + ".power." + ModelNames.COMPONENTS.get(i);
      int at = i * Integer.BYTES;
      u32(path + ".idle_mw", "mW", 0, M, ModelProfile.POWER_IDLE_MW + at);
      u32(path + ".active_mw", "mW", 0, M, ModelProfile.POWER_ACTIVE_MW + at);
    }
  }

  private static void u32(String path, String unit, long min, long max, int offset) {
    add(path, unit, min, max, true, offset, Integer.BYTES);
  }

  private static void u64(String path, String unit, long min, long max, int offset) {
    add(path, unit, min, max, true, offset, Long.BYTES);
  }

  private static void add(
      String path, String unit, long min, long max, boolean required, int offset, int bytes) {
    FIELDS.add(new ProfileField(path, unit, min, max, required, offset, bytes));
  }

  /**
   * The field at a path.
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
    ModelProfile.magic(struct, 0, OffloadWire.MODEL_PROFILE_MAGIC);
    ModelProfile.version(struct, 0, OffloadWire.VERSION);
    byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
    struct.put(ModelProfile.NAME, bytes, 0, Math.min(bytes.length, NAME_BYTES));
  }

  private static final int NAME_BYTES = ModelProfile.LINK_BYTES_PER_S - ModelProfile.NAME;
}
