/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.nvme;

import java.nio.ByteBuffer;
import java.util.Locale;
import org.luceneoffload.wire.OffloadException;
import org.luceneoffload.wire.OffloadWire;
import org.luceneoffload.wire.layout.DeviceInfoLayout;

/**
 * Finds out whether a namespace takes the wire's commands, asking nothing that could harm a device
 * that does not: first Identify and the effects log, which every controller answers; only one that
 * marks the opcodes as supported, or whose user insists, is sent a vendor command; and only one
 * that then answers with the magic and version of the wire is believed. A status of 0 alone says
 * nothing: some devices return it for commands that they do not know.
 *
 * @param nsid the namespace
 * @param controller what the controller says of itself; null if it did not answer
 * @param namespace what it says of the namespace; null if it did not answer
 * @param info the capabilities, of device_info; null if there are none
 * @param refusal why the namespace cannot be used; null if it can
 */
record NvmeProbe(
    int nsid,
    IdentifyController controller,
    IdentifyNamespace namespace,
    ByteBuffer info,
    OffloadException refusal) {

  /**
   * Asks.
   *
   * @param commands to the namespace
   * @param force whether to send a vendor command to a controller that does not list it
   */
  static NvmeProbe examine(NvmeCommands commands, int nsid, boolean force) {
    IdentifyController controller = null;
    IdentifyNamespace namespace = null;
    try {
      controller = commands.identifyController();
      namespace = commands.identifyNamespace();
      commands.checkListed(controller, force);
      checkFormat(namespace);
      ByteBuffer info = capabilities(commands);
      return new NvmeProbe(nsid, controller, namespace, info, null);
    } catch (OffloadException e) {
      return new NvmeProbe(nsid, controller, namespace, null, e);
    }
  }

  /** Returns whether the device was asked in vain for the commands of sessions and resources. */
  boolean lacksCommands() {
    return refusal != null && refusal.status() == OffloadWire.Status.INVALID_OPCODE;
  }

  private static void checkFormat(IdentifyNamespace namespace) throws OffloadException {
    if (namespace.lbaBytes() != OffloadWire.LBA_BYTES || namespace.metadataBytes() != 0) {
      throw new OffloadException(
          OffloadWire.Status.INVALID_ARGUMENT,
          "the namespace is formatted with LBAs of "
              + namespace.lbaBytes()
              + " bytes and "
              + namespace.metadataBytes()
              + " bytes of metadata; "
              + OffloadWire.LBA_BYTES
              + " and none are needed");
    }
  }

  private static ByteBuffer capabilities(NvmeCommands commands) throws OffloadException {
    ByteBuffer info = AlignedMemory.allocate(DeviceInfoLayout.BYTES);
    int got = commands.fetch(0, 0, info, DeviceInfoLayout.BYTES);
    if (got != DeviceInfoLayout.BYTES
        || DeviceInfoLayout.magic(info, 0) != OffloadWire.INFO_MAGIC) {
      throw new OffloadException(
          OffloadWire.Status.INVALID_OPCODE,
          "it does not answer as the wire demands: "
              + got
              + String.format(
                  Locale.ROOT, " bytes that begin with %08Xh", DeviceInfoLayout.magic(info, 0)));
    }
    int version = DeviceInfoLayout.version(info, 0);
    if (version != OffloadWire.VERSION) {
      throw new OffloadException(
          OffloadWire.Status.UNSUPPORTED_VERSION,
          "it speaks version " + version + " of the wire, this host " + OffloadWire.VERSION);
    }
    if (DeviceInfoLayout.lbaBytes(info, 0) != OffloadWire.LBA_BYTES
        || DeviceInfoLayout.pageBytes(info, 0) != OffloadWire.PAGE_BYTES
        || DeviceInfoLayout.maxPlanBytes(info, 0) <= 0
        || DeviceInfoLayout.maxResultBytes(info, 0) <= 0
        || DeviceInfoLayout.maxTransferBytes(info, 0) < OffloadWire.LBA_BYTES) {
      throw new OffloadException(
          OffloadWire.Status.INVALID_FIELD, "its capabilities are out of the wire's ranges");
    }
    return info;
  }
}
