/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.planner;

import org.luceneoffload.model.DeviceProfile;
import org.luceneoffload.model.ModelNames;
import org.luceneoffload.report.PlanExplanation.LeafEstimate;
import org.luceneoffload.wire.OffloadWire;

/**
 * Turns expected work into expected time with the costs of a profile: closed formulas for a request
 * that is alone on the device. The timing model itself plays what a program has done, event by
 * event; this says beforehand about what that will come to. Immutable.
 */
public final class CostModel {
  private static final double NS_A_S = 1e9;
  private static final double PS_A_NS = 1e3;
  private static final double MILLICYCLES = 1e3;
  private static final int LBA = OffloadWire.LBA_BYTES;
  private static final int SRAM = OffloadWire.ModelWork.SRAM_ACCESS;

  private final Flash flash;
  private final Cores device;
  private final Cores host;
  private final double linkNsPerByte;
  private final double linkCommandNs;
  private final double linkCompletionNs;
  private final double pollNs; // 0: by interrupt
  private final double chunkBytes;
  private final double chunkNs;
  private final double sessionNs;
  private final double hostReadCpuNs;
  private final double hostReadWaitNs;
  private final double hostQueryNs;
  private final double rankNs;
  private final long deviceDramBytes;

  /** The costs of a profile. */
  public CostModel(DeviceProfile p) {
    flash = new Flash(p);
    device = new Cores(p, "device", "core", "program_read_ahead");
    host = new Cores(p, "host", "core", "read_ahead");
    linkNsPerByte = NS_A_S / p.get("device.link_bytes_per_s");
    linkCommandNs = p.get("device.link_command_ns");
    linkCompletionNs = p.get("device.link_completion_ns");
    boolean polled = p.get("device.link_completion") == OffloadWire.ModelCompletion.POLLED;
    pollNs = polled ? p.get("device.link_poll_ns") : 0;
    chunkBytes = p.get("device.send_chunk_bytes");
    chunkNs = p.get("device.send_chunk_ns");
    sessionNs = p.get("device.session_open_ns");
    hostReadCpuNs = p.get("host.read_cpu_ns");
    hostReadWaitNs = p.get("host.read_wait_ns");
    hostQueryNs = p.get("host.query_ns");
    rankNs = p.get("host.rank_ps") / PS_A_NS;
    deviceDramBytes = p.get("device.dram_bytes");
  }

  /** Returns the device memory that a program may use, in bytes. */
  public long deviceDramBytes() {
    return deviceDramBytes;
  }

  /** Returns the time of work on either side. */
  public LeafEstimate estimate(ExpectedWork onDevice, ExpectedWork onHost) {
    return new LeafEstimate(deviceNs(onDevice), hostNs(onHost));
  }

  /** Returns the expected time on the device, in ns. */
  double deviceNs(ExpectedWork work) {
    double opening = linkCommandNs + work.openedBytes * linkNsPerByte;
    double running = sessionNs + runNs(device, work, flash.moveNs(work), flash.intervalNs(work));
    double sending =
        Math.ceil(work.sentBytes / chunkBytes) * chunkNs + work.sentBytes * linkNsPerByte;
    return opening + seenByHost(running) + sending + work.ranked * rankNs;
  }

  /** Returns when the host sees what is done after a time. */
  private double seenByHost(double ns) {
    return pollNs > 0 ? Math.max(1, Math.ceil(ns / pollNs)) * pollNs : ns + linkCompletionNs;
  }

  /** Returns the expected time on the host, in ns. */
  double hostNs(ExpectedWork work) {
    double transfer = work.loadBytes * linkNsPerByte;
    double memory = work.loadBytes * host.nsPerByte;
    double move =
        hostReadWaitNs + linkCommandNs + flash.moveNs(work) + transfer + linkCompletionNs + memory;
    double interval = Math.max(flash.intervalNs(work), transfer);
    double calls = work.loads * hostReadCpuNs;
    return hostQueryNs + calls + runNs(host, work, move, interval) + work.ranked * rankNs;
  }

  /**
   * Returns the time of a program. Reads that were not asked for ahead are waited for one by one.
   * Of the others the first of each list finds nothing to overlap with, but lists begin together;
   * each later one overlaps with the work on the page before it, so that of a list whose flash
   * pages hold several of its pages only the work on the last of these counts.
   *
   * @param move time of a read, but for sensing the flash page
   * @param interval time between reads if many are under way
   */
  private double runNs(Cores cores, ExpectedWork work, double move, double interval) {
    double share = flash.sensedShare(work);
    double ahead = cores.readAhead > 0 ? work.ahead : 0;
    double alone = work.loads - ahead;
    double ordered = Math.max(0, work.inOrder - ahead);
    double waits = alone * move + (alone - ordered + ordered * share) * flash.senseNs;
    double busy = cores.workNs(work.units);
    if (ahead > 0) {
      double first = flash.senseNs + move;
      double rest = Math.max(0, work.longestChain - 1) * (share * flash.senseNs + move);
      double stream = first + (ahead - 1) * interval;
      waits += Math.max(first + Math.max(0, rest - busy * share), stream - busy);
    }
    return busy + waits;
  }

  /** One side's cores and memory. */
  private static final class Cores {
    final double[] computeNs = new double[ModelNames.WORK.size()];
    final double[] accessNs = new double[ModelNames.WORK.size()];
    final double[] bytes = new double[ModelNames.WORK.size()];
    final double nsPerByte;
    final double readAhead;

    Cores(DeviceProfile p, String side, String core, String readAhead) {
      double hz = p.get(side + "." + core + "_hz");
      for (int i = 0; i < computeNs.length; i++) {
        String work = side + ".work." + ModelNames.WORK.get(i);
        computeNs[i] = p.get(work + ".core_millicycles") / MILLICYCLES * NS_A_S / hz;
        accessNs[i] = p.get(work + ".access_ps") / PS_A_NS;
        bytes[i] = p.get(work + ".access_bytes");
      }
      nsPerByte = NS_A_S / p.get(side + ".dram_bytes_per_s");
      this.readAhead = p.get(side + "." + readAhead);
    }

    /**
     * Returns the time in which a core computes and stands still for memory: for accesses, or for
     * the bus if that is more.
     */
    double workNs(double[] units) {
      double compute = 0;
      double access = 0;
      double moved = 0;
      for (int i = 0; i < units.length; i++) {
        compute += units[i] * computeNs[i];
        access += i == SRAM ? 0 : units[i] * accessNs[i];
        compute += i == SRAM ? units[i] * accessNs[i] : 0;
        moved += units[i] * bytes[i];
      }
      return compute + Math.max(access, moved * nsPerByte);
    }
  }

  /** The way of a page from the flash to the device's memory. */
  private static final class Flash {
    final double firmwareNs;
    final double firmwares;
    final double commandNs;
    final double senseNs;
    final double channelNsPerByte;
    final double channels;
    final double dies;
    final double stepBytes;
    final double stepNs;
    final double memoryNsPerByte;
    final int pageBytes;

    Flash(DeviceProfile p) {
      firmwareNs = p.get("device.firmware_read_ns");
      firmwares = p.get("device.firmware_count");
      commandNs = p.get("device.flash_command_ns");
      int types = (int) p.get("device.flash_page_types");
      double readNs = 0;
      for (int i = 0; i < types; i++) {
        readNs += (double) p.get("device.flash_read_ns.page" + i) / types;
      }
      senseNs = commandNs + readNs;
      channelNsPerByte = NS_A_S / p.get("device.channel_bytes_per_s");
      channels = p.get("device.flash_channels");
      boolean apart = p.get("device.flash_independent_planes") == 1;
      dies =
          channels
              * p.get("device.flash_ways")
              * p.get("device.flash_dies")
              * (apart ? p.get("device.flash_planes") : 1);
      stepBytes = p.get("device.ecc_step_bytes");
      stepNs = p.get("device.ecc_step_ns");
      memoryNsPerByte = NS_A_S / p.get("device.dram_bytes_per_s");
      pageBytes = Math.max(LBA, (int) p.get("device.flash_page_bytes"));
    }

    /** Returns the number of flash pages of a read. */
    private double pages(ExpectedWork work) {
      return Math.max(1, (double) work.loadBytes / pageBytes);
    }

    /** Returns the share of reads in order that find their flash page in no register. */
    double sensedShare(ExpectedWork work) {
      return Math.min(1, (double) work.loadBytes / pageBytes);
    }

    private double correctNs(double bytes) {
      return Math.ceil(bytes / stepBytes) * stepNs;
    }

    /**
     * Returns the time of a read that nothing delays but sensing: its flash pages come over several
     * channels.
     */
    double moveNs(ExpectedWork work) {
      double bytes = Math.min(work.loadBytes, pageBytes);
      return pages(work) * firmwareNs
          + bytes * channelNsPerByte
          + correctNs(bytes)
          + work.loadBytes * memoryNsPerByte;
    }

    /**
     * Returns the time between two reads when many are under way: the part in use longest sets it.
     */
    double intervalNs(ExpectedWork work) {
      double pages = pages(work);
      double bytes = Math.min(work.loadBytes, pageBytes);
      double ordered = work.loads > 0 ? Math.min(1, work.inOrder / work.loads) : 1;
      double sensing = ordered * sensedShare(work) + 1 - ordered;
      double transfer = bytes * channelNsPerByte;
      double channel = pages * (sensing * commandNs + transfer) / channels;
      double correction = pages * correctNs(bytes) / channels;
      double die = pages * (sensing * senseNs + transfer) / dies;
      double firmware = pages * firmwareNs / firmwares;
      double memory = work.loadBytes * memoryNsPerByte;
      return Math.max(Math.max(channel, correction), Math.max(Math.max(die, firmware), memory));
    }
  }
}
