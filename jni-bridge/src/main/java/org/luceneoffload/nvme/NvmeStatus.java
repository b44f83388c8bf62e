/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.util.Locale;
import java.util.Map;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;

/**
 * Completion statuses of NVMe (Base Specification 2.0, figures of section 3.3.3.2), as the driver
 * returns them: status code in bits 7 to 0, status code type in bits 10 to 8, do-not-retry in bit
 * 14.
 */
public final class NvmeStatus {
  private static final int TYPE_PATH = 3;
  private static final int TYPE_VENDOR = 7;

  /** Generic ones and media errors that have a status of the wire, by type and code. */
  private static final Map<Integer, Integer> WIRE =
      Map.ofEntries(
          Map.entry(0x001, OffloadWire.Status.INVALID_OPCODE),
          Map.entry(0x002, OffloadWire.Status.INVALID_FIELD),
          Map.entry(0x006, OffloadWire.Status.INTERNAL),
          Map.entry(0x007, OffloadWire.Status.ABORTED),
          Map.entry(0x008, OffloadWire.Status.ABORTED), // queue deleted
          Map.entry(0x00B, OffloadWire.Status.INVALID_FIELD), // namespace or format
          Map.entry(0x020, OffloadWire.Status.READ_ONLY),
          Map.entry(0x080, OffloadWire.Status.OUT_OF_RANGE),
          Map.entry(0x081, OffloadWire.Status.NO_SPACE),
          // Of programs. A controller that was connected anew has neither sets nor active programs.
          Map.entry(0x18A, OffloadWire.Status.NO_MEMORY),
          Map.entry(0x18D, OffloadWire.Status.NO_SESSION),
          Map.entry(0x192, OffloadWire.Status.TOO_MANY_SESSIONS),
          Map.entry(0x195, OffloadWire.Status.BUSY),
          Map.entry(0x198, OffloadWire.Status.NO_SESSION));

  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(0x001, "invalid command opcode"),
          Map.entry(0x002, "invalid field in command"),
          Map.entry(0x004, "data transfer error"),
          Map.entry(0x005, "aborted, power loss"),
          Map.entry(0x006, "internal error"),
          Map.entry(0x007, "command abort requested"),
          Map.entry(0x008, "aborted, queue deleted"),
          Map.entry(0x00B, "invalid namespace or format"),
          Map.entry(0x00F, "data SGL length invalid"),
          Map.entry(0x020, "namespace is write protected"),
          Map.entry(0x021, "command interrupted"),
          Map.entry(0x080, "LBA out of range"),
          Map.entry(0x081, "capacity exceeded"),
          Map.entry(0x082, "namespace not ready"),
          Map.entry(0x18A, "insufficient program resources"),
          Map.entry(0x18D, "invalid memory range set identifier"),
          Map.entry(0x192, "maximum memory range sets exceeded"),
          Map.entry(0x195, "memory range set in use"),
          Map.entry(0x198, "program not activated"),
          Map.entry(0x184, "there is no key for this host, or it is not allowed to connect"),
          Map.entry(0x191, "authentication required"),
          Map.entry(0x280, "write fault"),
          Map.entry(0x281, "unrecovered read error"),
          Map.entry(0x300, "internal path error"),
          Map.entry(0x370, "host path error"),
          Map.entry(0x371, "command aborted by host"),
          Map.entry(
              TYPE_VENDOR << 8 | OffloadWire.Status.LOCKED,
              "another writer holds it, or has held it since"),
          Map.entry(
              TYPE_VENDOR << 8 | OffloadWire.Status.NO_MEMORY, "the device has no room for it"));

  private NvmeStatus() {}

  /**
   * Returns the status of the wire that says the same. Our devices report the wire's own as vendor
   * specific ones, by number.
   */
  static int wireStatus(int status) {
    int code = status & 0xFF;
    if (type(status) == TYPE_VENDOR && code != OffloadWire.Status.OK && isWireStatus(code)) {
      return code;
    }
    return WIRE.getOrDefault(status & 0x7FF, OffloadWire.Status.IO_ERROR);
  }

  private static boolean isWireStatus(int code) {
    return !OffloadWire.Status.name(code).startsWith("status ");
  }

  /** Describes a status for people. */
  static String describe(int status) {
    String name = NAMES.get(status & 0x7FF);
    String number = String.format(Locale.ROOT, "NVMe status %d/%02Xh", type(status), status & 0xFF);
    return name == null ? number : number + ", " + name;
  }

  /**
   * Returns the exception for a status other than 0.
   *
   * @param what what was asked, and of whom
   */
  public static OffloadException failure(String what, int status) {
    String more = type(status) == TYPE_PATH ? "; the connection is lost, or being made again" : "";
    return new OffloadException(wireStatus(status), what + ": " + describe(status) + more);
  }

  private static int type(int status) {
    return status >>> 8 & 7;
  }
}
