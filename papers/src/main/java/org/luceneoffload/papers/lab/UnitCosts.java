/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.papers.lab;

import java.util.stream.LongStream;
import org.luceneoffload.model.DeviceProfile;

/**
 * The times of single steps under a profile if nobody else is there: hand formulas, written down
 * apart from the player so that one can be checked against the other.
 */
public final class UnitCosts {
  private static final double PS_A_S = 1e12;
  private static final double PS_A_NS = 1e3;
  private final DeviceProfile profile;

  public UnitCosts(DeviceProfile profile) {
    this.profile = profile;
  }

  /**
   * Returns the picoseconds until a program on the device has bytes of one flash page: controller,
   * command, mean tR, channel, error correction, DRAM.
   */
  public double devicePagePs(long bytes) {
    return pagePs(bytes, senses().average().orElseThrow());
  }

  /** Returns the same for the kind of pages that is read the fastest. */
  public double fastestDevicePagePs(long bytes) {
    return pagePs(bytes, senses().min().orElseThrow());
  }

  private LongStream senses() {
    return LongStream.range(0, get("device.flash_page_types"))
        .map(i -> get("device.flash_read_ns.page" + i));
  }

  private double pagePs(long bytes, double senseNs) {
    long steps = Math.ceilDiv(bytes, get("device.ecc_step_bytes"));
    double ns =
        get("device.firmware_read_ns")
            + get("device.flash_command_ns")
            + senseNs
            + steps * get("device.ecc_step_ns");
    return ns * PS_A_NS
        + over(bytes, "device.channel_bytes_per_s")
        + over(bytes, "device.dram_bytes_per_s");
  }

  /**
   * Returns the picoseconds until a host has them: system call, command, the device, link,
   * completion.
   */
  public double hostPagePs(long bytes) {
    return devicePagePs(bytes) + wayPs(bytes);
  }

  /** Returns the time of a host's read outside of the device, in ps. */
  public double wayPs(long bytes) {
    double ns =
        get("host.read_cpu_ns")
            + get("host.read_wait_ns")
            + get("device.link_command_ns")
            + get("device.link_completion_ns");
    return ns * PS_A_NS
        + over(bytes, "device.link_bytes_per_s")
        + over(bytes, "host.dram_bytes_per_s");
  }

  /** Returns the bytes a second that no number of reads at once can exceed. */
  public double mostBytesPerS(boolean host) {
    double most =
        Math.min(
            (double) get("device.flash_channels") * get("device.channel_bytes_per_s"),
            get("device.dram_bytes_per_s"));
    return host ? Math.min(most, get("device.link_bytes_per_s")) : most;
  }

  private double over(double bytes, String bytesPerS) {
    return bytes * PS_A_S / get(bytesPerS);
  }

  private long get(String path) {
    return profile.get(path);
  }
}
