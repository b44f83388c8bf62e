/* Licensed under the Apache License, Version 2.0. See the LICENSE file at the top of the project. */
package org.luceneoffload.cli.device;

import java.util.List;
import java.util.Map;

/**
 * The backends that this installation knows.
 *
 * @param backends in the order of their names, the host first
 */
record DeviceReport(List<Backend> backends) {
  /**
   * A kind of device.
   *
   * @param name what {@code --device} calls it
   * @param description one line
   * @param available whether a device can be opened here
   * @param reason why not; null if it can
   * @param capabilities what the device reports of itself; null if it was not opened
   * @param profiles names of timing profiles
   * @param found devices of this kind that are here without anybody having opened them
   */
  record Backend(
      String name,
      String description,
      boolean available,
      String reason,
      Capabilities capabilities,
      List<String> profiles,
      List<Found> found) {}

  /**
   * A device that is here.
   *
   * @param name what {@code --device} takes to open it
   * @param usable whether it can be used
   * @param reason why not; null if it can
   * @param facts what it says of itself
   * @param capabilities what it can; null if it cannot be used
   */
  record Found(
      String name,
      boolean usable,
      String reason,
      Map<String, String> facts,
      Capabilities capabilities) {}

  /**
   * The capabilities that a device reports.
   *
   * @param model model
   * @param kernels kernels in use
   * @param lbaBytes bytes of an LBA
   * @param pageBytes bytes of a posting page
   * @param capacityBytes bytes of all LBAs
   * @param dramBytes device memory for pages
   * @param maxPlanBytes most bytes of a plan
   * @param maxResultBytes most bytes of a result page
   * @param maxTransferBytes most bytes of one command's data
   * @param maxSessions sessions open at once
   * @param readOnly whether writes are refused
   * @param modes supported modes
   * @param operators supported plan operators
   */
  record Capabilities(
      String model,
      String kernels,
      int lbaBytes,
      int pageBytes,
      long capacityBytes,
      long dramBytes,
      int maxPlanBytes,
      int maxResultBytes,
      int maxTransferBytes,
      int maxSessions,
      boolean readOnly,
      List<String> modes,
      List<String> operators) {}
}
